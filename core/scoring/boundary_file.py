"""Reading the fitted numbers of boundaries from the text of their file. Pure."""

import json
import math
from collections.abc import Mapping
from typing import Any

from .boundaries import BoundaryColumn, BoundaryModel, BoundaryModels

VERSION = 1
"""Of the columns; numbers fitted for another one say nothing."""


class Unfit(ValueError):
    """A file of numbers that cannot be used; the message says why."""


def parsed(text: str) -> BoundaryModels:
    """The models of a file. Raises Unfit, naming the first thing that does not fit."""
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise Unfit(f"version {document['version']!r}, not {VERSION}")
        models = document["models"]
        return BoundaryModels(_model(models["meaning"]), _model(models["words"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unfit(f"{type(error).__name__}: {error}") from None


def _model(raw: Mapping[str, Any]) -> BoundaryModel:
    weights = {BoundaryColumn(name): float(weight) for name, weight in raw["weights"].items()}
    none = float(raw["none"])
    if not all(map(math.isfinite, (none, *weights.values()))):
        raise Unfit("a weight is no number")
    return BoundaryModel(weights, none)
