"""Whether an episode must be read by a model before others can join the call. Async.

Algorithms, section 10.5. All of it is found by the rules, without a model.
"""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import tzinfo

from ..conflict.slots import has_several, same_value
from ..model.claims import Claim
from ..model.conversation import Role, Turn
from ..model.lesson import Candidate
from ..model.memory import Kind, Memory
from ..ports import Filter, MemoryReader
from ..records.claims import claim_of
from ..records.intention_reports import fits, reports_in
from . import rule_extraction as rules
from .clause_reading import request_in, without_taking_back
from .clauses import sentences
from .dating import dated
from .joint import EpisodeReading

MOST_HELD = 100
"""Claims of the slots that an episode fills which are looked at."""


async def is_urgent(
    reading: EpisodeReading, store: MemoryReader, *, until: float, where: tzinfo | None
) -> bool:
    """Whether the episode must be read before the Unix time `until`.

    Somebody asks that something be remembered, takes something back, reports what may be one of
    the open plans that are known done or given up, plans something for a day that begins before
    then, or claims what ends a known claim.
    """
    turns = reading.turns
    plans = [m for m in reading.joint.known.values() if m.intended and m.intended.pending]
    if await asyncio.to_thread(_presses, turns, plans):
        return True
    read = await asyncio.to_thread(rules.extract, turns, reading.names)
    candidates = (await asyncio.to_thread(dated, read, turns, where)).candidates
    if any(each.due_at is not None and each.due_at < until for each in candidates):
        return True
    return await _changes_known(_claims(candidates, turns), turns[0].place.scope, store)


def _presses(turns: Sequence[Turn], plans: Sequence[Memory]) -> bool:
    return any(
        _presses_in(clauses, turn, plans)
        for turn in turns
        if turn.role is not Role.ASSISTANT
        for clauses in sentences(turn.text)
    )


def _presses_in(clauses: Sequence[str], turn: Turn, plans: Sequence[Memory]) -> bool:
    if any(without_taking_back(clause)[1] for clause in clauses):
        return True
    if turn.role is Role.USER and any(request_in(each) is not None for each in clauses):
        return True
    return any(fits(report, plan) for report in reports_in(clauses) for plan in plans)


def _claims(candidates: Iterable[Candidate], turns: Sequence[Turn]) -> list[Claim]:
    said = [
        (each, turns[each.turns[0] - 1])
        for each in candidates
        if each.kind is not Kind.PROSPECTIVE and each.claim is not None
    ]
    found = (claim_of(each, turn.speaker, turn.place.scope, turn.at) for each, turn in said)
    return [claim for claim in found if claim is not None]


async def _changes_known(claims: Sequence[Claim], scope: str, store: MemoryReader) -> bool:
    slots = frozenset(claim.slot for claim in claims)
    if not slots:
        return False
    where = Filter(scopes=frozenset({scope}), slots=slots, holds=True, recallable=True)
    known = [memory.claim for memory in await store.page(where, limit=MOST_HELD)]
    return any(
        _ends(claim, held)
        for held in known
        if held is not None
        for claim in claims
        if claim.slot == held.slot
    )


def _ends(claim: Claim, held: Claim) -> bool:
    if claim.denied:
        return True
    alike = same_value(claim.attribute, claim.value, held.value)
    return not alike and not has_several(claim.attribute, claim.subject)
