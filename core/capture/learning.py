"""What an episode teaches: one model call, one repair, else the rules. Kept before it is used.

What is known is held against it first: an episode that tells nothing new costs no call. Async.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from ..conflict.slots import canonical, same_value
from ..feedback.credit import (
    answers_to_shown,
    shown_with_an_answer,
    undecided_numbers,
    useful_numbers,
)
from ..languages.markers import is_question
from ..languages.numbers import numbers
from ..languages.registry import learning_wording
from ..languages.scripts import language_of
from ..languages.terms import content_terms
from ..model.conversation import Role, Turn
from ..model.errors import BudgetExhausted, ModelTimedOut, ModelUnavailable, ReplyMalformed
from ..model.knowledge import IntentionType
from ..model.lesson import Candidate, GapType, Lesson, ToldFact
from ..model.memory import Extractor, Facet, Kind, Memory, Succession
from ..model.times import utc_day
from ..ports import ChatModel, Extraction, Journal, MemoryStore, ModelSource, Prompt, Purpose
from ..prompts import learn, verdict
from ..prompts.instructions import Instructions
from ..prompts.reading import once_more
from ..prompts.reply import lesson_from_json, lesson_to_json
from ..prompts.schema import LONGEST_SUMMARY
from ..prompts.verdict import MOST_NOTES, SEVERAL_SHOWN, NoteVerdicts
from ..records.evidence import Rarity
from ..records.sameness import impersonal
from ..settings import LearningSettings
from .citing import cited
from .dating import dated
from .known import Gathering, gap
from .reading import EpisodeReading, Picking, pieces
from .statements import extract

MOST_HALVINGS = 2
"""Of an episode about which calls take too long."""


@dataclass(frozen=True, slots=True)
class Learner:
    """Reads closed episodes. Knows of the calls under way, and of those that took too long.

    `failed` is told of what is survived.
    """

    journal: Journal
    store: MemoryStore
    models: ModelSource
    settings: LearningSettings
    show_time: Callable[[float], str]
    gathering: Gathering
    failed: Callable[[str, BaseException], None]
    _halvings: dict[str, int] = field(default_factory=dict[str, int])
    _picking: Picking = field(default_factory=Picking)

    async def extraction(
        self, episode: str, *, now: float, last_try: bool, where: tzinfo | None = None
    ) -> Extraction:
        """The kept reply for the episode, made now if there is none yet.

        People speak of days in the zone `where` (None: the machine's own). Raises ModelUnavailable
        when a configured model cannot be reached, unless this is the last try: then the rules read
        the episode. The same when the day's budget is spent.
        """
        kept = await self.journal.extraction(episode)
        if kept is not None:
            return kept
        reading = await self._begun(episode, await self.journal.turns_of(episode))
        try:
            model = await self.model(reading.turns)
            if model is not None:
                return await self._by_model(model, reading, now, where)
        except (ReplyMalformed, BudgetExhausted):
            pass
        except ModelUnavailable:
            if not last_try:
                raise
        reading = replace(reading, beside=await self._intended(reading.spoken))
        lesson = await asyncio.to_thread(extract, reading.spoken, where)
        return await self._keep(reading, lesson, Extractor.RULES, where)

    async def told_by(
        self, turns: Sequence[Turn], own: Instructions, now: float, where: tzinfo | None
    ) -> Sequence[Candidate]:
        """What a model tells of them by these instructions; kept nowhere. Raises as a call does."""
        model = await self.model(turns)
        if model is None:
            raise ModelUnavailable("no chat model")
        learner = replace(self, settings=replace(self.settings, prompts=own))
        return await learner._told(model, EpisodeReading("", turns), [turns], now, where)

    async def _by_model(
        self, model: ChatModel, begun: EpisodeReading, now: float, where: tzinfo | None
    ) -> Extraction:
        rarity = await self.gathering.rarity(begun.spoken[0].place.scope)
        reading = await self._held_against(begun, rarity)
        if reading.tells_nothing:
            return await self._keep(reading, Lesson(), Extractor.RULES, where)
        lesson = await self._read_by(model, reading, now, where)
        return await self._keep(reading, lesson, Extractor.MODEL, where)

    async def _keep(
        self, reading: EpisodeReading, lesson: Lesson, source: Extractor, where: tzinfo | None
    ) -> Extraction:
        """Keep what the episode taught, unless a reply is kept meanwhile; the one that is."""
        lesson = dated(lesson, reading.spoken, where)
        return await self.journal.save_extraction(_extraction(reading, lesson, source))

    async def _begun(self, episode: str, turns: Sequence[Turn]) -> EpisodeReading:
        """The episode with what was shown in it."""
        injected = await self.gathering.injected(turns)
        return EpisodeReading(
            episode,
            turns,
            await self.gathering.shown(injected),
            answers_to_shown(injected, turns),
            frozenset(shown_with_an_answer(injected, turns)),
            await self.gathering.lasting(turns),
        )

    async def _held_against(self, begun: EpisodeReading, rarity: Rarity) -> EpisodeReading:
        """The episode, with what is known and what of it is new."""
        turns = begun.spoken
        beside = [*await self._intended(turns), *await self.gathering.beside(turns)]
        reading = replace(begun, beside=beside)
        if not turns:
            return reading
        found = await asyncio.to_thread(gap, turns, reading.repeatable, rarity)
        return replace(reading, gap=found)

    async def _intended(self, turns: Sequence[Turn]) -> list[Memory]:
        return [] if self.settings.extractor == "rules" else await self.gathering.intended(turns)

    async def model(self, turns: Sequence[Turn]) -> ChatModel | None:
        """Which learns from them; None where rules do. Raises ModelUnavailable."""
        if not turns or self.settings.extractor == "rules":
            return None
        return await self.models.choose(turns[0].place.session)

    async def _read_by(
        self, model: ChatModel, reading: EpisodeReading, now: float, where: tzinfo | None
    ) -> Lesson:
        told = await self._candidates(model, reading, now, where) if reading.gap.news else []
        return await self._judged_by(model, reading, Lesson(candidates=tuple(told)), now)

    async def _candidates(
        self,
        model: ChatModel,
        reading: EpisodeReading,
        now: float,
        where: tzinfo | None,
        *,
        again: bool = True,
    ) -> Sequence[Candidate]:
        """What the model tells; of each half if that takes too long, of quarters at the next try.

        The same prompt is not sent twice as long as it can be cut.
        """
        turns, episode = reading.turns, reading.episode
        halvings = self._halvings.get(episode, 0)
        parts = pieces(turns, halvings)
        try:
            candidates = await self._told(model, reading, parts, now, where)
        except ModelTimedOut as late:
            finer = min(halvings + 1, MOST_HALVINGS)
            self._halvings[episode] = finer
            if not again or len(pieces(turns, finer)) == len(parts):
                raise
            self.failed("learn", late)
            return await self._candidates(model, reading, now, where, again=False)
        self._halvings.pop(episode, None)
        return candidates

    async def _told(
        self,
        model: ChatModel,
        reading: EpisodeReading,
        parts: Sequence[Sequence[Turn]],
        now: float,
        where: tzinfo | None,
    ) -> Sequence[Candidate]:
        """What the replies about each part tell, in order; the last part is asked about first."""
        turns, found = [turn for part in parts for turn in part], list[Candidate]()
        careless = self._picking.careless
        for part in reversed(parts):
            if asked := reading.telling(part) if careless else part:
                told = await self._facts(model, asked, now)
                found = [*await asyncio.to_thread(cited, told, turns, where), *found]
            turns = turns[: -len(part)]
        self._picking.note(reading, found, careless)
        return found

    async def _facts(
        self, model: ChatModel, turns: Sequence[Turn], now: float
    ) -> Sequence[ToldFact]:
        """What a reply tells; it is asked once more where nothing of it can be read."""
        prompt, session = self.prompt(turns), turns[0].place.session
        reply = await self._call(model, prompt, session, now)
        try:
            # A reply of many thousand wrong items takes a while to read.
            return await asyncio.to_thread(learn.parse, reply)
        except ReplyMalformed:
            again = await self._call(model, once_more(prompt), session, now)
        return await asyncio.to_thread(learn.parse, again)

    async def _judged_by(
        self, model: ChatModel, reading: EpisodeReading, lesson: Lesson, now: float
    ) -> Lesson:
        """The lesson with what became of what was known; without it if nobody can say."""
        answered = reading.judged
        notes = await asyncio.to_thread(notes_of, reading.repeatable, lesson.candidates, answered)
        if not notes:
            return lesson
        turns, shown = reading.turns, frozenset(n for n in notes if notes[n].id in answered)
        language = learn.language_in(turns)
        own = self.settings.prompts
        prompt = verdict.build(
            turns, notes, shown_time=self.show_time, language=language, instructions=own
        )
        try:
            reply = await self._call(model, prompt, turns[0].place.session, now)
            # As with facts: a careless reply takes a while to read.
            verdicts = await asyncio.to_thread(verdict.parse, reply, notes, shown)
        except (ModelUnavailable, ReplyMalformed, BudgetExhausted) as error:
            if isinstance(error, ModelTimedOut):
                self.failed("learn", error)
            # What was learnt is kept, and attribution decides.
            return lesson
        return judged_by(verdicts, lesson, notes, reading)

    def prompt(self, turns: Sequence[Turn]) -> Prompt:
        """What a model is asked about the episode itself."""
        return learn.build(
            turns,
            shown_time=self.show_time,
            language=learn.language_in(turns),
            wishes=self.settings.instructions,
            instructions=self.settings.prompts,
        )

    async def _call(self, model: ChatModel, prompt: Prompt, session: str, now: float) -> str:
        day = utc_day(now)
        used = await self.journal.usage(day)
        if used.tokens >= self.settings.daily_tokens:
            raise BudgetExhausted(f"{used.tokens} tokens on {day}")
        # Counted when it is made: one that times out is paid for, too.
        sent = prompt.tokens
        await self.journal.count_usage(day, Purpose.LEARNING, calls=1, tokens=sent)
        completion = await model.complete(prompt, session=session)
        more = completion.cost(prompt) - sent
        await self.journal.count_usage(day, Purpose.LEARNING, calls=0, tokens=more)
        return completion.text


def read(extraction: Extraction) -> Lesson:
    """The lesson of a kept reply."""
    return lesson_from_json(extraction.body)


def _extraction(reading: EpisodeReading, lesson: Lesson, source: Extractor) -> Extraction:
    """The lesson to keep, with attribution's verdicts where nobody else judged."""
    lesson = _judged(lesson, reading)
    covered = {**dict(lesson.covered), **reading.gap.covered}
    lasting = tuple(sorted(reading.lasting.items()))
    lesson = replace(lesson, covered=tuple(sorted(covered.items())), lasting=lasting)
    numbers = {number: memory.id for number, memory in reading.known.items()}
    return Extraction(reading.episode, numbers, lesson_to_json(lesson), source)


def _judged(lesson: Lesson, reading: EpisodeReading) -> Lesson:
    """The lesson with attribution's verdicts on the memories that nobody else has judged."""
    judged, others = frozenset[int](), reading.brought_up
    if lesson.useful is not None:
        judged, told = lesson.useful, reading.repeatable
        others = {number: memory for number, memory in others.items() if number not in told}
    if all(turn.role is not Role.ASSISTANT for turn in reading.spoken):
        return lesson
    said = [turn.text for turn in reading.spoken if turn.role is not Role.ASSISTANT]
    texts = {number: impersonal(memory) for number, memory in others.items()}
    answers = {number: tuple(reading.answers.get(others[number].id, ())) for number in others}
    for heard in {*answers.values()}:
        drawn_on = useful_numbers(heard, said, texts)
        judged |= {number for number in drawn_on if answers[number] == heard}
    return replace(lesson, useful=judged, undecided=undecided_numbers(said, texts))


ALIKE = 2
"""Content terms that a fact and a memory share, for the one to be possibly about the other."""


def notes_of(
    known: Mapping[int, Memory], candidates: Sequence[Candidate], answered: frozenset[str]
) -> Mapping[int, Memory]:
    """Of the `known` memories those that are asked about; `answered` are ids of shown ones."""
    return dict(
        [
            (number, memory)
            for number, memory in known.items()
            if memory.id in answered
            or (memory.intention is not None and memory.intention.pending)
            or any(_is_about(candidate, memory) for candidate in candidates)
        ][:MOST_NOTES]
    )


def judged_by(
    verdicts: NoteVerdicts, lesson: Lesson, notes: Mapping[int, Memory], reading: EpisodeReading
) -> Lesson:
    """The lesson of the episode with what a reply says of the notes.

    What is so no longer is followed by the fact nearest to it. Where nobody told one, a fact or a
    decision is asked as a question from then on, and what was meant is given up. Of what is told
    again nothing new is learnt, its turn counts as telling the note; so does the turn that shares
    most words with an intention that is spoken of.
    """
    candidates, covered = [*lesson.candidates], list[tuple[int, int]]()
    verdicts = _believed(verdicts, notes, reading.turns)
    given_up = {number for number in verdicts.dropped if notes[number].intention is not None}
    dropped = {number for number in verdicts.dropped if _is_held(notes[number])}
    over = verdicts.wrong | verdicts.changed | dropped
    # Who names all has named none; beside a fact about something else a wrong one was named.
    sole = not candidates and (len(notes) < SEVERAL_SHOWN or over != notes.keys())
    for number in sorted(over):
        note, place = notes[number], _nearest(candidates, notes[number])
        if place is not None:
            candidates[place] = _following(candidates[place], number, verdicts)
        elif (sole or number in given_up) and (turn := _speaking_of(note, reading.turns, False)):
            given_up |= {number} if note.intention else set()
            if _is_held(note):
                candidates.append(_following(_doubting(note, turn), number, verdicts))
    for number in sorted(verdicts.again):
        note = notes[number]
        if note.origin.episode == reading.episode:
            continue
        if fact := _retelling(candidates, note):
            candidates.remove(fact)
            covered.append((max(fact.turns), number))
        elif note.intention is not None and (turn := _speaking_of(note, reading.turns)):
            covered.append((turn, number))
    return replace(
        lesson,
        candidates=tuple(candidates),
        covered=tuple(covered),
        useful=verdicts.used,
        done=verdicts.done,
        given_up=frozenset(given_up),
    )


def _believed(
    verdicts: NoteVerdicts, notes: Mapping[int, Memory], turns: Sequence[Turn]
) -> NoteVerdicts:
    """Without what is over of most notes at once, unless a person speaks of it: a small model that
    names them all would close every plan.
    """

    def told(numbers: frozenset[int]) -> frozenset[int]:
        if len(notes) < SEVERAL_SHOWN or 2 * len(numbers) <= len(notes):
            return numbers
        return frozenset(number for number in numbers if _speaking_of(notes[number], turns))

    return replace(verdicts, done=told(verdicts.done), dropped=told(verdicts.dropped))


def _is_held(note: Memory) -> bool:
    """Whether it is a fact or a decision, and no plan, thought or question."""
    return note.intention is None or note.intention.type is IntentionType.DECISION


def _doubting(note: Memory, turn: int) -> Candidate:
    """The question whether it is so, of what a turn has overturned."""
    words = learning_wording(language_of(note.text))
    text = words.overturned.replace("{text}", note.text)
    return Candidate(
        text,
        text[:LONGEST_SUMMARY],
        (turn,),
        Kind.PROSPECTIVE,
        importance=note.importance,
        confidence=note.confidence,
        about=note.about,
        intention=IntentionType.QUESTION,
    )


def _following(candidate: Candidate, number: int, verdicts: NoteVerdicts) -> Candidate:
    if number in verdicts.wrong:
        follows = number, Succession.CORRECTS
        return replace(candidate, follows=follows, gap=GapType.CONTRADICTION)
    taste = candidate.facet is Facet.PREFERENCE
    gap = GapType.PREFERENCE_SHIFT if taste else GapType.NEW_BEHAVIOUR
    return replace(candidate, follows=(number, Succession.UPDATES), gap=gap)


def _nearest(candidates: Sequence[Candidate], note: Memory) -> int | None:
    free = [
        place
        for place, each in enumerate(candidates)
        if each.follows is None and any(_shared(each, note))
    ]
    return max(free, key=lambda place: _shared(candidates[place], note), default=None)


def _retelling(candidates: Sequence[Candidate], note: Memory) -> Candidate | None:
    """The fact that may tell the note in other words: of its kind, no other number, its value.

    An intention may share no word with what it was told in.
    """
    told = {*numbers(note.text)}
    free = [
        each
        for each in candidates
        if each.kind is note.kind
        and each.follows is None
        and told >= {*numbers(each.text)}
        and not _of_another_value(each, note)
        and (note.intention is not None or any(_shared(each, note)))
    ]
    return max(free, key=lambda each: _shared(each, note), default=None)


def _speaking_of(note: Memory, turns: Sequence[Turn], asking: bool = True) -> int:
    """The number of the person's turn that shares most terms with the note; 0 if none does.

    A question may be meant if `asking`.
    """
    terms = content_terms(impersonal(note))
    shared = {
        number: len(terms & content_terms(turn.text))
        for number, turn in enumerate(turns, start=1)
        if turn.role is not Role.ASSISTANT and (asking or not is_question(turn.text))
    }
    best = max(shared, key=lambda number: shared[number], default=0)
    return best if shared.get(best) else 0


def _of_another_value(candidate: Candidate, memory: Memory) -> bool:
    one, other = candidate.claim, memory.claim
    if one is None or other is None:
        return False
    return not same_value(other.attribute, one.value, other.value)


def _shared(candidate: Candidate, memory: Memory) -> tuple[bool, int]:
    """What they have in common: one slot, which counts more, and so many content terms."""
    terms = content_terms(candidate.text) & content_terms(impersonal(memory))
    return _is_of_one_slot(candidate, memory), len(terms)


def _is_about(candidate: Candidate, memory: Memory) -> bool:
    slot, terms = _shared(candidate, memory)
    return slot or terms >= ALIKE


def _is_of_one_slot(candidate: Candidate, memory: Memory) -> bool:
    if candidate.claim is None or memory.claim is None:
        return False
    return canonical(candidate.claim.attribute) == memory.claim.attribute
