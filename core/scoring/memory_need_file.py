"""Reading the weights of what asks for memory from the text of their file. Pure."""

import json
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from .coefficients import Unfit
from .memory_need import ByMeaning, Grams, MemoryNeed

VERSION = 1
"""Of the n-grams and of what is made of them; numbers fitted for another one say nothing."""


def parsed(text: str) -> MemoryNeed:
    """The weights of a file. Raises Unfit, naming what does not fit."""
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise Unfit(f"version {document['version']!r}, not {VERSION}")
        meaning = {name: _by_meaning(raw) for name, raw in document["meaning"].items()}
        return MemoryNeed(_grams(document["grams"]), MappingProxyType(meaning))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unfit(f"{type(error).__name__}: {error}") from None


def _by_meaning(raw: Mapping[str, Any]) -> ByMeaning:
    vector = np.array([_number(weight) for weight in raw["vector"]], np.float32)
    return ByMeaning(vector, _grams(raw["grams"]), _number(raw["base"]))


def _grams(raw: Mapping[str, Any]) -> Grams:
    return MappingProxyType({gram: _number(weight) for gram, weight in raw.items()})


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Unfit(f"{value!r} is no number")
    return float(value)
