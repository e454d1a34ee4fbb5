"""What an episode teaches: one model call, one repair, else the rules. Kept before it is used.

What is known is held against it first: an episode that tells nothing new costs no call. Async.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from ..feedback.attribute import undecided_numbers, useful_numbers
from ..feedback.credit import answers_to_shown, shown_with_an_answer
from ..model.conversation import Role, Turn
from ..model.errors import BudgetExhausted, ModelTimedOut, ModelUnavailable, ReplyMalformed
from ..model.lesson import Candidate, Lesson, ToldFact
from ..model.memory import Extractor, Memory
from ..model.times import utc_day
from ..ports import ChatModel, Extraction, Journal, MemoryStore, ModelSource, Prompt
from ..prompts import learn, verdict
from ..prompts.lesson_json import lesson_from_json, lesson_to_json
from ..prompts.reading import once_more
from ..records.corroboration import impersonal
from ..records.coverage import Rarity
from ..settings import LearningSettings
from .citing import cited
from .covering import Gap, gap
from .dating import dated
from .joint import EpisodeReading, JoinedEpisode, Joint, are_many, fitting, pieces, together
from .known import Gathering
from .statements import extract
from .urgency import is_urgent
from .verdicts import judged_by, notes_of

MOST_HALVINGS = 2
"""Of an episode about which calls take too long."""

NEW_CHAT = 30
"""Messages of a chat at least before anything waits: who begins to talk sees what is learnt."""


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
    _asked_about: set[str] = field(default_factory=set[str])

    async def extraction(
        self,
        episode: str,
        *,
        now: float,
        last_try: bool,
        where: tzinfo | None = None,
        until: float | None = None,
    ) -> Extraction | None:
        """The kept reply for the episode, made now if there is none yet.

        None if it may wait for the next call about its chat, at most `until` a Unix time, because
        nothing in it is urgent; or if such a call is under way. People speak of days in the zone
        `where` (None: the machine's own). Raises ModelUnavailable when a configured model cannot
        be reached, unless this is the last try: then the rules read the episode. The same when the
        day's budget is spent.
        """
        kept = await self.journal.extraction(episode)
        if kept is not None or episode in self._asked_about:
            return kept
        part = await self._part(episode, await self.journal.turns_of(episode))
        try:
            model = await self.model(part.turns)
            if model is not None:
                return await self._by_model(model, part, now, where, until)
        except (ReplyMalformed, BudgetExhausted):
            pass
        except ModelUnavailable:
            if not last_try:
                raise
        beside = await self._intended(part.turns)
        reading = EpisodeReading(Joint([part], beside))
        lesson = await asyncio.to_thread(extract, part.turns, where)
        return await self._keep(reading, part, lesson, Extractor.RULES, where)

    async def _by_model(
        self,
        model: ChatModel,
        part: JoinedEpisode,
        now: float,
        where: tzinfo | None,
        until: float | None,
    ) -> Extraction | None:
        # What is held beside it is of the same scope.
        rarity = await self.gathering.rarity(part.turns[0].place.scope)
        own = await self.reading(part, rarity)
        if own.tells_nothing:
            return await self._keep(own, part, Lesson(), Extractor.RULES, where)
        episode = await self.journal.episode(part.episode)
        held = await self.journal.held_beside(part.episode) if episode else []
        if part.episode in self._asked_about:
            return None
        held = [each for each in held if each.id not in self._asked_about]
        many = episode is None or are_many([*held, episode])
        if until is not None and not many and await self.may_wait(own, until, where):
            return None
        joined = fitting(episode, held) if episode else []
        asked = {part.episode, *(each.id for each in joined)}
        self._asked_about.update(asked)
        try:
            others: list[EpisodeReading] = []
            for each in joined:
                turns = await self.journal.turns_of(each.id)
                others.append(await self.reading(await self._part(each.id, turns), rarity))
            reading = together(own, others)
            lesson = await self._read_by(model, reading, now, where)
            return await self._keep(reading, part, lesson, Extractor.MODEL, where)
        finally:
            self._asked_about.difference_update(asked)

    async def _keep(
        self,
        reading: EpisodeReading,
        part: JoinedEpisode,
        lesson: Lesson,
        source: Extractor,
        where: tzinfo | None,
    ) -> Extraction:
        """Keep what each part taught; the reply of this one."""
        lesson = dated(lesson, reading.joint.turns, where)
        lessons = reading.joint.lessons(lesson)
        made = [_extraction(reading, n, each, source) for n, each in enumerate(lessons)]
        kept = await self.journal.save_extractions(made)
        return next(each for each in kept if each.episode == part.episode)

    async def _part(self, episode: str, turns: Sequence[Turn]) -> JoinedEpisode:
        injected = await self.gathering.injected(turns)
        return JoinedEpisode(
            episode,
            turns,
            await self.gathering.shown(injected),
            answers_to_shown(injected, turns),
            frozenset(shown_with_an_answer(injected, turns)),
        )

    async def reading(self, part: JoinedEpisode, rarity: Rarity) -> EpisodeReading:
        """The episode, with what is known and what of it is new."""
        beside = [*await self._intended(part.turns), *await self.gathering.beside(part.turns)]
        reading = EpisodeReading(Joint([part], beside))
        if not part.turns:
            return reading
        found = await asyncio.to_thread(gap, part.turns, reading.joint.repeatable, rarity)
        return replace(reading, gaps=(found,), awaiting=_awaiting(reading.joint, found))

    async def may_wait(self, reading: EpisodeReading, until: float, where: tzinfo | None) -> bool:
        """Whether nobody misses anything if the episode is read together with later ones."""
        if not reading.news:
            return True
        if self.settings.pace == "prompt":
            return False
        session = reading.turns[0].place.session
        if len(await self.journal.last_turns(session, NEW_CHAT)) < NEW_CHAT:
            return False
        return not await asyncio.to_thread(is_urgent, reading, until, where)

    async def rehearsed(self, turns: Sequence[Turn]) -> EpisodeReading:
        """What learning from the turns, one at least, would begin with. Nothing is kept."""
        rarity = await self.gathering.rarity(turns[0].place.scope)
        return await self.reading(await self._part("", turns), rarity)

    async def lesson_of(
        self, reading: EpisodeReading, *, now: float, where: tzinfo | None
    ) -> Lesson | None:
        """A model's, of which nothing is kept but what the call costs. None without a model.

        Raises ModelUnavailable, ReplyMalformed or BudgetExhausted where learning would go on
        without it.
        """
        model = await self.model(reading.turns)
        if model is None:
            return None
        return dated(await self._read_by(model, reading, now, where), reading.turns, where)

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
        candidates = await self._candidates(model, reading, now, where)
        lesson = Lesson(candidates=tuple(candidates))
        return await self._judged_by(model, reading, lesson, now)

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
        turns, episodes = reading.turns, [part.episode for part in reading.joint.parts]
        halvings = max(self._halvings.get(each, 0) for each in episodes)
        parts = pieces(turns, halvings)
        try:
            candidates = await self._told(model, parts, now, where)
        except ModelTimedOut as late:
            finer = min(halvings + 1, MOST_HALVINGS)
            self._halvings.update(dict.fromkeys(episodes, finer))
            if not again or len(pieces(turns, finer)) == len(parts):
                raise
            self.failed("learn", late)
            return await self._candidates(model, reading, now, where, again=False)
        for each in episodes:
            self._halvings.pop(each, None)
        return candidates

    async def _told(
        self, model: ChatModel, parts: Sequence[Sequence[Turn]], now: float, where: tzinfo | None
    ) -> Sequence[Candidate]:
        """What the replies about each part tell, in order; the last part is asked about first."""
        turns, found = [turn for part in parts for turn in part], list[Candidate]()
        for part in reversed(parts):
            told = await self._facts(model, part, now)
            found = [*await asyncio.to_thread(cited, told, turns, where), *found]
            turns = turns[: -len(part)]
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
        answered = frozenset[str]().union(*(part.judged for part in reading.joint.parts))
        candidates = lesson.candidates
        notes = await asyncio.to_thread(notes_of, reading.joint, candidates, answered)
        if not notes:
            return lesson
        turns, shown = reading.turns, frozenset(n for n in notes if notes[n].id in answered)
        language = learn.language_in(turns)
        prompt = verdict.build(turns, notes, shown_time=self.show_time, language=language)
        try:
            reply = await self._call(model, prompt, turns[0].place.session, now)
            # As with facts: a careless reply takes a while to read.
            verdicts = await asyncio.to_thread(verdict.parse, reply, notes, shown)
        except (ModelUnavailable, ReplyMalformed, BudgetExhausted) as error:
            if isinstance(error, ModelTimedOut):
                self.failed("learn", error)
            # What was learnt is kept, and attribution decides.
            return lesson
        return judged_by(verdicts, lesson, notes, {part.episode for part in reading.joint.parts})

    def prompt(self, turns: Sequence[Turn]) -> Prompt:
        """What a model is asked about the episode itself."""
        return learn.build(
            turns,
            shown_time=self.show_time,
            language=learn.language_in(turns),
            wishes=self.settings.instructions,
        )

    async def _call(self, model: ChatModel, prompt: Prompt, session: str, now: float) -> str:
        day = utc_day(now)
        used = await self.journal.usage(day)
        if used.calls >= self.settings.daily_calls or used.tokens >= self.settings.daily_tokens:
            raise BudgetExhausted(f"{used.calls} calls, {used.tokens} tokens on {day}")
        # Counted when it is made: one that times out is paid for, too.
        await self.journal.count_usage(day, calls=1, tokens=0)
        completion = await model.complete(prompt, session=session)
        await self.journal.count_usage(day, calls=0, tokens=completion.billed)
        return completion.text


def read(extraction: Extraction) -> Lesson:
    """The lesson of a kept reply."""
    return lesson_from_json(extraction.body)


def _extraction(
    reading: EpisodeReading, place: int, lesson: Lesson, source: Extractor
) -> Extraction:
    """What is kept of one part's lesson, with the verdicts of words where nobody else judged."""
    joint = reading.joint
    part, shown = joint.parts[place], joint.shown_in(place)
    lesson = _judged(lesson, part, shown, joint.repeatable)
    covered = {**dict(lesson.covered), **reading.gaps[place].covered}
    lesson = replace(lesson, covered=tuple(sorted(covered.items())))
    numbers = {number: memory.id for number, memory in joint.known.items()}
    return Extraction(part.episode, numbers, lesson_to_json(lesson), source)


def _awaiting(joint: Joint, found: Gap) -> bool:
    """What people said again themselves is not judged, nor what the model is not shown."""
    (part,) = joint.parts
    known = {memory.id: number for number, memory in joint.repeatable.items()}
    return not {known[id] for id in part.judged if id in known} <= {*found.covered.values()}


def _judged(
    lesson: Lesson, part: JoinedEpisode, shown: Mapping[int, Memory], told: Mapping[int, Memory]
) -> Lesson:
    """The lesson with attribution's verdicts on the memories that nobody else has judged."""
    judged, others = frozenset[int](), shown
    if lesson.useful is not None:
        judged = lesson.useful
        others = {number: memory for number, memory in shown.items() if number not in told}
    if all(turn.role is not Role.ASSISTANT for turn in part.turns):
        return lesson
    said = [turn.text for turn in part.turns if turn.role is not Role.ASSISTANT]
    texts = {number: impersonal(memory) for number, memory in others.items()}
    answers = {number: tuple(part.answers.get(others[number].id, ())) for number in others}
    for heard in {*answers.values()}:
        drawn_on = useful_numbers(heard, said, texts)
        judged |= {number for number in drawn_on if answers[number] == heard}
    return replace(lesson, useful=judged, undecided=undecided_numbers(said, texts))
