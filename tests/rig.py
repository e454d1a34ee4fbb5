"""An engine over a real journal and a real store, and the few moves of a chat."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, Speaker
from astrbot_plugin_tidemark.core.model.errors import Incidents
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.ports import Filter, Journal, MemoryStore, Reranker
from astrbot_plugin_tidemark.core.privacy.retention import Expired
from astrbot_plugin_tidemark.core.recall.trace import Drop, Recalled
from astrbot_plugin_tidemark.core.scoring.boundaries import BoundaryModels
from astrbot_plugin_tidemark.core.scoring.decision import Fitted
from astrbot_plugin_tidemark.core.settings import Settings
from astrbot_plugin_tidemark.scripts.nights import SleepReport, asleep, drained
from astrbot_plugin_tidemark.storage import open_journal, open_store
from astrbot_plugin_tidemark.storage.sqlite.store import FILE

from .deciding import OPEN
from .kit import FakeClock, FakeEmbedder, ScriptedModel, learnt, person, place, until
from .samples import ANNS, DAY, memory

START = 1_750_000_000.0
MADE: dict[str, bytes] = {}
"""The file of an empty store, once there was one: making its tables takes longest of opening it."""


@dataclass
class Rig:
    """Everything one scenario needs. The clock moves one second with every turn."""

    engine: MemoryEngine
    store: MemoryStore
    journal: Journal
    clock: FakeClock
    model: ScriptedModel
    embedder: FakeEmbedder
    reports: list[str]
    numbers: Iterable[int] = field(default_factory=itertools.count)

    async def say(
        self,
        scope: Scope,
        text: str,
        role: Role = Role.USER,
        *,
        session: str = "",
        by: Speaker | None = None,
    ) -> int:
        self.clock.at += 1
        where, speaker = place(scope, session=session), by or person(scope, role)
        turn = NewTurn(where, role, speaker, text, self.clock.at)
        return (await self.engine.observe(turn)).turn.seq

    async def answer(self, scope: Scope, text: str, *, to: int) -> bool:
        """Whether what the bot says to a turn is on record."""
        bot = person(scope, Role.ASSISTANT)
        turn = NewTurn(place(scope), Role.ASSISTANT, bot, text, self.clock.at)
        return await self.engine.answer(turn, to=to) is not None

    async def tell(self, day: float, *texts: str, reply: str = "Noted") -> None:
        """Ann says so on a day, to a bot that only nods."""
        self.clock.at = START + day * DAY
        for text in texts:
            await self.exchange(ANNS, text, reply)

    async def ask(
        self, scope: Scope, text: str, *, turn: int | None = None, history: Iterable[str] = ()
    ) -> Recalled:
        said = RecallRequest(scope, text, turn, frozenset(history), place=place(scope))
        recalled = await self.engine.recalls.recall(said)
        await self.engine.recalls.recorded()
        assert recalled is not None
        return recalled

    async def keep(self, text: str, scope: Scope, **changes: Any) -> Memory:
        """Put a memory into the store, of this moment."""
        now = {"created_at": self.clock.at, "happened_at": self.clock.at}
        kept = memory(text, **{"scope": scope.key, **now, **changes})
        await self.store.put([kept])
        return kept

    async def texts(self, scope: Scope, text: str) -> list[str]:
        return [memory.text for memory in (await self.ask(scope, text)).memories]

    async def expire(self) -> Expired:
        """Retention of every scope, and the rows that nothing rests on, as nights do it."""
        retention, now = self.engine.retention, self.clock.at
        keys = {*await self.store.scopes(), *await self.journal.scopes()}
        done = [await retention.apply_in(key, now) for key in sorted(keys)]
        await retention.condense(now)
        return Expired(sum(each.binned for each in done), sum(each.emptied for each in done))

    async def settle(self) -> None:
        """Wait until nothing is due or running."""
        assert await drained(self.engine.worker, 120.0)

    async def sleep(self, *, patience: float = 60.0) -> SleepReport:
        """What a sleep of everything did until it was over."""
        return await asleep(self.engine, patience=patience)

    async def pass_time(self, seconds: float = 1_801.0) -> None:
        """Silence, which closes an episode, and what follows from it."""
        self.clock.at += seconds
        await self.engine.jobs.tick()
        self.engine.worker.wake()
        await self.settle()

    async def exchange(self, scope: Scope, text: str, reply: str) -> tuple[Recalled, int]:
        """A whole turn as the host does it: message, recall, answer."""
        seq = await self.say(scope, text)
        recalled = await self.ask(scope, text, turn=seq)
        await self.say(scope, reply, Role.ASSISTANT)
        return recalled, seq

    async def memories(self, *kinds: Kind) -> list[Memory]:
        """Stored memories of these kinds (or all), in any status, oldest first."""
        where = Filter(status=None, kinds=frozenset(kinds) or None)
        found = [memory async for memory in self.store.iterate(where)]
        return sorted(found, key=lambda memory: (memory.created_at, memory.text))

    async def learn(self, *replies: object) -> list[Memory]:
        """Sleep with the model answering so; what has been learnt altogether."""
        self.model.answers = list(replies) or [learnt()]
        # What a busy machine has not done by then would be taken for what the test does next.
        assert (await self.sleep(patience=120.0)).over
        return await self.learnt()

    async def learnt(self) -> list[Memory]:
        """What is more than raw turns."""
        return await self.memories(*set(Kind) - {Kind.EVIDENCE})

    async def embedded(self) -> None:
        """Wait until every recallable memory has a vector."""
        fingerprint = (await self.embedder.identity()).fingerprint

        async def complete() -> bool:
            done, every = await self.store.embedded_count(fingerprint)
            return done == every

        self.engine.backfill.wake()
        await until(complete)

    @property
    def policy(self) -> Tmd:
        return self.engine.policy


def drops(recalled: Recalled) -> dict[str, Drop | None]:
    """Why each candidate was not injected, by memory id."""
    return {c.memory: c.drop for c in recalled.trace.candidates}


async def open_rig(
    folder: Path,
    settings: Settings,
    *,
    store: MemoryStore | None = None,
    journal: Journal | None = None,
    reranker: Reranker | None = None,
    fitted: Fitted = OPEN,
    boundaries: BoundaryModels | None = None,
) -> Rig:
    """A rig whose engine is not started; it brings up whatever is found unless `fitted` decides."""
    clock, model, embedder = FakeClock(START), ScriptedModel([learnt()]), FakeEmbedder()
    reports: list[str] = []
    parts = Parts(
        store=store or await empty_store(folder),
        journal=journal or await open_journal(folder),
        clock=clock,
        models=model,
        embedders=embedder,
        settings=settings,
        report=lambda text, error: reports.append(f"{text}: {error!r}"),
        incidents=Incidents(),
        reranker=reranker,
        fitted=fitted,
        boundaries=boundaries,
    )
    engine = MemoryEngine(parts)
    return Rig(engine, parts.store, parts.journal, clock, model, embedder, reports)


async def empty_store(folder: Path) -> MemoryStore:
    """The store on disk of a folder; where there is none yet, one with nothing in it."""
    file = folder / FILE
    if FILE in MADE:
        if not file.exists():
            file.write_bytes(MADE[FILE])
        return await open_store("sqlite", folder)
    with TemporaryDirectory() as elsewhere:
        await (await open_store("sqlite", Path(elsewhere))).close()
        MADE[FILE] = (Path(elsewhere) / FILE).read_bytes()
    return await empty_store(folder)
