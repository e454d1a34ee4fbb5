"""Contradictions: settled by code, else by a judge, else left to people."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import tzinfo
from enum import StrEnum
from functools import partial
from itertools import permutations
from typing import Any, ClassVar

import numpy as np

from ...conflict.examined import MOST, Examined, Pair, pair_of
from ...conflict.trust import CONTRADICTS, SUPPORTS, corroborations, linked
from ...forgetting.lifecycle import DAY
from ...model.memory import Memory, Succession, Successor
from ...model.sleeping import BY_SLEEP, Decided, Decision, Deed, Left, SleepCause, Undone
from ...model.times import local_date
from ...ports import Filter, Journal, MemoryStore, Order
from ...prompts import judge
from ...prompts.judge import PairAnswer, Side
from ...records import opposition
from ...records.merging import replaced
from ...records.opposition import NEAR, Opposed, Statement, opposed, ordered, suspicion, told_later
from ...records.sameness import MERGED, denies_value, eligible, matter, same_claim, turned
from ...similarity.measure import Matrix, product
from ..memory_similarity import MemorySimilarity
from ..pipeline import FULL, Pipeline, StepRun
from ..sweep import paged

AT_ONCE = 5
"""Pairs in one call."""

MOST_ALIKE = 10
"""Pairs that are only alike, asked about in one sleep, the most suspicious ones; the rest wait."""


NEAREST, SEARCHED = 10, 30
STANDS_OUT = 1.0
"""Deviations above the person's other memories: all that begins with one name is alike. Of CDConv's
pairs that conflict .73 stand out so far and of others .18; .81 and .24 are near enough, behind a
name .97 and .79."""

FEW = 6
"""Memories of a person among which nothing stands out."""

WINDOW = 7 * DAY
"""What is new stays so for long enough to be learnt and to get its vector."""

FREED = 2_000
"""Memories let go of at a time."""


class PairLabel(StrEnum):
    """What one memory is to another: the predicate of the edge between them."""

    SUPERSEDES = "supersedes"
    CONTRADICTS = CONTRADICTS
    SUPPORTS = SUPPORTS


_DEEDS = {
    PairLabel.SUPERSEDES: Deed.CONFLICT_SETTLED,
    PairLabel.CONTRADICTS: Deed.CONFLICT_FOUND,
    PairLabel.SUPPORTS: Deed.RELATED,
}


@dataclass(frozen=True, slots=True)
class Case:
    """Two memories, and why they are looked at."""

    one: Memory
    other: Memory
    why: Opposed
    suspicion: float = 0.0

    @property
    def pair(self) -> Pair:
        """Their ids."""
        return pair_of(self.one.id, self.other.id)


@dataclass(frozen=True, slots=True)
class PairRuling:
    """`one` is `label` to `other`; of two that contradict or support each other, either is."""

    label: PairLabel
    one: Memory
    other: Memory


@dataclass(frozen=True, slots=True)
class ConflictStep:
    """A decision names the one that holds first, if it takes the place of the other."""

    name: ClassVar[str] = "conflicts"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryStore
    journal: Journal
    similarity: MemorySimilarity
    where: tzinfo | None

    async def run(self, run: StepRun) -> None:
        """Look at what is new, what was left, and conflicts that recall has come upon since."""
        examined, decided = await self._before(run)
        fresh = await self._fresh(run.scope, min(examined.since, run.at))
        # Conflicts that are open, if recall has shown both sides together since.
        met = [pair for pair, turn in examined.open.items() if await self._shown(pair) > turn]
        again = {*examined.left, *met} - decided
        cases = await self._cases(fresh, again, {*examined.done, *decided})
        examined = await self._look_at(run, examined, cases, MOST_ALIKE)
        await run.set_mark(replace(examined, since=run.at).written())

    async def at_write(self, pipeline: Pipeline, fresh: Sequence[Memory]) -> None:
        """Look at what an episode has just taught, beside the nearest of the same person.

        A model is asked once at most; what is left is the night's. Without vectors all of it is.
        """
        near = await self._beside(fresh)
        if not (cases := await self._cases(near)):
            return
        run = await pipeline.beside_sleep(self.name, cases[0].one.scope)
        examined, decided = await self._before(run)
        known = {*decided, *examined.done}
        cases = [case for case in cases if case.pair not in known]
        examined = await self._look_at(run, examined, cases, AT_ONCE)
        await run.set_mark(examined.written())

    async def _before(self, run: StepRun) -> tuple[Examined, set[Pair]]:
        """What was looked at, and what was decided in this sleep before a kill, carried out."""
        examined = Examined.read(await run.mark())
        decided: set[Pair] = set()
        for each in await run.decided():
            await self._carry_out(each.decision, run.at)
            examined = await self._noted(examined, each.decision)
            decided.add(pair_of(*each.decision.memories))
        return examined, decided

    async def _look_at(
        self, run: StepRun, examined: Examined, cases: Sequence[Case], most_alike: int
    ) -> Examined:
        ruled, asked, left = await asyncio.to_thread(_sifted, cases, run.refused, most_alike)
        for ruling in ruled:
            decision = await self._decide(run, ruling, "denied later")
            examined = await self._noted(examined, decision)
        if run.may_ask:
            examined = examined.with_left(*left)
        for start in range(0, len(asked), AT_ONCE):
            examined = await self._ask(run, asked[start : start + AT_ONCE], examined)
            await run.set_mark(examined.written())
            await run.advance("")
        return examined

    async def _fresh(self, scope: str, since: float) -> dict[Pair, float]:
        """Centred cosines of those of which one was made at `since` or later, or that contradict.

        Without vectors only the latter are found. Nothing new costs one look.
        """
        where = Filter(frozenset({scope}), recallable=True, kinds=MERGED)
        newest = await self.store.page(where, order=Order.NEWEST, limit=1)
        if not newest or newest[0].created_at < since - WINDOW:
            return {}
        every: list[Memory] = []
        async for page in paged(self.store, where):
            every += filter(eligible, page)
        fresh = {each.id for each in every if each.created_at >= since - WINDOW}
        known = {each.id for each in every}
        claims = [each for each in every if each.claim is not None]
        contradict = [pair_of(m.id, id) for m in claims for id in linked(m, CONTRADICTS) & known]
        return await self._alike(every, fresh, dict.fromkeys(contradict, 0.0))

    async def _beside(self, fresh: Sequence[Memory]) -> dict[Pair, float]:
        """The same of these, which are of one scope and have just been written."""
        vectors = await self.store.vectors([memory.id for memory in fresh])
        ids = dict.fromkeys(vectors)
        for own in vectors.values():
            hits = await self.store.search_vector(
                own.vector,
                own.fingerprint,
                frozenset({fresh[0].scope}),
                limit=SEARCHED,
                kinds=MERGED,
            )
            ids |= dict.fromkeys(hit.id for hit in hits)
        every = [*filter(eligible, await self.store.find([*ids]))]
        return await self._alike(every, vectors.keys(), {})

    async def _alike(
        self, every: list[Memory], fresh: Collection[str], pairs: dict[Pair, float]
    ) -> dict[Pair, float]:
        """With those of all, which are let go of, near to a fresh one of the same person."""
        groups: defaultdict[object, list[Memory]] = defaultdict(list)
        for memory in every:
            groups[memory.account].append(memory)
        for group in groups.values():
            places = [n for n, each in enumerate(group) if each.id in fresh]
            if places and len(group) > 1:
                vectors = await self.similarity.centred(group[0].scope, group)
                if vectors is not None:
                    await asyncio.to_thread(add_near, pairs, group, places, vectors)
            await let_go(group)
        await let_go(every)
        return pairs

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Without the edge; what was superseded holds again."""
        one, other = decided.decision.memories
        if len(await self.store.find([one, other])) < 2:
            return Undone.GONE
        kept = decided.decision.kept
        label, (had, other_had) = PairLabel(kept["label"]), kept["had"]
        unjudged = partial(opposition.unjudged, predicate=label.value)
        denies = kept.get("denies", False)
        await self.store.amend([one], partial(unjudged, other=other, had=had, denies=denies))
        change = partial(unjudged, other=one, had=other_had)
        if label is PairLabel.SUPERSEDES:
            change = partial(opposition.holds_again, newer=one, kept=kept["before"])
        await self.store.amend([other], change)
        return Undone.DONE

    async def _noted(self, examined: Examined, decision: Decision) -> Examined:
        """With the pair looked at; a conflict is open, and may wait for a model."""
        pair = pair_of(*decision.memories)
        is_open = decision.kept["label"] == PairLabel.CONTRADICTS
        examined = examined.with_done(pair, await self._shown(pair) if is_open else None)
        return examined.with_left(pair) if decision.kept["waits"] else examined

    async def _shown(self, pair: Pair) -> int:
        """The last turn in which both were shown, 0 if never."""
        one, other = [{each.turn for each in await self.journal.showings(id)} for id in pair]
        return max(one & other, default=0)

    async def _cases(
        self,
        fresh: dict[Pair, float],
        again: Set[Pair] = frozenset(),
        known: Set[Pair] = frozenset(),
    ) -> list[Case]:
        # In a first night there may be a hundred thousand pairs, too many to be let go of here.
        offered, ids = await asyncio.to_thread(_offered, fresh, again, known)
        return await asyncio.to_thread(_cases_among, await self.store.find(ids), offered)

    async def _ask(self, run: StepRun, cases: Sequence[Case], examined: Examined) -> Examined:
        pairs = [(case.one, case.other) for case in cases]
        answers = await self._answers(run, pairs)
        if answers is judge.ONE_WORD:
            # It may be true of all, if it is not said of two that have nothing in common.
            answers = await self._answers(run, [*pairs, _strangers(pairs)])
        waits = answers is None and run.may_ask
        for place, case in enumerate(cases):
            answer = None if answers is None else answers.get(place)
            ruling = ruled(case, answer)
            if ruling is not None:
                reason = "not ordered" if answer is None else "judged"
                decision = await self._decide(run, ruling, reason, waits=waits)
                examined = await self._noted(examined, decision)
                continue
            run.count(Left.DIFFERENT, int(answers is not None))
            examined = examined.with_done(case.pair)
            examined = examined.with_left(case.pair) if waits else examined
        return examined

    async def _answers(
        self, run: StepRun, pairs: Sequence[tuple[Memory, Memory]]
    ) -> Mapping[int, PairAnswer] | None:
        """By their places; None if the model cannot be asked, nothing if no reply can be read."""
        sides = [(Side(a, corroborations(a)), Side(b, corroborations(b))) for a, b in pairs]
        prompt = judge.build(sides, partial(local_date, where=self.where), run.prompts)
        return await run.read(prompt, lambda reply: judge.parse(reply, len(pairs)), {})

    async def _decide(
        self, run: StepRun, ruling: PairRuling, reason: str, *, waits: bool = False
    ) -> Decision:
        one, other, label = ruling.one, ruling.other, ruling.label
        had = [
            other.id in linked(one, label),
            label is not PairLabel.SUPERSEDES and one.id in linked(other, label),
        ]
        kept: dict[str, Any] = {"label": label.value, "had": had, "waits": waits}
        if label is PairLabel.SUPERSEDES:
            kept["before"] = opposition.before(other)
            kept["denies"] = denies_value(one, other)
        key = _key(pair_of(one.id, other.id))
        decision = Decision(key, _DEEDS[label], (one.id, other.id), f"{label}: {reason}", kept)
        await run.decide(decision)
        await self._carry_out(decision, run.at)
        return decision

    async def _carry_out(self, decision: Decision, at: float) -> None:
        one, other = decision.memories
        label = PairLabel(decision.kept["label"])
        found = {memory.id: memory for memory in await self.store.find([one, other])}
        if len(found) < 2:
            return
        if label is not PairLabel.SUPERSEDES:
            for id, its in ((other, one), (one, other)):
                edge = partial(opposition.judged, predicate=label.value, other=its)
                await self.store.amend([id], edge)
            return
        newer = found[one]
        if not newer.recallable:
            return
        await self.store.amend([other], partial(opposition.superseded, newer=newer, at=at))
        edge = partial(opposition.judged, predicate=label.value, other=other)
        denies = decision.kept.get("denies", False)
        await self.store.amend([one], partial(edge, denies=denies))
        link = Successor(one, Succession.UPDATES)
        await self.journal.audit(
            [
                replaced(memory, link, by=BY_SLEEP, at=at)
                for memory in await self.store.find([other])
                if memory.successor == link
            ]
        )


def _strangers(pairs: Sequence[tuple[Memory, Memory]]) -> tuple[Memory, Memory]:
    """One of a pair and one of another that share the fewest terms."""
    crossed = [(one, other) for (one, _), (_, other) in permutations(pairs, 2)]
    return min(crossed, key=lambda two: len(matter(two[0]) & matter(two[1])))


def _offered(
    fresh: dict[Pair, float], again: Set[Pair], known: Set[Pair]
) -> tuple[dict[Pair, float], list[str]]:
    """What of the fresh is not known yet, and what is looked at again; and all their ids."""
    new = {pair: near for pair, near in fresh.items() if pair not in known}
    fresh.clear()
    offered = dict(sorted((dict.fromkeys(again, 1.0) | new).items()))
    return offered, sorted({id for pair in offered for id in pair})


def _cases_among(found: Sequence[Memory], offered: dict[Pair, float]) -> list[Case]:
    known = {memory.id: Statement(memory) for memory in found}
    cases: list[Case] = []
    for (one, other), near in offered.items():
        if one in known and other in known:
            said, heard = known[one], known[other]
            why = opposed(said, heard, near)
            if why is not None:
                score = suspicion(said, heard, near) if why is Opposed.NEAR else 0.0
                cases.append(Case(said.memory, heard.memory, why, score))
    offered.clear()
    return cases


def _sifted(
    cases: Sequence[Case], refused: Collection[str], most_alike: int
) -> tuple[list[PairRuling], list[Case], list[Pair]]:
    """What code rules, what is asked about, and what is only alike and waits for another night."""
    cases = [case for case in cases if _key(case.pair) not in refused]
    rulings = [ruled_by_code(case) for case in cases]
    open_cases = [case for case, ruling in zip(cases, rulings, strict=True) if ruling is None]
    alike = sorted((c for c in open_cases if c.why is Opposed.NEAR), key=lambda c: -c.suspicion)
    asked = [*(c for c in open_cases if c.why is not Opposed.NEAR), *alike[:most_alike]]
    # Of too many the first are dropped.
    left = [case.pair for case in reversed(alike[most_alike : most_alike + MOST])]
    return [ruling for ruling in rulings if ruling], asked, left


def ruled_by_code(case: Case) -> PairRuling | None:
    """A statement that was denied later holds no more; None where code cannot order the two."""
    order = ordered(case.one, case.other)
    if case.why is not Opposed.DENIAL or order is None:
        return None
    return PairRuling(PairLabel.SUPERSEDES, *order)


def ruled(case: Case, answer: PairAnswer | None) -> PairRuling | None:
    """What comes of a case that was asked about; `answer` is None without one both ways round.

    What was said earlier supersedes nothing. What code takes for a contradiction is one, unless the
    answer orders the two. Of two opposed ones of which one denies the later told supersedes.
    """
    one, other = case.one, case.other
    if answer in (PairAnswer.FIRST, PairAnswer.SECOND):
        newer, older = (one, other) if answer is PairAnswer.FIRST else (other, one)
        if ordered(one, other) in (None, (newer, older)):
            return PairRuling(PairLabel.SUPERSEDES, newer, older)
        answer = PairAnswer.OPPOSED
    denial = same_claim(one, other) or turned(one, other)
    if answer is PairAnswer.OPPOSED and denial and (order := told_later(one, other)):
        return PairRuling(PairLabel.SUPERSEDES, *order)
    if case.why is not Opposed.NEAR or answer is PairAnswer.OPPOSED:
        return PairRuling(PairLabel.CONTRADICTS, one, other)
    return PairRuling(PairLabel.SUPPORTS, one, other) if answer is PairAnswer.SAME else None


def _key(pair: Iterable[str]) -> str:
    return f"pair:{' '.join(pair)}"


async def let_go(memories: list[Memory]) -> None:
    """To free fifty thousand of them at once would hold up the event loop for 40 ms."""
    while memories:
        del memories[-FREED:]
        await asyncio.sleep(0)


def add_near(
    pairs: dict[Pair, float], group: Sequence[Memory], fresh: Sequence[int], vectors: Matrix
) -> None:
    """Each of the group at the places `fresh` with those nearest to it, and their cosine."""
    for start in range(0, len(fresh), 256):
        some = fresh[start : start + 256]
        alike = product(vectors[some], vectors.T)
        own, others = (np.arange(len(some)), some), len(group) - 1
        least = np.full(len(some), NEAR, np.float32)
        if len(group) > FEW:
            alike[own] = 0.0
            mean = alike.sum(axis=1) / others
            square = np.einsum("ij,ij->i", alike, alike) / others
            usual = mean + STANDS_OUT * np.sqrt(np.maximum(square - mean**2, 0.0))
            least = np.maximum(least, usual)
        alike[own] = -1.0
        for row, place in enumerate(some):
            near = np.flatnonzero(alike[row] >= least[row])
            for column in near[np.argsort(-alike[row, near], kind="stable")[:NEAREST]].tolist():
                pairs[pair_of(group[place].id, group[column].id)] = float(alike[row, column])
