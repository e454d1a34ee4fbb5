"""The models in force, from the files that come with the plugin."""

import json
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .boundaries import BoundaryModels, Unfit, parsed
from .decision import Coefficients, Column, Fitted, Footing, TurnColumn

FILE = Path(__file__).with_suffix(".json")


def _read(model: dict[str, Any]) -> Coefficients:
    named = {
        "ranking": {Column(name): weight for name, weight in model["ranking"].items()},
        "turn": {TurnColumn(name): weight for name, weight in model["turn"].items()},
        "scales": tuple(tuple(map(float, each.split())) for each in model.get("scales", ())),
    }
    return Coefficients(**(model | named))


FITTED: Fitted = MappingProxyType(
    {Footing(name): _read(model) for name, model in json.loads(FILE.read_text("utf-8")).items()}
)


BOUNDARIES = Path(__file__).with_name("boundaries.json")


def boundaries(
    report: Callable[[str, str], object], file: Path = BOUNDARIES
) -> BoundaryModels | None:
    """The models of boundaries; without them, which is reported, episodes end at their size."""
    try:
        return parsed(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, Unfit) as error:
        report("boundaries", f"{type(error).__name__}: {file.name}: {error}")
        return None
