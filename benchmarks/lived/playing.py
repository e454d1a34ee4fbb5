"""A written life played through a real host, day by day, and what was kept of each day.

Days are kept as they are done, with the host's data at the last of them: the same command goes on
from there. In private the host answers every message; where the life has no answer the bot says a
word. Before a message is said all that is due has been done, while the clock stands still, however
long the model takes. The product sleeps by itself, at four in the morning and where it is quiet.
"""

import asyncio
import json
import re
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ...core.model.errors import ModelUnavailable
from ...core.model.memory import LEARNT, Memory
from ...core.ports import Filter, Prompt
from ...core.settings.groups import CaptureSettings
from ...scripts import rehearsal
from ...scripts.hostkit.bench import Bench, bench
from ...scripts.hostkit.model_server import ChatRequest, ModelServer, Purpose, Reply, text_of
from ...scripts.hostkit.root import PLUGIN
from ...storage import open_journal, open_store
from ...storage.journal import FILE as JOURNAL
from ..command import progress
from ..datasets.reading import NoData
from ..kept_replies import PATIENCE, KeptModel
from .life import WORD, Life, Said

GROUP = 5000
FIRST_USER = 1001
NIGHT = timedelta(hours=4, minutes=1)
TURNS = 20
"""How much of the chat the bot's own model still sees: a host that is never told so keeps it all,
and then a memory has nothing to add for weeks."""

_SILENCE = CaptureSettings().episode_silence_minutes * 60 + 1
_ANSWER_WITHIN = 180.0
_WORK_WITHIN = 7_200.0
_LOOK = 0.05
_SEEN_BY_CHAT = (Purpose.CHAT, Purpose.TITLE)
_OPEN = """SELECT
 EXISTS (SELECT 1 FROM work WHERE state = 'ready' AND not_before <= :now)
 OR EXISTS (SELECT 1 FROM episodes WHERE closed_at IS NULL AND last_at <= :now - :silence)"""
_OURS = re.compile(r"<tidemark-(?:memories|profile)>.*?</tidemark-(?:memories|profile)>", re.S)
_NOT_COPIED = ("models", "plugins", "temp", "*.db", "*.db-wal", "*.db-shm")


@dataclass(slots=True)
class Learner:
    """The model behind the plugin: of an endpoint with kept replies, or the rehearsal model."""

    kept: KeptModel | None
    failures: int = 0

    async def respond(self, request: ChatRequest) -> Reply:
        """A reply that the plugin bills as the endpoint did."""
        if self.kept is None:
            return rehearsal.respond(request)
        told = request.body.get("response_format", {}).get("json_schema", {})
        prompt = Prompt(request.system, request.user, told.get("schema", {}), told.get("name", ""))
        try:
            completion = await self.kept.complete(prompt, session="month")
        except ModelUnavailable as error:
            self.failures += 1
            return Reply(str(error), status=502)
        self.failures = 0
        # The server adds what was asked, by an estimate, to what it is told of the reply.
        asked = sum(len(text_of(each.get("content"))) for each in request.messages) // 2
        return Reply(completion.text, billed=completion.tokens - asked)


@dataclass(slots=True)
class Chat:
    """One life in a running host."""

    life: Life
    host: Bench
    learner: Learner
    reply: str = ""

    def respond(self, request: ChatRequest) -> Any:
        """The bot says what is written."""
        if request.purpose in _SEEN_BY_CHAT:
            return Reply(self.reply)
        return self.learner.respond(request)

    async def say(self, said: Said) -> dict[str, Any]:
        """One message at its time: the host's request for its answer, if it is to be answered."""
        await self.until(said.at)
        self.host.model.clear()
        user = FIRST_USER + self.life.speakers.index(said.who)
        group = GROUP if self.life.group else None
        before, shown = self._turns(), list[str]()
        self.reply = said.reply or WORD[self.life.name.startswith("zh")]
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                if said.addressed:
                    await self.host.chat.ask(user, said.text, group=group, mention=bool(group))
                else:
                    await self.host.chat.say(user, said.text, group=group)
                await self._recorded(before + 1 + said.addressed)
        except TimeoutError:
            progress(f"{self.life.name}:{said.line}: not answered, or not recorded")
        if asked := self.host.model.asked():
            parts = [asked[-1].system, *asked[-1].user_parts]
            shown = [text for part in parts for text in _OURS.findall(part)]
        return {"said": said.number, "shown": shown}

    async def until(self, at: float) -> None:
        """The time is `at`, after the night if there is one between, and all that is due is done.

        The clock stands still meanwhile.
        """
        clock = self.host.clock
        zone = ZoneInfo(self.life.zone)
        today = datetime.fromtimestamp(clock.now(), zone).replace(
            hour=0, minute=0, second=0, microsecond=0
        )
        for days in (0, 1):
            night = (today + timedelta(days=days) + NIGHT).timestamp()
            if clock.now() < night < at:
                await self._done(night)
        await self._done(max(at, clock.now()))

    async def _done(self, at: float) -> None:
        until, idle = time.monotonic() + _WORK_WITHIN, 0
        while idle < 2:
            self.host.clock.set_time(at)
            [due] = self._journal(_OPEN, {"now": at, "silence": _SILENCE})
            idle = 0 if due else idle + 1
            if self.learner.failures >= PATIENCE or time.monotonic() > until:
                raise NoData("the model does not answer; what was answered is kept")
            await asyncio.sleep(_LOOK)
        self.host.clock.set_time(at)

    async def _recorded(self, turns: int) -> None:
        while True:
            if self._turns() >= turns:
                return
            await asyncio.sleep(_LOOK)

    def _turns(self) -> int:
        [count] = self._journal("SELECT COUNT(*) FROM turns", {})
        return count

    def _journal(self, query: str, values: Mapping[str, float]) -> tuple[int]:
        file = self.host.root.plugin_data / JOURNAL
        if not file.exists():
            return (0,)
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)) as con:
            return con.execute(query, values).fetchone()


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the days of a life are kept, and the host's data at the end of the last one."""

    folder: Path

    def days(self) -> list[dict[str, Any]]:
        """Days that are done, oldest first."""
        files = sorted(self.folder.glob("day-*.json"))
        return [json.loads(file.read_text("utf-8")) for file in files]

    def restore(self, root: Path) -> None:
        """What the host goes on with."""
        if (data := self.folder / "data").is_dir():
            shutil.copytree(data, root / "data")

    async def keep(self, chat: Chat, day: dict[str, Any]) -> None:
        """The host's data as it is, then the day: without it the data are of no day."""
        fresh, data = self.folder / "fresh", self.folder / "data"
        shutil.rmtree(fresh, ignore_errors=True)
        copied(chat.host.root.path / "data", fresh)
        day |= await left_behind(fresh / "plugin_data" / PLUGIN)
        shutil.rmtree(data, ignore_errors=True)
        fresh.rename(data)
        file = self.folder / f"day-{day['day']:02}.json"
        file.write_text(json.dumps(day, ensure_ascii=False, indent=1), "utf-8")


def copied(source: Path, target: Path) -> None:
    """A copy of the folder of a running host: each database as of one moment."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*_NOT_COPIED))
    for file in source.rglob("*.db"):
        place = target / file.relative_to(source)
        if place.parent.is_dir():
            with closing(sqlite3.connect(file)) as own, closing(sqlite3.connect(place)) as other:
                own.backup(other)


async def left_behind(folder: Path) -> dict[str, Any]:
    """What the plugin's data hold: learnt memories, and what its model has cost so far."""
    store = await open_store("sqlite", folder)
    try:
        memories = [
            told(memory)
            async for memory in store.iterate(Filter(status=None))
            if memory.kind in LEARNT
        ]
    finally:
        await store.close()
    journal = await open_journal(folder)
    try:
        usage: dict[str, Counter[str]] = {}
        for each in await journal.expenses():
            spent = {"calls": each.calls, "tokens": each.tokens}
            usage.setdefault(each.purpose.value, Counter()).update(spent)
    finally:
        await journal.close()
    return {"memories": memories, "usage": usage}


def told(memory: Memory) -> dict[str, Any]:
    """What is judged of a memory."""
    return {
        "text": memory.text,
        "kind": memory.kind.value,
        "about": list(memory.about),
        "speaker": memory.speaker.name if memory.speaker else "",
        "at": memory.created_at,
        "live": memory.recallable,
        "holds": memory.claim is None or memory.holds,
    }


async def played(
    life: Life, learner: Learner, folder: Path, *, days: int, models: Path
) -> list[dict[str, Any]]:
    """Its first days, all for 0; those that are kept in the folder are not played again."""
    wanted = sorted({one.day for one in life.said})[: days or None]
    kept = Kept(folder / f"{life.name}-{version(life, learner)}")
    kept.folder.mkdir(parents=True, exist_ok=True)
    done = kept.days()
    if len(done) >= len(wanted):
        return done[: len(wanted)]
    began = time.monotonic()
    async with staged(life, learner, kept, models) as chat:
        start = time.monotonic() - began
        for day in wanted[len(done) :]:
            began = time.monotonic()
            turns = [await chat.say(one) for one in life.said if one.day == day]
            await chat.until(end_of(life, day))
            seconds = round(time.monotonic() - began, 1)
            record = {"day": day, "turns": turns, "seconds": seconds, "start": round(start, 1)}
            await kept.keep(chat, record)
            progress(f"{life.name} day {day}: {len(turns)} messages, {seconds} s")
    return kept.days()[: len(wanted)]


def end_of(life: Life, day: int) -> float:
    """The time at which a day is over: at night, or before somebody speaks who is up late."""
    zone = ZoneInfo(life.zone)
    last = max(one.at for one in life.said if one.day == day)
    first = datetime.fromtimestamp(life.said[0].at, zone).replace(hour=0, minute=0, second=0)
    night = (first + timedelta(days=day - life.said[0].day + 1) + NIGHT).timestamp() + 60
    after = [one.at for one in life.said if one.day > day]
    return max(last, min([night, *(at - 60 for at in after[:1])]))


@asynccontextmanager
async def staged(life: Life, learner: Learner, kept: Kept, models: Path) -> AsyncIterator[Chat]:
    """A host in which the days that are kept have passed."""
    names = {FIRST_USER + number: name for number, name in enumerate(life.speakers)}
    settings = {"recall": {"deadline_ms": 10_000}, "display": {"timezone": life.zone}}
    done = {day["day"] for day in kept.days()}
    began = end_of(life, max(done)) if done else life.said[0].at - 60
    room = kept.folder / "host"
    shutil.rmtree(room, ignore_errors=True)
    kept.restore(room / "host")
    try:
        async with ModelServer.running(learner.respond) as server:
            if learner.kept is not None:
                settings["learning"] = {
                    "extractor": "endpoint",
                    "endpoint_url": server.source.url,
                    "endpoint_model": learner.kept.name,
                }
            seen = {"agent_runner": {"config": {"compression": {"max_turns": TURNS}}}}
            async with bench(
                room, names, began=began, plugin_config=settings, overrides=seen, models=models
            ) as host:
                chat = Chat(life, host, learner)
                host.model.respond = chat.respond
                yield chat
    finally:
        shutil.rmtree(room, ignore_errors=True)


def version(life: Life, learner: Learner) -> str:
    """A digest of all that decides what is kept: the life, the model, and the product's code."""
    said = [(one.at, one.who, one.text, one.addressed, one.reply) for one in life.said]
    digest = blake2b(repr((life.zone, TURNS, said)).encode(), digest_size=8)
    if learner.kept is not None:
        digest.update(f"{learner.kept.keeping.measured} {learner.kept.name}".encode())
    digest.update(Path(__file__).read_bytes())
    checkout = Path(__file__).resolve().parents[2]
    for room in ("core", "storage", "commands"):
        for file in sorted((checkout / room).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
