"""Declaring a setting: its default and what may be put in its place."""

from dataclasses import field
from typing import Any


def bounded(default: float, low: float, high: float, **more: object) -> Any:
    """A number with its range, both ends allowed."""
    return field(default=default, metadata={"low": low, "high": high, **more})
