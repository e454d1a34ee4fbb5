"""Models that keep nothing back: for tests of what is found, not of whether it is worth it."""

from dataclasses import replace
from typing import Any

from astrbot_plugin_tidemark.core.recall.question import Sources
from astrbot_plugin_tidemark.core.scoring.defaults import FITTED

OPEN = {footing: replace(model, level=-1_000.0, share=1e-9) for footing, model in FITTED.items()}


def showing(*parts: Any, **named: Any) -> Sources:
    """Where to search; whatever is found is shown while there is room."""
    return Sources(*parts, **{"fitted": OPEN, **named})
