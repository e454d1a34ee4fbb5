"""`dev.py run --demo`: three people's half year, lived through the pipeline before the start."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from random import Random

from ..benchmarks.datasets.everyday import everyday
from ..benchmarks.datasets.reading import Complaints
from ..benchmarks.living.installation import DEFAULTS, Installation, opened
from ..benchmarks.living.script import Idle, Recorded
from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.model import LocalEmbedder
from ..core.engine.recalls import RecallRequest
from ..core.model.conversation import ANY_PERSONA, NewTurn, Place, Role, Scope, ScopeKind, Speaker
from ..core.model.memory import Kind
from ..core.ports import Embedder
from ..core.settings.groups import SleepSettings
from . import rehearsal
from .demo_lives import GROUP, GROUP_ID, GROUP_NAME, NAMES, OPPOSED, PEOPLE, YU, Person, Told
from .hostkit.root import USER

DAY = 86_400.0
PLATFORM = "qq"
PERSONA = "default" if DEFAULTS.scope.persona_separation else ANY_PERSONA
BOT = Speaker("bot", "")
SETTINGS = replace(DEFAULTS, sleep=SleepSettings(quiet_minutes=1e9))
"""What the defaults do, without the sleep after each chat: the night's does the same."""

CHATTER = 40
"""Everyday turns of each person, of which nothing is worth keeping."""

ASKED_EVERY = 6.0
"""Days from one of a person's questions to the next."""

HALF_YEAR = 184.0
LATELY = 14.0
MONTH = 30 * DAY
"""Seconds from one night to the next when nobody has talked for two nights."""

PAGE, WEBCHAT, YU_ACCOUNT = ("dashboard", USER), ("webchat", USER), (PLATFORM, YU.id)
"""Who logs in to the page is 小雨, there, in the web chat and in hers."""

EVERYTHING = (*(each for person in PEOPLE for each in person.told), *(told for *_, told in GROUP))
KNOWN = frozenset({told.text for told in EVERYTHING} | {told.learnt for told in EVERYTHING} - {""})

_IDLE = (Idle.REMARK, Idle.OPENING, Idle.KNOWLEDGE)


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the demo."""

    at: float
    place: Place
    speaker: Speaker
    text: str
    label: str = ""
    chat_name: str = ""


async def live(
    folder: Path, now: float, last_days: float = HALF_YEAR, models: Path | None = None
) -> int:
    """Fill an empty data folder with so many days; how many messages were said in it.

    What is recalled is found by the model that is installed in `models`, as later by its owner.
    """
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        embedder: Embedder = HashedEmbedder()
        if models is not None:
            embedder = local = LocalEmbedder(models)
            stack.push_async_callback(local.aclose)
        return await _live(folder, now, last_days, embedder)


async def _live(folder: Path, now: float, last_days: float, embedder: Embedder) -> int:
    since = now - last_days * DAY
    said = sorted((e for e in _messages(now) if e.at >= since), key=lambda each: each.at)
    async with opened(folder, embedder, SETTINGS, "recorded", _learnt()) as at:
        at.clock.at, at.quiet = said[0].at - DAY, MONTH
        at.model.opposed, at.model.names = OPPOSED, NAMES
        for each in said:
            await _say(at, each)
        await at.until(now)
        await at.settle()
        for account in (PAGE, WEBCHAT, YU_ACCOUNT):
            await at.engine.journal.set_alias(*account, YU.name)
    return len(said)


def _learnt() -> list[Recorded]:
    """What a good reader keeps of it. A line is its own label."""
    return [
        Recorded(
            told.learnt,
            frozenset({told.text}),
            told.slot,
            told.value,
            kind=Kind(told.kind),
            importance=told.importance,
        )
        for told in EVERYTHING
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
    recalled = await engine.recalls.recall(request)
    await engine.recalls.recorded()
    texts = [] if recalled is None else [memory.text for memory in recalled.memories]
    known = [text for text in texts if text.partition("\n")[0] in KNOWN]
    answer = _answer(said.text, known)
    reply = NewTurn(said.place, Role.ASSISTANT, BOT, answer, at.clock.now())
    await engine.answer(reply, to=turn)
    await at.work()


def _answer(text: str, known: Sequence[str]) -> str:
    """The rehearsal model's, without what it says of itself; to what is no question, a word."""
    answer = re.sub(r"^[〔\[].*?[〕\]]\s*", "", rehearsal.answer(text, known))
    return answer if any(f"- {each}" in answer for each in known) else "……"


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
        days_ago = _day(max(0.05, first - 12 - number * ASKED_EVERY))
        yield Said(now - days_ago * DAY, place, speaker, next(questions))
    idle = [e for e in everyday(Complaints()) if e.kind in _IDLE and e.language == person.language]
    for each in chance.sample(idle, min(CHATTER, len(idle))):
        days_ago = _day(chance.uniform(0.2, first)) + chance.uniform(0, 0.25)
        yield Said(now - days_ago * DAY, place, speaker, each.text)


def _time(now: float, told: Told, chance: Random) -> float:
    return now - _day(told.days_ago) * DAY - chance.uniform(0, DAY / 4)


def _day(days_ago: float) -> float:
    """Days before the last ones: people talk once a week, and a life is lived in less time."""
    return days_ago if days_ago < LATELY else round(days_ago / 7) * 7
