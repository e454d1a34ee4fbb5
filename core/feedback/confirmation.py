"""A person confirms what the bot's answer said of a memory: it is accurate. Algorithms, section 11.

"That's right" is about what was just said, so a memory is confirmed if it was shown for the turn
that this answers, and the answer drew on it. An answer without words of the memory confirms none.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..model.conversation import Account, Injected, Role, Scope, ScopeKind, Turn
from ..model.memory import Memory
from ..ports import AuditEntry, AuditLog, MemoryRecords
from ..records.corroboration import impersonal
from ..records.evidence import answered_by
from .attribute import useful_numbers

_MARKS = re.compile(r"[^\w']+|_")

LONGEST = 60
"""Characters of a turn that says nothing but that it is so."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """That `account` confirmed, in `turn`, what the answer to the turn `asked` said: `answer`."""

    turn: int
    account: Account
    at: float
    asked: Turn
    answer: str


def is_confirmation(text: str) -> bool:
    """Whether a text says that something is right, and nothing else."""
    said = _MARKS.sub(" ", text.replace("’", "'")).strip()
    return 0 < len(said) <= LONGEST and (
        marker(Marker.CONFIRMATION, codes_in(said)).fullmatch(said) is not None
    )


def confirmations(turns: Sequence[Turn]) -> list[Confirmation]:
    """Those of an episode: each right after an answer that the same person was given."""
    return [
        Confirmation(turn.seq, turn.account, turn.at, asked, answer.text)
        for answer, turn in pairwise(turns)
        if answer.role is Role.ASSISTANT and not answer.private_reply
        if turn.role is Role.USER and is_confirmation(turn.text)
        if (asked := answered_by(answer, turns)) is not None
        if asked.speaker.id == turn.speaker.id
    ]


async def confirm(
    turns: Sequence[Turn], injected: Sequence[Injected], *, store: MemoryRecords, journal: AuditLog
) -> None:
    """Mark what the people of an episode confirmed. Doing it again changes nothing."""
    for given in confirmations(turns):
        shown = [item.memory for item in injected if item.turn == given.asked.seq]
        memories = [one for one in await store.find(shown) if _may(given, one)]
        drawn = _drawn_on(given, memories)
        await store.amend([one.id for one in drawn], _accurate)
        await journal.audit([_entry(given, one) for one in drawn])


def _drawn_on(given: Confirmation, memories: Sequence[Memory]) -> list[Memory]:
    known: Mapping[int, Memory] = dict(enumerate(memories))
    texts = {number: impersonal(one) for number, one in known.items()}
    return [known[number] for number in useful_numbers([given.answer], [given.asked.text], texts)]


def _may(given: Confirmation, memory: Memory) -> bool:
    """Whether it is that person's own; what they once said to be wrong stays so."""
    if memory.feedback.accurate is not None or memory.feedback.correction is not None:
        return False
    if memory.account is None:
        return Scope.kind_of(memory.scope) is ScopeKind.PRIVATE
    return memory.account == given.account


def _accurate(memory: Memory) -> Memory:
    if memory.feedback.accurate is not None:
        return memory
    return replace(memory, feedback=replace(memory.feedback, accurate=True))


def _entry(given: Confirmation, memory: Memory) -> AuditEntry:
    return AuditEntry(
        key=f"confirmed:{given.turn}:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action="confirmed",
        by="learning",
        at=given.at,
        detail=json.dumps({"turn": given.turn}),
    )
