"""What the model sees anyway, in the form in which memories hold it."""

import asyncio

from ..capture.evidence import as_said
from ..text.tokens import normalise

SHORT = 50
"""Texts that are compared without leaving the event loop."""


async def comparable(history: frozenset[str]) -> frozenset[str]:
    """The texts of a history as the evidence of the same turns would hold them, normalised."""

    def normalised() -> frozenset[str]:
        return frozenset(normalise(as_said(text)).strip() for text in history)

    return await asyncio.to_thread(normalised) if len(history) > SHORT else normalised()
