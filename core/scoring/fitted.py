"""The models in force: `fitted.json`, which `python -m benchmarks.fit_recall --write` writes."""

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .columns import Column, TurnColumn
from .decision import Coefficients, Fitted, Footing

FILE = Path(__file__).with_suffix(".json")


def _read(model: dict[str, Any]) -> Coefficients:
    named = {
        "ranking": {Column(name): weight for name, weight in model["ranking"].items()},
        "turn": {TurnColumn(name): weight for name, weight in model["turn"].items()},
        "asking": tuple(map(float, model.get("asking", "").split())),
    }
    return Coefficients(**(model | named))


FITTED: Fitted = MappingProxyType(
    {Footing(name): _read(model) for name, model in json.loads(FILE.read_text("utf-8")).items()}
)
