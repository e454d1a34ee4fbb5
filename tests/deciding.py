"""Models that keep nothing back: for tests of what is found, not of whether it is worth it."""

from dataclasses import replace
from typing import Any

from astrbot_plugin_tidemark.core.recall.question import Sources
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED

OPEN = {footing: replace(model, low=-1_000.0, high=-1_000.0) for footing, model in FITTED.items()}


def showing(*parts: Any, **named: Any) -> Sources:
    """Where to search; whatever is found is shown while there is room."""
    return Sources(*parts, **{"fitted": OPEN, **named})
