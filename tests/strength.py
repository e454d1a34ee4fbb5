"""How much is tried: a little at every change, everything with `dev.py test --long`."""

import os

import pytest
from hypothesis import HealthCheck, settings

LONG = os.environ.get("TIDEMARK_LONG") == "1"

only_long = pytest.mark.skipif(not LONG, reason="dev.py test --long")
"""Of what takes long and has a cheaper test beside it."""


def strength(short: int, long: int, name: str = "") -> int:
    """How often something is tried; the environment's variable of that name says otherwise."""
    return int(os.environ.get(name) or 0) or (long if LONG else short)


def examples() -> None:
    """Hypothesis tries so many of each property, however long one takes, over any fixture."""
    settings.register_profile(
        "tidemark",
        max_examples=strength(20, 100),
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    settings.load_profile("tidemark")
