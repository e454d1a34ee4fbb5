"""What was said before a turn: what the model sees anyway, and the turn's context."""

import asyncio

from ..languages.terms import content_terms
from ..ports import Turns
from ..records.evidence import as_said
from ..records.tool_calls import split_calls
from ..text.normalisation import normalise

SHORT = 50
"""Texts that are compared without leaving the event loop."""

EARLIER = 3
LONGEST = 500
"""Characters of an earlier turn that say what it was about."""


async def comparable(history: frozenset[str]) -> frozenset[str]:
    """The texts of a history as the evidence of the same turns would hold them, normalised."""

    def normalised() -> frozenset[str]:
        return frozenset(normalise(as_said(text)).strip() for text in history)

    return await asyncio.to_thread(normalised) if len(history) > SHORT else normalised()


async def turns_seen(seq: int | None, history: frozenset[str], journal: Turns) -> frozenset[int]:
    """Seqs of the turns of the same episode that a history, as `comparable` gives it, holds."""
    turn = None if seq is None or not history else await journal.turn(seq)
    if turn is None:
        return frozenset() if seq is None else frozenset({seq})
    said = await journal.turns_of(turn.episode)
    return frozenset(one.seq for one in said if one.seq == seq or _as_seen(one.text) in history)


def _as_seen(text: str) -> str:
    """As the history has it: without what the bot did for an answer."""
    return normalise(as_said(split_calls(text)[0])).strip()


async def turns_before(seq: int | None, journal: Turns) -> tuple[str, ...]:
    """The last turns with content of the same person in the same episode, oldest first."""
    turn = None if seq is None else await journal.turn(seq)
    if turn is None:
        return ()
    said: list[str] = []
    for one in reversed(await journal.turns_of(turn.episode)):
        text = one.text[:LONGEST]
        if one.seq < turn.seq and one.speaker.id == turn.speaker.id and content_terms(text):
            said.append(text)
        if len(said) == EARLIER:
            break
    return tuple(reversed(said))
