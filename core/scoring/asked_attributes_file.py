"""Reading the weights of what attribute is asked for from the text of their file. Pure."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .asked_attributes import AskedAttributes, OfSpace
from .coefficients import Unfit

VERSION = 1
"""Of what is made of the numbers; those fitted for another one say nothing."""


def parsed(text: str) -> AskedAttributes:
    """The weights of a file. Raises Unfit, naming what does not fit."""
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise Unfit(f"version {document['version']!r}, not {VERSION}")
        names = list(document["topics"])
        topics = tuple(tuple(map(str, document["topics"][name])) for name in names)
        meaning = {
            fingerprint: _of_space(raw, names) for fingerprint, raw in document["meaning"].items()
        }
        return AskedAttributes(topics, MappingProxyType(meaning))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unfit(f"{type(error).__name__}: {error}") from None


def _of_space(raw: Mapping[str, Any], names: list[str]) -> OfSpace:
    weights = _numbers([raw["vectors"][name] for name in names])
    bases = _numbers([raw["bases"][name] for name in names])
    if weights.ndim != 2 or bases.ndim != 1:
        raise Unfit("a vector and a number are wanted for each topic")
    return OfSpace(weights, bases)


def _numbers(raw: list[Any]) -> NDArray[np.float32]:
    numbers = np.array(raw, np.float32)
    if not np.isfinite(numbers).all():
        raise Unfit("not every weight is a finite number")
    return numbers
