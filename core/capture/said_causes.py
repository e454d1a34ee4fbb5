"""Causes that people say: "because ...", "so I ...", or in answer to the bot's "why?". Pure.

Only what is told in a turn of its own is looked for: a cause in the same turn is recalled with it.
It goes by who speaks after whom and by the words at the beginning, never by likeness.
"""

from collections.abc import Iterator, Sequence

from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..languages.telling import tells
from ..model.conversation import Role, Turn

FARTHEST = 3
"""Turns back to what a cause or an effect belongs to, the bot's answers among them."""

LONGEST = 300
"""Characters of a turn that says one thing: of longer ones it is not known what is meant."""


def said_causes(turns: Sequence[Turn]) -> Iterator[tuple[int, int]]:
    """Numbers, from 1, of the turns of an episode: what came about, and why."""
    for place, turn in enumerate(turns):
        before = _before(turns, place)
        if before is None or turn.role is Role.ASSISTANT or not _is_told(turn):
            continue
        if _begins(turn, Marker.THEREFORE):
            yield place + 1, before + 1
        elif _begins(turn, Marker.BECAUSE) or _is_asked_why(turns[place - 1]):
            yield before + 1, place + 1


def _before(turns: Sequence[Turn], place: int) -> int | None:
    """What the same person told just before, if nobody else has spoken since but the bot."""
    for earlier in range(place - 1, max(-1, place - 1 - FARTHEST), -1):
        turn = turns[earlier]
        if turn.role is not Role.ASSISTANT:
            own = turn.speaker.id == turns[place].speaker.id and _is_told(turn)
            return earlier if own else None
    return None


def _is_told(turn: Turn) -> bool:
    return len(turn.text) <= LONGEST and tells(turn.text)


def _begins(turn: Turn, what: Marker) -> bool:
    text = turn.text.lstrip()
    return marker(what, codes_in(text)).match(text) is not None


def _is_asked_why(reply: Turn) -> bool:
    if reply.role is not Role.ASSISTANT or reply.private_reply:
        return False
    return marker(Marker.ASKS_WHY, codes_in(reply.text)).search(reply.text) is not None
