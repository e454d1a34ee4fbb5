"""The Python that runs the bot, for a process of our own."""

import sys


def interpreter() -> str | None:
    """Its path. None in a program frozen with PyInstaller, which would start the bot once more."""
    return None if getattr(sys, "frozen", False) else sys.executable
