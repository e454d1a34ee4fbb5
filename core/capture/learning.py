"""What an episode teaches: one model call, one repair, else the rules. Kept before it is used."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Protocol

from ..conflict.slots import names_of_kin
from ..feedback.attribute import undecided_numbers, useful_numbers
from ..languages.detection import language_of
from ..model.conversation import Role, Scope, ScopeKind, Turn
from ..model.errors import BudgetExhausted, ModelUnavailable, ReplyMalformed
from ..model.lesson import Lesson
from ..model.memory import Extractor, Kind, Memory
from ..model.times import utc_day
from ..ports import (
    ChatModel,
    Extraction,
    Extractions,
    Filter,
    MemoryReader,
    ModelSource,
    ModelUsage,
    Prompt,
    Recalls,
    TextSearch,
    Turns,
)
from ..prompts import learn
from ..prompts.lesson_json import lesson_from_json, lesson_to_json
from ..records.corroboration import impersonal
from ..settings import LearningSettings
from . import rule_extraction as rules
from .antecedents import Names
from .dating import dated
from .grounding import held_against
from .rule_claims import with_rule_claims

LEFT_OUT = "…"
"""Stands for what a lesson must not repeat."""

MOST_INTENDED = 5
MOST_SEARCHED = 20
"""Open intentions that an episode is read beside, and those that are looked at for them."""

MOST_NAMES = 40
"""Names of one speaker's relatives and pets that the rules know."""

LONGEST_QUERY = 2_000


class LearningJournal(Turns, Recalls, Extractions, ModelUsage, Protocol):
    """What is learnt from, and where the reply and its cost are kept."""


class LearnerStore(MemoryReader, TextSearch, Protocol):
    """What is known already."""


@dataclass(frozen=True, slots=True)
class Learner:
    """Reads one closed episode. Holds no state of its own."""

    journal: LearningJournal
    store: LearnerStore
    models: ModelSource
    settings: LearningSettings
    show_time: Callable[[float], str]

    async def extraction(
        self, episode: str, *, now: float, last_try: bool, where: tzinfo | None = None
    ) -> Extraction:
        """The kept reply for the episode, made now if there is none yet.

        People speak of days in the zone `where` (None: the machine's own).
        Raises ModelUnavailable when a configured model cannot be reached, unless this is the
        last try: then the rules read the episode. The same when the day's budget is spent.
        """
        kept = await self.journal.extraction(episode)
        if kept is not None:
            return kept
        turns = await self.journal.turns_of(episode)
        known = await self._known(episode, turns)
        told = _repeatable(known, turns)
        shown = [replace(turn, text=LEFT_OUT) if turn.private_reply else turn for turn in turns]
        names = await self._names(shown)
        lesson, source = await self._lesson(shown, told, names, now=now, last_try=last_try)
        numbers = {number: memory.id for number, memory in known.items()}
        if source is Extractor.MODEL:
            lesson = with_rule_claims(lesson, shown, names)
            lesson = await asyncio.to_thread(held_against, lesson, shown, known, where)
        lesson = dated(_judged(lesson, turns, known, told), turns, where)
        body = lesson_to_json(lesson)
        return await self.journal.save_extraction(Extraction(episode, numbers, body, source))

    async def _known(self, episode: str, turns: Sequence[Turn]) -> dict[int, Memory]:
        """What the episode was shown, and open intentions that its people may be talking about."""
        shown = dict.fromkeys(item.memory for item in await self.journal.injected_in(episode))
        found = await self.store.find(list(shown))
        open_ones = [m for m in await self._intended(turns) if m.id not in shown]
        return dict(enumerate([*found, *open_ones], start=1))

    async def _intended(self, turns: Sequence[Turn]) -> list[Memory]:
        said = [turn for turn in turns if turn.role is not Role.ASSISTANT]
        if not said or self.settings.extractor == "rules":
            return []
        text = " ".join(turn.text for turn in said)[:LONGEST_QUERY]
        scope, kinds = frozenset({said[0].place.scope}), frozenset({Kind.PROSPECTIVE})
        hits = await self.store.search_text(text, scope, limit=MOST_SEARCHED, kinds=kinds)
        found = await self.store.find([hit.id for hit in hits], scope)
        # Its own may have been marked in an episode whose end has moved since.
        seqs, episode = {turn.seq for turn in turns}, said[0].episode
        earlier = [m for m in found if m.origin.episode != episode]
        earlier = [m for m in earlier if seqs.isdisjoint(m.origin.turns[:1])]
        return [m for m in earlier if m.intended and m.intended.pending][:MOST_INTENDED]

    async def _names(self, turns: Sequence[Turn]) -> Names:
        """What the speakers have called their relatives and pets."""
        found: dict[str, dict[str, str]] = {}
        for turn in {
            turn.speaker.id: turn for turn in turns if turn.role is not Role.ASSISTANT
        }.values():
            group = Scope.parse(turn.place.scope).kind is ScopeKind.GROUP
            slots = names_of_kin(turn.speaker.id if group else "")
            where = Filter(
                frozenset({turn.place.scope}), recallable=True, slots=frozenset(slots), holds=True
            )
            claims = [memory.claim for memory in await self.store.page(where, limit=MOST_NAMES)]
            found[turn.speaker.id] = {c.value: slots[c.slot] for c in claims if c is not None}
        return found

    async def _lesson(
        self,
        turns: Sequence[Turn],
        known: Mapping[int, Memory],
        names: Names,
        *,
        now: float,
        last_try: bool,
    ) -> tuple[Lesson, Extractor]:
        try:
            model = await self._model(turns)
            if model is None:
                return rules.extract(turns, names), Extractor.RULES
            return await self._ask(model, turns, known, now), Extractor.MODEL
        except (ReplyMalformed, BudgetExhausted):
            return rules.extract(turns, names), Extractor.RULES
        except ModelUnavailable:
            if not last_try:
                raise
            return rules.extract(turns, names), Extractor.RULES

    async def _model(self, turns: Sequence[Turn]) -> ChatModel | None:
        if not turns or self.settings.extractor == "rules":
            return None
        return await self.models.choose(turns[0].place.session)

    async def _ask(
        self, model: ChatModel, turns: Sequence[Turn], known: Mapping[int, Memory], now: float
    ) -> Lesson:
        session = turns[0].place.session
        language = language_of(" ".join(turn.text[:200] for turn in turns))
        prompt = learn.build(
            turns,
            known,
            shown_time=self.show_time,
            language=language,
            wishes=self.settings.instructions,
        )
        numbers = frozenset(known)

        async def lesson(reply: str) -> Lesson:
            # A reply of many thousand wrong items takes a while to read.
            return await asyncio.to_thread(learn.parse, reply, turns=len(turns), known=numbers)

        reply = await self._call(model, prompt, session, now)
        try:
            return await lesson(reply)
        except ReplyMalformed as malformed:
            again = learn.repair(prompt, reply, malformed.problems)
        return await lesson(await self._call(model, again, session, now))

    async def _call(self, model: ChatModel, prompt: Prompt, session: str, now: float) -> str:
        day = utc_day(now)
        used = await self.journal.usage(day)
        if used.calls >= self.settings.daily_calls or used.tokens >= self.settings.daily_tokens:
            raise BudgetExhausted(f"{used.calls} calls, {used.tokens} tokens on {day}")
        completion = await model.complete(prompt, session=session)
        await self.journal.count_usage(day, calls=1, tokens=completion.billed)
        return completion.text


def read(extraction: Extraction) -> Lesson:
    """The lesson of a kept reply."""
    return lesson_from_json(extraction.body)


def _repeatable(known: Mapping[int, Memory], turns: Sequence[Turn]) -> Mapping[int, Memory]:
    """What a lesson of these turns may repeat.

    A private memory that its person lets be used in a group answers that person alone there;
    what the model makes of it would be the group's.
    """
    kinds = {Scope.parse(turn.place.scope).kind for turn in turns}
    if ScopeKind.GROUP not in kinds:
        return known
    return {
        number: memory
        for number, memory in known.items()
        if Scope.parse(memory.scope).kind is not ScopeKind.PRIVATE
    }


def _judged(
    lesson: Lesson,
    turns: Sequence[Turn],
    known: Mapping[int, Memory],
    told: Mapping[int, Memory],
) -> Lesson:
    """The lesson with attribution's verdicts on the memories that nobody else has judged."""
    judged, others = frozenset[int](), known
    if lesson.useful is not None:
        judged = lesson.useful
        others = {number: memory for number, memory in known.items() if number not in told}
    replies = [turn.text for turn in turns if turn.role is Role.ASSISTANT]
    if not replies:
        return lesson
    said = [turn.text for turn in turns if turn.role is not Role.ASSISTANT]
    texts = {number: impersonal(memory) for number, memory in others.items()}
    useful = judged | useful_numbers(replies, said, texts)
    return replace(lesson, useful=useful, undecided=undecided_numbers(said, texts))
