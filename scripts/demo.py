"""`dev.py run --demo`: three people's half year, lived through the pipeline before the start."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

from ..benchmarks.datasets.everyday import TurnClass, everyday
from ..benchmarks.datasets.reading import Complaints
from ..benchmarks.living.installation import DEFAULTS, Installation, opened
from ..benchmarks.living.script import Recorded
from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import RecallRequest
from ..core.model.conversation import ANY_PERSONA, NewTurn, Place, Role, Scope, ScopeKind, Speaker
from ..core.model.memory import Kind
from . import rehearsal
from .demo_lives import GROUP, GROUP_ID, GROUP_NAME, PEOPLE, Person, Told

DAY = 86_400.0
PLATFORM = "qq"
PERSONA = "default" if DEFAULTS.scope.persona_separation else ANY_PERSONA
BOT = Speaker("bot", "")
CHATTER = 70
"""Everyday turns of each person, of which nothing is worth keeping."""

ASKED_EVERY = 9.0
"""Days from one of a person's questions to the next."""

_IDLE = (TurnClass.REMARK, TurnClass.OPENING, TurnClass.KNOWLEDGE)


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the demo."""

    at: float
    place: Place
    speaker: Speaker
    text: str
    label: str = ""
    chat_name: str = ""


async def live(folder: Path, now: float) -> int:
    """Fill an empty data folder; how many messages were said in it."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    said = sorted(_messages(now), key=lambda each: each.at)
    async with opened(folder, HashedEmbedder(), DEFAULTS, "recorded", _learnt()) as at:
        at.clock.at = said[0].at - DAY
        for each in said:
            await _say(at, each)
        await at.until(now)
        await at.settle()
    return len(said)


def _learnt() -> list[Recorded]:
    """What a good reader keeps of it. A line is its own label."""
    everything = [*(each for person in PEOPLE for each in person.told), *(t for *_, t in GROUP)]
    return [
        Recorded(
            told.learnt,
            frozenset({told.text}),
            told.slot,
            told.value,
            kind=Kind(told.kind),
            importance=told.importance,
        )
        for told in everything
    ]


async def _say(at: Installation, said: Said) -> None:
    await at.until(said.at)
    engine, scope = at.engine, Scope.parse(said.place.scope)
    heard = NewTurn(
        said.place, Role.USER, said.speaker, said.text, at.clock.now(), chat_name=said.chat_name
    )
    turn = (await engine.observe(heard)).turn.seq
    if said.label:
        at.told[turn] = said.label
    request = RecallRequest(scope, said.text, turn, frozenset(), asker=said.speaker.id)
    recalled = await engine.recall(request)
    await engine.recorded()
    texts = [] if recalled is None else [memory.text for memory in recalled.memories]
    answer = _answer(said.text, texts)
    reply = NewTurn(said.place, Role.ASSISTANT, BOT, answer, at.clock.now())
    await engine.answer(reply, to=turn)
    await at.work()


def _answer(text: str, known: Sequence[str]) -> str:
    """The rehearsal model's, without what it says of itself."""
    return re.sub(r"^[〔\[].*?[〕\]]\s*", "", rehearsal.answer(text, known))


def _messages(now: float) -> Iterator[Said]:
    chance = Random(7)
    for person in PEOPLE:
        yield from _of_person(person, now, chance)
    scope = Scope(ScopeKind.GROUP, PLATFORM, GROUP_ID, PERSONA)
    place = Place(f"{PLATFORM}:GroupMessage:{GROUP_ID}", "c1", scope.key)
    for id, name, told in GROUP:
        yield Said(
            _time(now, told, chance), place, Speaker(id, name), told.text, told.text, GROUP_NAME
        )


def _of_person(person: Person, now: float, chance: Random) -> Iterator[Said]:
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, person.id, PERSONA)
    place = Place(f"{PLATFORM}:FriendMessage:{person.id}", "c1", scope.key)
    speaker = Speaker(person.id, person.name)
    for told in person.told:
        yield Said(_time(now, told, chance), place, speaker, told.text, told.text)
    first = person.told[0].days_ago
    questions = cycle(person.asked)
    for number in range(int(first / ASKED_EVERY)):
        days_ago = max(0.05, first - 12 - number * ASKED_EVERY)
        yield Said(now - days_ago * DAY, place, speaker, next(questions))
    idle = [e for e in everyday(Complaints()) if e.kind in _IDLE and e.language == person.language]
    for each in chance.sample(idle, min(CHATTER, len(idle))):
        yield Said(now - chance.uniform(0.2, first) * DAY, place, speaker, each.text)


def _time(now: float, told: Told, chance: Random) -> float:
    return now - told.days_ago * DAY - chance.uniform(0, DAY / 4)
