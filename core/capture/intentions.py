"""Intentions as they are said: marked turn by turn, and closed by what is reported done."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial

from ..conflict.clauses import content, overlap
from ..forgetting.tmd import TmdParameters
from ..model.conversation import Role, Scope, ScopeKind, Turn
from ..model.intentions import PENDING
from ..model.memory import Extractor, Kind, Memory
from ..model.times import local_date
from ..ports import (
    AuditEntry,
    Filter,
    Journal,
    MemoryStore,
)
from ..records.duplicates import created, find_duplicate
from ..records.evidence import evidence_id, worth_keeping
from ..records.intention_reports import PutOff, Report, fits, reports_in
from ..records.intention_transitions import closed
from ..records.learnt import marked_id, memories_of
from ..records.rescheduling import may_be_put_off, rescheduled
from . import rule_extraction as rules
from .clauses import sentences
from .dating import dated
from .events import Events

LIKE = 50
"""Intentions that are compared with a report, by their words; and the newest besides."""

NEWEST = 200

ALIKE = 0.3
ALIKE_OTHERWISE = 0.6
"""Least overlap of content for what learning proposes to be the intention marked in its turn, and
for what it takes for another kind."""

PUT_OFF = "put_off"
REPORT = "report"
"""Who closes an intention in the audit log, where somebody reported it done."""


@dataclass(frozen=True, slots=True)
class Intentions:
    """Every step may be repeated and then changes nothing."""

    store: MemoryStore
    journal: Journal
    parameters: TmdParameters

    async def hear(self, turn: Turn, where: tzinfo | None) -> None:
        """Close what the turn reports, then keep what it intends."""
        await self._close_reported(turn, where)
        await self.mark([turn], where)

    async def mark(self, turns: Sequence[Turn], where: tzinfo | None = None) -> list[Memory]:
        """Keep the intentions that people state in these turns of an episode, and return them."""
        said = [turn for turn in turns if turn.role is not Role.ASSISTANT and worth_keeping(turn)]
        episode = await self.journal.episode(said[0].episode) if said else None
        if episode is None:
            return []
        stated: list[Memory] = []
        for turn in said:
            lesson = dated(rules.extract([turn]), [turn], where)
            intended = [each for each in lesson.candidates if each.kind is Kind.PROSPECTIVE]
            memories = memories_of(
                intended,
                episode,
                [turn],
                {},
                journal=self.journal.id,
                extractor=Extractor.RULES,
                parameters=self.parameters,
            )
            stated += [
                replace(memory, id=marked_id(self.journal.id, turn.seq, ordinal))
                for ordinal, memory in enumerate(memories)
            ]
        return await self._kept(stated)

    async def put_off_in(self, turns: Sequence[Turn]) -> list[Memory]:
        """The intentions of before that these turns have put off."""
        said = frozenset(turn.seq for turn in turns)
        scopes = frozenset(turn.place.scope for turn in turns)
        learnt = await self.store.distilled(sorted(said), scopes)
        ids = list(dict.fromkeys(id for told in learnt.values() for id in told))
        return [
            memory
            for memory in await self.store.find(ids)
            if memory.kind is Kind.PROSPECTIVE and not said.issuperset(memory.origin.turns)
        ]

    async def close(
        self, ids: Sequence[str], *, at: float, key: str, by: str, raw: str = "", given_up: bool
    ) -> None:
        """Close these intentions and note it, once by each `key`."""
        await self.store.amend(ids, partial(closed, at=at, by=raw, given_up=given_up))
        # Not from what changed: a repetition after a crash finds it closed, not noted.
        over = [m for m in await self.store.find(ids) if m.intended and not m.intended.pending]
        action = "given_up" if given_up else "closed"
        await self.journal.audit(
            [AuditEntry(f"{key}:{m.id}", m.id, m.scope, action, by, at) for m in over]
        )

    async def _kept(self, stated: Sequence[Memory]) -> list[Memory]:
        fresh = [m for m in stated if (await find_duplicate(self.store, m)).id == m.id]
        events = Events(self.store, self.journal.id)
        await self.store.put([await events.told(memory) for memory in fresh])
        await self.journal.audit([created(m, by=m.extractor.value) for m in fresh])
        return await self.store.find([memory.id for memory in stated])

    async def _close_reported(self, turn: Turn, where: tzinfo | None) -> None:
        for clauses in sentences(turn.text):
            for report in reports_in(clauses):
                if report.put_off is None:
                    await self._close_the_one(report, turn)
                else:
                    await self._put_off_the_one(report, report.put_off, turn, where)

    async def _put_off_the_one(
        self, report: Report, put_off: PutOff, turn: Turn, where: tzinfo | None
    ) -> None:
        """Nothing is put off if several fit."""
        meant = [m for m in await self._before(report, turn) if fits(report, m)]
        match [m for m in meant if may_be_put_off(m, turn.at)]:
            case [one]:
                change = partial(
                    rescheduled, put_off=put_off, turn=turn.seq, at=turn.at, where=where
                )
                if change(one) == one:
                    return
                await self.store.amend([one.id], change)
                noted = AuditEntry(
                    f"put_off:{turn.seq}:{one.id}", one.id, one.scope, PUT_OFF, REPORT, turn.at
                )
                await self.journal.audit([noted])
            case several:
                await self.journal.audit([_unclear(each, several, turn) for each in several])

    async def _close_the_one(self, report: Report, turn: Turn) -> None:
        """Nothing is closed if several fit: they are noted as that."""
        raw = evidence_id(self.journal.id, turn.seq)
        meant = [m for m in await self._before(report, turn) if fits(report, m)]
        pending = [m for m in meant if m.intended and m.intended.pending]
        if any(m.intended and m.intended.closed_by == raw for m in meant):
            pending = []
        match pending:
            case []:
                return
            case [one]:
                await self.close(
                    [one.id],
                    at=turn.at,
                    key=f"closed:{turn.seq}",
                    by=REPORT,
                    raw=raw,
                    given_up=report.given_up,
                )
            case several:
                await self.journal.audit([_unclear(each, several, turn) for each in several])

    async def _before(self, report: Report, turn: Turn) -> list[Memory]:
        """Intentions of whoever reports that were said before."""
        scope = frozenset({turn.place.scope})
        kinds = frozenset({Kind.PROSPECTIVE})
        hits = await self.store.search_text(report.clause, scope, limit=LIKE, kinds=kinds)
        alike = await self.store.find([hit.id for hit in hits], scope)
        where = Filter(scopes=scope, recallable=True, intentions=PENDING)
        newest = await self.store.page(where, limit=NEWEST)
        found = {memory.id: memory for memory in [*alike, *newest]}
        return [memory for memory in found.values() if _is_of(memory, turn)]


def same_as_marked(proposed: Sequence[Memory], marked: Sequence[Memory]) -> dict[str, Memory]:
    """By the ids of what learning proposes the intention that was marked when it was said.

    What claims something is no intention: it holds when that is over.
    """
    left, found = list(marked), dict[str, Memory]()
    for memory in proposed:
        if memory.claim is not None and memory.kind is not Kind.PROSPECTIVE:
            continue
        least = ALIKE if memory.kind is Kind.PROSPECTIVE else ALIKE_OTHERWISE
        own = [each for each in left if {*each.origin.turns} & {*memory.origin.turns}]
        best = max(own, key=lambda each: _alike(each, memory), default=None)
        if best is not None and _alike(best, memory) >= least:
            left.remove(best)
            found[memory.id] = best
    return found


def same_as_put_off(
    proposed: Sequence[Memory],
    put_off: Sequence[Memory],
    turns: Sequence[Turn],
    where: tzinfo | None,
) -> dict[str, Memory]:
    """By the ids of what learning proposes the intention that its turn has put off to that day."""
    found = dict[str, Memory]()
    for turn in turns:
        told = [each for each in proposed if turn.seq in each.origin.turns]
        moved = [each for each in put_off if turn.seq in each.origin.turns]
        if not told or not moved:
            continue
        reports = [one for clauses in sentences(turn.text) for one in reports_in(clauses)]
        found |= {
            memory.id: plan
            for report in reports
            if report.put_off is not None
            for plan in moved
            for memory in told
            if memory.kind is Kind.PROSPECTIVE
            and _day(memory, where) == _day(plan, where)
            and fits(report, plan)
            and fits(report, memory)
        }
    return found


def _day(memory: Memory, where: tzinfo | None) -> str:
    return "" if memory.due_at is None else local_date(memory.due_at, where)


def retold(marked: Memory, memory: Memory) -> Memory:
    """A marked intention in the words of whoever has read the whole episode."""
    intended = marked.intended
    if marked.extractor is not Extractor.RULES or memory.kind is not Kind.PROSPECTIVE:
        return marked
    if memory.extractor is Extractor.RULES or intended is None or memory.intention is None:
        return marked
    # What another turn has put off is not told as it was before, nor by that turn alone.
    if not {*marked.origin.turns} <= {*memory.origin.turns}:
        return marked
    due_at = memory.intention.due_at or intended.due_at
    links = [
        replace(each, subject=marked.id) if each.subject == memory.id else each
        for each in memory.relations
    ]
    return replace(
        marked,
        text=memory.text,
        summary=memory.summary,
        cues=memory.cues,
        importance=memory.importance,
        confidence=memory.confidence,
        about=memory.about,
        entities=memory.entities,
        relations=tuple(dict.fromkeys((*marked.relations, *links))),
        sentiment=memory.sentiment,
        happened_at=memory.happened_at,
        extractor=memory.extractor,
        intention=replace(intended, type=memory.intention.type, due_at=due_at),
        origin=replace(
            marked.origin, turns=tuple(sorted({*marked.origin.turns, *memory.origin.turns}))
        ),
    )


def _alike(one: Memory, other: Memory) -> float:
    return overlap(content(one.text), content(other.text))


def _is_of(memory: Memory, turn: Turn) -> bool:
    """Whether the speaker of the turn intended it before."""
    group = Scope.kind_of(memory.scope) is ScopeKind.GROUP
    own = not group or (memory.speaker is not None and memory.speaker.id == turn.speaker.id)
    earlier = max(memory.origin.turns, default=-1) < turn.seq and memory.created_at <= turn.at
    return own and earlier and memory.recallable


def _unclear(memory: Memory, among: Sequence[Memory], turn: Turn) -> AuditEntry:
    others = [each.id for each in among if each.id != memory.id]
    return AuditEntry(
        key=f"unclear:{turn.seq}:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action="unclear",
        by=REPORT,
        at=turn.at,
        detail=json.dumps({"turn": turn.seq, "others": others}),
    )
