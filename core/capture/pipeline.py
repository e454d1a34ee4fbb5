"""Queued capture work: index a turn as evidence, apply what an episode taught."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial

from ..forgetting.lifecycle import forgotten_by_hand, quarantined
from ..forgetting.policy import ForgettingPolicy
from ..languages.entities import LONGEST_TEXT, candidates, first_of, longest, names_written
from ..model.conversation import Episode, Role, Turn
from ..model.knowledge import Entity
from ..model.lesson import Candidate, Lesson
from ..model.memory import RAW, Extractor, Memory, Succession, Successor
from ..ports import AuditLog, Extraction, Journal, MemoryStore
from ..records.disclosure import belongs_to, rests_on_others
from ..records.evidence import (
    answer_to,
    answered_by,
    bearing,
    bears,
    evidence_id,
    evidence_of,
    raw_turns,
    redescribed,
    said_wholly,
    says_something_new,
    sent_again,
    weighed,
    with_reply,
    with_turn_after,
    worth_keeping,
)
from ..records.learnt import ageing, doubted_of, may_follow, memories_of, replaced_by
from ..records.merging import created, find_duplicate, replaced, statement
from ..records.sameness import denies_value
from ..records.tool_calls import done_again, procedure_id, procedure_of, steps_of
from ..text.quoting import entity_id
from . import learning as learn
from .dating import happened_at
from .intentions import Intentions, retold, same_as_marked
from .known import Repetition
from .settling import Settling

PENDING = 60.0
"""Seconds within which what was sent before may still be about to be indexed."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What a lesson came to: new memories, and the ids of those whose content was said again."""

    fresh: list[Memory]
    repeated: frozenset[str]


@dataclass(frozen=True, slots=True)
class Capture:
    """Turns and lessons into the store. Every step may be repeated and then changes nothing."""

    store: MemoryStore
    journal: Journal
    policy: ForgettingPolicy

    @property
    def intentions(self) -> Intentions:
        """What people mean to do, and report done."""
        return Intentions(self.store, self.journal)

    async def index_turn(self, seq: int, where: tzinfo | None = None) -> None:
        """Make a user's turn recallable, or add the bot's answer to the turn it answers.

        Its speaker tells of days in the zone `where` (None: the machine's own).
        """
        turn = await self.journal.turn(seq)
        if turn is None or not worth_keeping(turn) or await self._sent_again(turn):
            return
        # A private reply must not become the group's own memory.
        turns = [one for one in await self.journal.turns_of(turn.episode) if not one.private_reply]
        if turn.role is Role.ASSISTANT:
            if turn in turns:
                await self._index_reply(turn, answered_by(turn, turns))
            return
        earlier = [other for other in turns if other.seq < seq]
        before = earlier[-1] if earlier else None
        evidence = evidence_of(
            turn,
            before,
            journal=self.journal.id,
            entities=await entities_of(turn, self.store),
            happened_at=happened_at(turn.text, turn.at, where),
        )
        await self.store.put([evidence])
        if turn.media:
            # What is there already is not put again, and its media may have been described since.
            await self.store.amend([evidence.id], lambda memory: redescribed(memory, evidence))
        await self.intentions.mark([turn], where)
        if before is not None and before.role is not Role.ASSISTANT:
            raw = evidence_id(self.journal.id, before.seq)
            await self.store.amend([raw], lambda memory: with_turn_after(memory, turn))
        reply = answer_to(turn, turns)
        if reply is not None:
            await self._index_reply(reply, turn)

    async def _sent_again(self, turn: Turn) -> bool:
        """Whether it is nothing but a file that the same person has sent here before.

        What is remembered of that file has been sent again, then.
        """
        if len(turn.media) != 1 or "\n" in turn.text or turn.role is Role.ASSISTANT:
            return False
        first = await self.journal.first_with_media(turn, turn.media[0].id)
        if first is None:
            return False
        earlier = await self.journal.turn(first)
        if earlier is not None and turn.at - earlier.at < PENDING:
            # Turns are indexed side by side: that one may not have been yet.
            await self.index_turn(first)
        known = [evidence_id(self.journal.id, first)]
        await self.store.amend(known, lambda memory: sent_again(memory, turn))
        return bool(await self.store.find(known))

    def proposed(
        self, extraction: Extraction, lesson: Lesson, episode: Episode, turns: Sequence[Turn]
    ) -> list[Memory]:
        """One memory for each candidate of the `lesson` that a kept reply is."""
        return memories_of(
            lesson.candidates,
            episode,
            turns,
            extraction.known,
            journal=self.journal.id,
            extractor=Extractor(extraction.source),
            again=extraction.again,
        )

    async def apply(
        self, extraction: Extraction, episode: Episode, where: tzinfo | None = None
    ) -> Applied:
        """Store what a kept reply proposes, link what it follows, corroborate what was known.

        What rests on a raw turn that somebody has forgotten or corrected by hand is left out, and
        so is what rests on private replies alone.
        """
        turns = await self.journal.turns_of(episode.id)
        lesson = await self._sound(learn.read(extraction), extraction, episode, turns)
        memories = self.proposed(extraction, lesson, episode, turns)
        disowned = await self._disowned(turns)
        learnt = [rests_on_others(memory, turns) for memory in memories]
        proposed = [
            (candidate, memory)
            for candidate, memory in zip(lesson.candidates, learnt, strict=True)
            if memory is not None and disowned.isdisjoint(memory.origin.turns)
        ]
        await self._set_aside([pair for pair in proposed if pair[0].doubt])
        proposed = [pair for pair in proposed if not pair[0].doubt]
        memories = [memory for _, memory in proposed]
        heard = [turn for turn in turns if turn.seq not in disowned]
        marked = await self._marked(memories, heard, where)
        kept_ids = await self._kept_ids(memories, marked)
        fresh = [m for m, kept_id in zip(memories, kept_ids, strict=True) if kept_id == m.id]
        await self.store.put(fresh)
        gaps = {memory.id: candidate.gap for candidate, memory in proposed}
        await self.journal.audit([created(m, by=m.extractor.value, gap=gaps[m.id]) for m in fresh])
        await self._close(lesson, extraction, turns)
        settling = Settling(self.store, self.journal)
        for (candidate, memory), kept_id in zip(proposed, kept_ids, strict=True):
            await settling.adopt(kept_id, memory)
            await self._follow(candidate, memory, kept_id, extraction.known)
        await settling.settle(memories)
        await self._weigh(turns, lesson)
        await self._hand_over(turns, list(zip(memories, kept_ids, strict=True)))
        own = [turn for turn in turns if not turn.private_reply and turn.seq not in disowned]
        repetition = Repetition(self.store, self.journal.id, self.policy)
        kept = list(zip(memories, kept_ids, strict=True))
        covered = [(turns[n - 1].seq, extraction.known[by]) for n, by in lesson.covered]
        return Applied(fresh, await repetition.corroborate(own, kept, covered))

    async def _sound(
        self, lesson: Lesson, extraction: Extraction, episode: Episode, turns: Sequence[Turn]
    ) -> Lesson:
        """The lesson, in which nothing follows what is of another slot, person or matter.

        Of what is so no longer ("no longer works at Acme") a model names the slot and Acme: what
        takes the place of its own value denies it.
        """
        if all(each.follows is None for each in lesson.candidates):
            return lesson
        memories = self.proposed(extraction, lesson, episode, turns)
        known = {
            memory.id: memory for memory in await self.store.find([*extraction.known.values()])
        }

        def sound(candidate: Candidate, memory: Memory) -> Candidate:
            follows = candidate.follows
            older = None if follows is None else known.get(extraction.known[follows[0]])
            if older is not None and not may_follow(memory, older):
                return replace(candidate, follows=None)
            stated = candidate.claim
            if stated is None or older is None or not denies_value(memory, older):
                return candidate
            return replace(candidate, claim=replace(stated, denied=not stated.denied))

        return replace(lesson, candidates=tuple(map(sound, lesson.candidates, memories)))

    async def _set_aside(self, doubted: Sequence[tuple[Candidate, Memory]]) -> None:
        """Into quarantine, where nothing is recalled, followed or said again."""
        aside = [
            quarantined(memory, now=memory.created_at, reason=f"unsaid_{candidate.doubt}")
            for candidate, memory in doubted
        ]
        await self.store.put(aside)
        await self.journal.audit([doubted_of(m, by=m.extractor.value) for m in aside])

    async def _weigh(self, turns: Sequence[Turn], lesson: Lesson) -> None:
        """Raw turns live as long as what they tell is likely to matter."""
        told = {evidence_id(self.journal.id, turns[n - 1].seq): at for n, at in lesson.lasting}
        await self.store.amend([*told], lambda memory: weighed(memory, told[memory.id]))

    async def _hand_over(self, turns: Sequence[Turn], kept: Sequence[tuple[Memory, str]]) -> None:
        """Raw turns that what was learnt says wholly fade as usual; what says it is kept for it."""
        wholly = said_wholly(turns, [memory for memory, _ in kept])
        bearers = [id for memory, id in kept if bears(memory, turns, wholly)]
        await self.store.amend(bearers, bearing)
        said = [evidence_id(self.journal.id, seq) for seq in wholly]
        at = max((turn.at for turn in turns), default=0.0)
        await self.store.amend(said, lambda memory: ageing(memory, at))

    async def _disowned(self, turns: Sequence[Turn]) -> frozenset[int]:
        raw = await self.store.find([evidence_id(self.journal.id, turn.seq) for turn in turns])
        followed = [m.successor.memory for m in raw if m.successor is not None]
        written = {
            newer.id
            for newer in await self.store.find(followed)
            if newer.extractor is Extractor.COMMAND
        }
        return frozenset(
            seq
            for memory in raw
            if forgotten_by_hand(memory)
            or (memory.successor is not None and memory.successor.memory in written)
            for seq in memory.origin.turns
        )

    async def _index_reply(self, reply: Turn, asked: Turn | None) -> None:
        if asked is None:
            return
        injected = await self.journal.injected_in(asked.episode)
        shown = [item.memory for item in injected if item.turn == asked.seq]
        known = [asked.text, *(memory.text for memory in await self.store.find(shown))]
        if says_something_new(reply.text, known):
            target = evidence_id(self.journal.id, asked.seq)
            await self.store.amend([target], lambda memory: with_reply(memory, reply))
        journal = self.journal
        await Procedures(self.store, journal, journal.id).notice(asked, reply)

    async def _marked(
        self, memories: Sequence[Memory], heard: Sequence[Turn], where: tzinfo | None
    ) -> Mapping[str, Memory]:
        """By id, which of these are intentions that were marked when `heard`.

        In the better words of a model they are told anew.
        """
        marked = same_as_marked(memories, await self.intentions.mark(heard, where))
        by_id = {memory.id: memory for memory in memories}
        for id, own in marked.items():
            await self.store.amend([own.id], partial(retold, memory=by_id[id]))
        return marked

    async def _close(self, lesson: Lesson, extraction: Extraction, turns: Sequence[Turn]) -> None:
        """Close the known intentions that a model found to be over, of whoever spoke."""
        people = {turn.speaker.id for turn in turns if turn.role is not Role.ASSISTANT}
        for numbers, given_up in ((lesson.done, False), (lesson.given_up, True)):
            known = [extraction.known[n] for n in sorted(numbers) if n in extraction.known]
            own = [m.id for m in await self.store.find(known) if belongs_to(m, people)]
            if own:
                await self.intentions.close(
                    own,
                    at=turns[-1].at,
                    key=f"closed:{extraction.episode}",
                    by="learning",
                    given_up=given_up,
                )

    async def _kept_ids(
        self, memories: Sequence[Memory], marked: Mapping[str, Memory]
    ) -> list[str]:
        """For each, the id of the memory that keeps what it says: its own, or an earlier one's."""
        kept_ids: dict[Hashable, str] = {
            statement(memory): marked[memory.id].id for memory in memories if memory.id in marked
        }
        for memory in memories:
            if statement(memory) not in kept_ids:
                kept_ids[statement(memory)] = (await find_duplicate(self.store, memory)).id
        return [kept_ids[statement(memory)] for memory in memories]

    async def _follow(
        self, candidate: Candidate, memory: Memory, kept_id: str, known: Mapping[int, str]
    ) -> None:
        follows = candidate.follows
        if follows is None or known[follows[0]] == kept_id:
            return
        number, how = follows
        older = known[number]
        # The raw turn that said it must not say it again in its place.
        records = await self.store.find([older]) if how is Succession.CORRECTS else []
        said = [raw for record in records for raw in raw_turns(self.journal.id, record)]
        await self.store.amend(
            [older, *said],
            lambda record: replaced_by(record, kept_id, how, memory.text, memory.created_at),
        )
        # Not from what changed: a repetition after a crash finds the link made, not noted.
        link = Successor(kept_id, how)
        await self.journal.audit(
            [
                replaced(record, link, by="learning", at=memory.created_at)
                for record in await self.store.find([older])
                if record.successor == link
            ]
        )


async def entities_of(turn: Turn, store: MemoryStore) -> list[Entity]:
    """Names that the turn's text marks as such, then those that its scope knows already.

    The speaker's own name is not among them: it is known without.
    """
    text = turn.text[:LONGEST_TEXT]
    found = names_written(text)
    found += [Entity(name, name) for name in await _known(entity_id(text), turn, store)]
    speaker = entity_id(turn.speaker.name)
    return first_of(entity for entity in found if entity.id != speaker)


async def _known(text: str, turn: Turn, store: MemoryStore) -> tuple[str, ...]:
    offered = candidates(text)
    if not offered:
        return ()
    names = list(dict.fromkeys(offered.values()))
    known = await store.known_entities(names, frozenset({turn.place.scope}))
    return longest(text, offered, known)


LIKE = 20
"""Raw turns with the same tools that are looked at for the same steps."""


@dataclass(frozen=True, slots=True)
class Procedures:
    """Done again it finds the same: the id follows from the tools. `journal` is its identity."""

    store: MemoryStore
    audit: AuditLog
    journal: str

    async def notice(self, asked: Turn, answer: Turn) -> None:
        """Remember how it was done, if that is how something was done before."""
        steps = steps_of(answer.text)
        if not steps:
            return
        id = procedure_id(self.journal, asked.place.scope, steps)
        if await self.store.find([id]):
            await self.store.amend([id], lambda memory: done_again(memory, asked, answer))
            return
        before = await self._before(asked, steps)
        if before is None:
            return
        procedure = procedure_of(asked, answer, before, journal=self.journal)
        await self.store.put([procedure])
        await self.audit.audit([created(procedure, by=procedure.extractor.value)])

    async def _before(self, asked: Turn, steps: tuple[str, ...]) -> Memory | None:
        """Evidence of another turn here that was answered with the same steps."""
        scope = frozenset({asked.place.scope})
        hits = await self.store.search_text(" ".join(steps), scope, limit=LIKE, kinds=RAW)
        for memory in await self.store.find([hit.id for hit in hits], scope):
            if asked.seq not in memory.origin.turns and steps_of(memory.text) == steps:
                return memory
        return None
