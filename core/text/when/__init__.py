"""Expressions of time in Chinese and English, relative to when they are said. Pure."""

from .calendar import Leaning
from .reading import Interval, Told, times_in

__all__ = ["Interval", "Leaning", "Told", "times_in"]
