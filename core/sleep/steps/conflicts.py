"""Contradictions: settled by code, else by a judge, else left to people."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial
from itertools import batched, permutations
from typing import Any, ClassVar, Self

import numpy as np

from ...conflict.trust import CONTRADICTS, SUPPORTS, corroborations, linked
from ...forgetting.lifecycle import DAY
from ...model.memory import Memory, Succession, Successor
from ...model.sleeping import BY_SLEEP, Decided, Decision, Deed, Left, SleepCause, Undone
from ...model.times import local_date
from ...ports import Filter, Journal, MemoryStore
from ...prompts import judge
from ...prompts.judge import PairAnswer, Side
from ...records import opposition
from ...records.merging import replaced
from ...records.opposition import NEAR, Opposed, opposed, ordered, suspicion, told_later
from ...records.sameness import MERGED, denies_value, eligible, matter, same_claim, turned
from ...similarity.measure import Matrix, nearest
from ..memory_similarity import MemorySimilarity
from ..pipeline import FULL, Pipeline, StepRun

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

MOST = 3_000
"""Pairs that are kept from one sleep to the next, the newest."""

DONE, LEFT = -1, -2
"""Of a pair: it is no conflict, or is to be asked about as soon as a model can be asked."""

type Pair = tuple[str, str]
"""Two ids, in order."""


def pair_of(one: str, other: str) -> Pair:
    """The same, whichever comes first."""
    return (one, other) if one < other else (other, one)


@dataclass(slots=True)
class Examined:
    """The pairs that were looked at, kept from one sleep to the next.

    Each is `DONE` or `LEFT`; or, of an open conflict, the last turn in which both sides had been
    shown. `since` is when it was last looked for new ones.
    """

    since: float = 0.0
    pairs: dict[Pair, int] = field(default_factory=dict[Pair, int])

    def note(self, pair: Pair, state: int) -> None:
        """It was looked at last."""
        self.pairs.pop(pair, None)
        self.pairs[pair] = state

    def written(self) -> str:
        """As text; `read` is the inverse."""
        newest = list(self.pairs.items())[-MOST:]
        return json.dumps([self.since, [[*pair, state] for pair, state in newest]])

    @classmethod
    def read(cls, mark: str) -> Self:
        """What a step has kept; nothing at first."""
        since, pairs = json.loads(mark or "[0, []]")
        return cls(since, {(one, other): state for one, other, state in pairs})


SUPERSEDES = Succession.SUPERSEDES.value
DEEDS: Mapping[str, Deed] = {
    SUPERSEDES: Deed.CONFLICT_SETTLED,
    CONTRADICTS: Deed.CONFLICT_FOUND,
    SUPPORTS: Deed.RELATED,
}
"""What one memory may be to another, as the predicate of the edge between them."""


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

    label: str
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
        known = {pair for pair, state in examined.pairs.items() if state != LEFT} | decided
        pairs = await self._fresh(run.scope, min(examined.since, run.at) - WINDOW, known)
        for pair, state in examined.pairs.items():
            again = state == LEFT or (state >= 0 and await self._shown(pair) > state)
            if again and pair not in decided:
                pairs.setdefault(pair, 1.0)
        await self._look_at(run, examined, await self._cases(pairs), MOST_ALIKE)
        if any(state >= 0 for state in examined.pairs.values()):
            # Recall may come upon it at any time.
            run.wait_for(run.at)
        examined.since = run.at
        await run.set_mark(examined.written())

    async def at_write(self, pipeline: Pipeline, fresh: Sequence[Memory]) -> None:
        """Look at what an episode has just taught, beside the nearest of the same person.

        A model is asked once at most; what is left is the night's. Without vectors all of it is.
        """
        if not (cases := await self._cases(await self._beside(fresh))):
            return
        run = await pipeline.beside_sleep(self.name, cases[0].one.scope)
        examined, decided = await self._before(run)
        known = {*decided, *examined.pairs}
        cases = [case for case in cases if case.pair not in known]
        await self._look_at(run, examined, cases, AT_ONCE)
        await run.set_mark(examined.written())

    async def _before(self, run: StepRun) -> tuple[Examined, set[Pair]]:
        """What was looked at, and what was decided in this sleep before a kill, carried out."""
        examined = Examined.read(await run.mark())
        decided: set[Pair] = set()
        for each in await run.decided():
            await self._carry_out(each.decision, run.at, examined)
            decided.add(pair_of(*each.decision.memories))
        return examined, decided

    async def _look_at(
        self, run: StepRun, examined: Examined, cases: Sequence[Case], most_alike: int
    ) -> None:
        ruled, asked, left = await asyncio.to_thread(_sifted, cases, run.refused, most_alike)
        for ruling in ruled:
            await self._decide(run, examined, ruling, "denied later")
        for pair in left if run.may_ask else ():
            examined.note(pair, LEFT)
        for some in batched(asked, AT_ONCE):
            await self._ask(run, some, examined)
            await run.set_mark(examined.written())

    async def _fresh(self, scope: str, since: float, known: Set[Pair]) -> dict[Pair, float]:
        """Centred cosines of those of which one was made at `since` or later, or that contradict.

        Without vectors only the latter are found.
        """
        holders, fresh = defaultdict[object, list[str]](list), set[str]()
        claims, contradict = set[str](), set[Pair]()
        where = Filter(frozenset({scope}), recallable=True, kinds=MERGED)
        async for page in self.store.pages(where):
            for memory in filter(eligible, page):
                holders[memory.account].append(memory.id)
                fresh |= {memory.id} if memory.created_at >= since else set()
                if memory.claim is not None:
                    claims.add(memory.id)
                    contradict |= {pair_of(memory.id, id) for id in linked(memory, CONTRADICTS)}
        pairs = {pair: 0.0 for pair in contradict - known if claims.issuperset(pair)}
        await self._add_near(scope, holders, fresh, pairs, known)
        return pairs

    async def _beside(self, fresh: Sequence[Memory]) -> dict[Pair, float]:
        """The same of these, which are of one scope and have just been written."""
        scope, vectors = fresh[0].scope, await self.store.vectors([each.id for each in fresh])
        ids, scopes = dict.fromkeys(vectors), frozenset({scope})
        for own in vectors.values():
            hits = await self.store.search_vector(
                own.vector, own.fingerprint, scopes, limit=SEARCHED, kinds=MERGED
            )
            ids |= dict.fromkeys(hit.id for hit in hits)
        holders, pairs = defaultdict[object, list[str]](list), dict[Pair, float]()
        for memory in filter(eligible, await self.store.find([*ids])):
            holders[memory.account].append(memory.id)
        await self._add_near(scope, holders, vectors.keys(), pairs)
        return pairs

    async def _add_near(
        self,
        scope: str,
        holders: Mapping[object, Sequence[str]],
        fresh: Set[str],
        pairs: dict[Pair, float],
        known: Set[Pair] = frozenset(),
    ) -> None:
        """To the pairs those of which one is fresh and the other near to it, of one holder."""
        for own in holders.values():
            places = [place for place, id in enumerate(own) if id in fresh]
            if places and len(own) > 1:
                vectors = await self.similarity.centred(scope, own)
                if vectors is not None:
                    pairs |= await asyncio.to_thread(near_pairs, own, places, vectors, known)

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Without the edge; what was superseded holds again."""
        one, other = decided.decision.memories
        if len(await self.store.find([one, other])) < 2:
            return Undone.GONE
        kept = decided.decision.kept
        label, (had, other_had) = kept["label"], kept["had"]
        unjudged = partial(opposition.unjudged, predicate=label)
        denies = kept.get("denies", False)
        await self.store.amend([one], partial(unjudged, other=other, had=had, denies=denies))
        change = partial(unjudged, other=one, had=other_had)
        if label == SUPERSEDES:
            change = partial(opposition.holds_again, newer=one, kept=kept["before"])
        await self.store.amend([other], change)
        return Undone.DONE

    async def _shown(self, pair: Pair) -> int:
        """The last turn in which both were shown, 0 if never."""
        one, other = [{each.turn for each in await self.journal.showings(id)} for id in pair]
        return max(one & other, default=0)

    async def _cases(self, pairs: dict[Pair, float]) -> list[Case]:
        # In a first night there may be a hundred thousand pairs.
        ids = await asyncio.to_thread(lambda: sorted({id for pair in pairs for id in pair}))
        return await asyncio.to_thread(_cases_among, await self.store.find(ids), pairs)

    async def _ask(self, run: StepRun, cases: Sequence[Case], examined: Examined) -> None:
        pairs = [(case.one, case.other) for case in cases]
        answers = await self._answers(run, pairs)
        if answers is judge.ONE_WORD:
            # It may be true of all, if it is not said of two that have nothing in common.
            answers = await self._answers(run, [*pairs, _strangers(pairs)])
        waits = answers is None and run.may_ask
        for place, case in enumerate(cases):
            answer = None if answers is None else answers.get(place)
            if (ruling := ruled(case, answer)) is not None:
                reason = "not ordered" if answer is None else "judged"
                await self._decide(run, examined, ruling, reason, waits=waits)
            else:
                run.count(Left.DIFFERENT, int(answers is not None))
                examined.note(case.pair, LEFT if waits else DONE)

    async def _answers(
        self, run: StepRun, pairs: Sequence[tuple[Memory, Memory]]
    ) -> Mapping[int, PairAnswer] | None:
        """By their places; None if the model cannot be asked, nothing if no reply can be read."""
        sides = [(Side(a, corroborations(a)), Side(b, corroborations(b))) for a, b in pairs]
        prompt = judge.build(sides, partial(local_date, where=self.where), run.prompts)
        return await run.read(prompt, lambda reply: judge.parse(reply, len(pairs)), {})

    async def _decide(
        self,
        run: StepRun,
        examined: Examined,
        ruling: PairRuling,
        reason: str,
        *,
        waits: bool = False,
    ) -> None:
        one, other, label = ruling.one, ruling.other, ruling.label
        had = [
            other.id in linked(one, label),
            label != SUPERSEDES and one.id in linked(other, label),
        ]
        kept: dict[str, Any] = {"label": label, "had": had, "waits": waits}
        if label == SUPERSEDES:
            kept["before"] = opposition.before(other)
            kept["denies"] = denies_value(one, other)
        key = _key(pair_of(one.id, other.id))
        decision = Decision(key, DEEDS[label], (one.id, other.id), f"{label}: {reason}", kept)
        await run.decide(decision)
        await self._carry_out(decision, run.at, examined)

    async def _carry_out(self, decision: Decision, at: float, examined: Examined) -> None:
        """Write it to both, and note that the pair was looked at; done again nothing changes."""
        label, pair = decision.kept["label"], pair_of(*decision.memories)
        is_open = label == CONTRADICTS
        state = await self._shown(pair) if is_open else DONE
        examined.note(pair, LEFT if decision.kept["waits"] else state)
        found = {memory.id: memory for memory in await self.store.find(decision.memories)}
        if len(found) < 2:
            return
        one, other = decision.memories
        edge = partial(opposition.judged, predicate=label, other=other)
        if label != SUPERSEDES:
            await self.store.amend([one], edge)
            await self.store.amend([other], partial(edge, other=one))
            return
        if not found[one].recallable:
            return
        superseded = partial(opposition.superseded, newer=found[one], at=at)
        await self.store.amend([other], superseded)
        await self.store.amend([one], partial(edge, denies=decision.kept["denies"]))
        link = Successor(one, Succession.UPDATES)
        followed = [each for each in await self.store.find([other]) if each.successor == link]
        await self.journal.audit([replaced(each, link, by=BY_SLEEP, at=at) for each in followed])


def _strangers(pairs: Sequence[tuple[Memory, Memory]]) -> tuple[Memory, Memory]:
    """One of a pair and one of another that share the fewest terms."""
    crossed = [(one, other) for (one, _), (_, other) in permutations(pairs, 2)]
    return min(crossed, key=lambda two: len(matter(two[0]) & matter(two[1])))


def _cases_among(found: Sequence[Memory], pairs: dict[Pair, float]) -> list[Case]:
    """What is opposed of the pairs, which are let go of: so many would hold up the event loop."""
    known = {memory.id: memory for memory in found}
    cases: list[Case] = []
    for (one, other), near in sorted(pairs.items()):
        if one in known and other in known:
            said, heard = known[one], known[other]
            why = opposed(said, heard, near)
            if why is not None:
                score = suspicion(said, heard, near) if why is Opposed.NEAR else 0.0
                cases.append(Case(said, heard, why, score))
    pairs.clear()
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
    return PairRuling(SUPERSEDES, *order)


def ruled(case: Case, answer: PairAnswer | None) -> PairRuling | None:
    """What comes of a case that was asked about; `answer` is None without one both ways round.

    What was said earlier supersedes nothing. What code takes for a contradiction is one, unless the
    answer orders the two. Of two opposed ones of which one denies the later told supersedes.
    """
    one, other = case.one, case.other
    if answer in (PairAnswer.FIRST, PairAnswer.SECOND):
        newer, older = (one, other) if answer is PairAnswer.FIRST else (other, one)
        if ordered(one, other) in (None, (newer, older)):
            return PairRuling(SUPERSEDES, newer, older)
        answer = PairAnswer.OPPOSED
    denial = same_claim(one, other) or turned(one, other)
    if answer is PairAnswer.OPPOSED and denial and (order := told_later(one, other)):
        return PairRuling(SUPERSEDES, *order)
    if case.why is not Opposed.NEAR or answer is PairAnswer.OPPOSED:
        return PairRuling(CONTRADICTS, one, other)
    return PairRuling(SUPPORTS, one, other) if answer is PairAnswer.SAME else None


def _key(pair: Pair) -> str:
    return f"pair:{' '.join(pair)}"


def near_pairs(
    ids: Sequence[str], fresh: Sequence[int], vectors: Matrix, known: Set[Pair] = frozenset()
) -> dict[Pair, float]:
    """Each at the places `fresh` with those nearest to it, and their cosine, but for the known."""
    found = nearest(vectors, fresh, NEAREST, _least)
    near = {pair_of(ids[one], ids[other]): alike for alike, one, other in found}
    return {pair: alike for pair, alike in near.items() if pair not in known}


def _least(alike: Matrix) -> Matrix:
    """What is near to each row: `NEAR`, and among many what stands out."""
    others = alike.shape[1] - 1
    if others < FEW:
        return np.full((len(alike), 1), NEAR, np.float32)
    # Of each with itself -1 stands there.
    mean = (alike.sum(axis=1) + 1.0) / others
    square = (np.einsum("ij,ij->i", alike, alike) - 1.0) / others
    usual = mean + STANDS_OUT * np.sqrt(np.maximum(square - mean**2, 0.0))
    return np.maximum(NEAR, usual)[:, None]
