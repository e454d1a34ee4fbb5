"""Finds episodes of which learning overlooked much, and has them read once more."""

import asyncio
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from typing import ClassVar

from ...capture.citing import cited
from ...capture.dating import dated
from ...capture.known import rarity_in
from ...capture.learning import read
from ...capture.pipeline import Capture
from ...capture.reading import LEFT_OUT
from ...capture.settling import Settling
from ...forgetting.lifecycle import UNDONE, BinPolicy, to_bin
from ...model.conversation import Episode, Role, Turn
from ...model.errors import ReplyMalformed
from ...model.lesson import Lesson
from ...model.memory import LEARNT, Extractor, Memory, Status
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...model.times import local_date
from ...ports import Extraction, Journal, MemoryStore
from ...prompts import learn
from ...prompts.reply import lesson_to_json
from ...records.evidence import (
    LONGEST_TURN,
    Compared,
    Rarity,
    compared,
    evidence_id,
    needs_rereading,
    overlooked,
    to_read_again,
)
from ..memory_similarity import MemorySimilarity
from ..pipeline import FULL, StepRun

PAGE = 20
"""Episodes at a time."""

NEWEST = 1_000
"""Raw turns of a scope by which it is told how rare a term is."""

LIKE = 5
"""Memories like a turn among which those are looked for that rest on it too."""

MOST_TOLD = 40
"""Raw turns that a report names of an episode."""

OVERLOOKED = "overlooked"


@dataclass(frozen=True, slots=True)
class CoverageStep:
    """Each episode is looked at once; at most one call is made for it."""

    name: ClassVar[str] = "coverage"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryStore
    journal: Journal
    capture: Capture
    similarity: MemorySimilarity
    where: tzinfo | None
    bin_policy: BinPolicy

    async def run(self, run: StepRun) -> None:
        """Look at what was learnt since, until the model can be asked no more tonight."""
        rarity: Rarity | None = None
        while episodes := await self.journal.uncompared(run.scope, limit=PAGE):
            rarity = rarity or await rarity_in(self.store, run.scope, newest=NEWEST)
            for episode in episodes:
                if not await self._compare(run, episode, rarity):
                    return

    async def undo(self, decided: Decided, now: float) -> Undone:
        """What was read goes to the bin, what it had ended holds again."""
        if decided.decision.deed is Deed.OVERLOOKED:
            return Undone.DONE
        found = await self.store.find(decided.decision.memories)
        live = [memory for memory in found if memory.standing.status is Status.LIVE]
        if not live and not any(memory.standing.reason == UNDONE for memory in found):
            return Undone.GONE
        gone = [memory.id for memory in live]
        change = partial(to_bin, now=now, reason=UNDONE, policy=self.bin_policy)
        await self.store.amend(gone, change)
        await Settling(self.store, self.journal).settle(live, gone)
        return Undone.DONE

    async def _compare(self, run: StepRun, episode: Episode, rarity: Rarity) -> bool:
        """Look at one episode; False if it is to be read again and that cannot be done tonight."""
        kept = await self.journal.extraction(episode.id, again=True)
        if kept is None:
            turns = await self.journal.turns_of(episode.id)
            said = await self._said(episode, turns, rarity)
            if needs_rereading(said) and not run.may_ask:
                await run.decide(self._found(said, episode))
            elif needs_rereading(said):
                kept = await self._read_again(run, episode, turns, to_read_again(said))
                if kept is None:
                    return False
        if kept is not None:
            applied = await self.capture.apply(kept, episode, self.where)
            if ids := tuple(memory.id for memory in applied.fresh):
                await run.decide(Decision(f"again:{episode.id}", Deed.REREAD, ids, OVERLOOKED))
            else:
                run.count(Deed.REREAD)
        await self.journal.finish_rereading(episode.id)
        return True

    async def _said(
        self, episode: Episode, turns: Sequence[Turn], rarity: Rarity
    ) -> Sequence[Compared]:
        """What people said, held against what was learnt of it and what it was shown.

        By what was learnt then, whatever became of it: the forgotten is not learnt once more.
        Nothing where nobody knows any more what that was.
        """
        extraction = await self.journal.extraction(episode.id)
        try:
            lesson = None if extraction is None else read(extraction)
        except ValueError:
            lesson = None
        if extraction is None or lesson is None or not turns:
            return ()
        learnt = self.capture.proposed(extraction, lesson, episode, turns)
        learnt += await self._elsewhere(turns, learnt, {*extraction.known.values()})
        raw = await self.store.find([evidence_id(self.journal.id, turn.seq) for turn in turns])
        vectors = await self.similarity.by_kind(episode.place.scope, [*raw, *learnt])
        return await asyncio.to_thread(compared, turns, learnt, rarity, vectors, self.journal.id)

    async def _elsewhere(
        self, turns: Sequence[Turn], learnt: Sequence[Memory], shown: Set[str]
    ) -> list[Memory]:
        """What the episode was shown, and what rests on its turns too: it was said again there."""
        scope, seqs = frozenset({turns[0].place.scope}), {turn.seq for turn in turns}
        hits = dict.fromkeys(shown)
        for turn in turns:
            if turn.role is not Role.ASSISTANT:
                text = turn.text[:LONGEST_TURN]
                found = await self.store.search_text(text, scope, limit=LIKE, kinds=LEARNT)
                hits |= dict.fromkeys(hit.id for hit in found)
        own = {memory.id for memory in learnt}
        found = await self.store.find([id for id in hits if id not in own], scope)
        return [m for m in found if m.id in shown or not seqs.isdisjoint(m.origin.turns)]

    async def _read_again(
        self, run: StepRun, episode: Episode, turns: Sequence[Turn], missed: Sequence[Turn]
    ) -> Extraction | None:
        """What a model tells of the missed turns, each shown after the one before it.

        Nothing is corrected or closed by it: what has been said since may be otherwise. A reply
        that does not fit teaches nothing.
        """
        unsaid = {place for place, turn in enumerate(turns, start=1) if turn in missed}
        places = sorted(unsaid | {place - 1 for place in unsaid} - {0})
        plain = [turns[place - 1] for place in places]
        shown = [replace(turn, text=LEFT_OUT) if turn.private_reply else turn for turn in plain]
        settings = run.asking.learning
        prompt = learn.build(
            shown,
            shown_time=partial(local_date, where=self.where),
            language=learn.language_in(shown),
            wishes=settings.instructions,
            instructions=settings.prompts,
        )
        if (reply := await run.ask(prompt)) is None:
            return None
        try:
            told = await asyncio.to_thread(learn.parse, reply)
        except ReplyMalformed:
            told = []
        found = await asyncio.to_thread(cited, told, plain, self.where)
        found = [replace(c, turns=tuple(places[n - 1] for n in c.turns)) for c in found]
        lesson = Lesson(candidates=tuple(c for c in found if unsaid & {*c.turns}))
        body = lesson_to_json(await asyncio.to_thread(dated, lesson, turns, self.where))
        again = Extraction(episode.id, {}, body, Extractor.MODEL, again=True)
        return await self.journal.save_extraction(again)

    def _found(self, said: Sequence[Compared], episode: Episode) -> Decision:
        missed = [evidence_id(self.journal.id, turn.seq) for turn in to_read_again(said)]
        key, kept = f"found:{episode.id}", {"share": round(overlooked(said), 2)}
        return Decision(key, Deed.OVERLOOKED, tuple(missed[:MOST_TOLD]), OVERLOOKED, kept)
