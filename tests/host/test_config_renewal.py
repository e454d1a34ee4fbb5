"""Putting changed settings into force over open files, in this process and without a host."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine, RecallRequest
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.host.renewal import Lingering, Renewed
from astrbot_plugin_tidemark.core.model.conversation import Role, Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings

from ..kit import place, until
from ..rig import Rig, open_rig

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")


pytestmark = pytest.mark.usefixtures("host_code")


@dataclass
class Resource:
    settings: object = None
    closed: int = 0

    async def aclose(self) -> None:
        self.closed += 1


@dataclass
class Shell:
    folder: Path
    settings: Settings = field(default_factory=Settings)
    broken: bool = False
    rigs: list[Rig] = field(default_factory=list[Rig])

    async def open(self, stack: AsyncExitStack) -> Parts:
        rig = await open_rig(self.folder, self.settings)
        self.rigs.append(rig)
        stack.push_async_callback(rig.journal.close)
        stack.push_async_callback(rig.store.close)
        return rig.engine.parts

    async def assemble(self, parts: Parts) -> MemoryEngine:
        if self.broken:
            raise StorageError("the journal cannot be read")
        return MemoryEngine(replace(parts, settings=self.settings))

    def turn(self, engine: MemoryEngine) -> Rig:
        return replace(self.rigs[0], engine=engine)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def few(items: int) -> Settings:
    return Settings(recall=RecallSettings(budget_tokens=items))


async def test_a_renewed_engine_has_new_settings_and_old_files(lifetime: Any, shell: Shell) -> None:
    old = await lifetime.engine()
    shell.settings = few(3)
    await lifetime.renew()
    new = await lifetime.engine()
    assert new is not old
    assert new.settings.recall.budget_tokens == 3
    assert (new.parts.store, new.parts.journal) == (old.parts.store, old.parts.journal)


async def test_a_turn_of_the_old_engine_is_learnt_by_the_new(lifetime: Any, shell: Shell) -> None:
    old = shell.turn(await lifetime.engine())
    seq = await old.say(ANN, "My boat is called Petrel")
    await lifetime.renew()
    await old.ask(ANN, "What is my boat called?", turn=seq)
    await old.say(ANN, "A fine name", Role.ASSISTANT)
    new = shell.turn(await lifetime.engine())
    await new.settle()
    assert "My boat is called Petrel" in str(await new.texts(ANN, "What is my boat called?"))
    session = place(ANN).session
    assert [turn.text for turn in await new.journal.last_turns(session, 9)] == [
        "My boat is called Petrel",
        "A fine name",
    ]
    assert await new.journal.recollection(session) is not None


async def test_only_the_engine_in_force_works_in_the_background(lifetime: Any) -> None:
    def jobs() -> int:
        return sum("supervised" in repr(task.get_coro()) for task in asyncio.all_tasks())

    for _ in range(5):
        await lifetime.renew()
    assert jobs() == 1


async def test_changes_at_the_same_time_leave_one_engine(lifetime: Any, shell: Shell) -> None:
    await asyncio.gather(*(lifetime.renew() for _ in range(8)))
    engine = await lifetime.engine()
    rig = shell.turn(engine)
    await rig.say(ANN, "The cellar key is under the fern")
    await rig.settle()
    assert await rig.texts(ANN, "Where is the cellar key?") != []


async def test_a_renewal_that_fails_changes_nothing(lifetime: Any, shell: Shell) -> None:
    old = await lifetime.engine()
    shell.broken = True
    with pytest.raises(StorageError):
        await lifetime.renew()
    assert await lifetime.engine() is old
    rig = shell.turn(old)
    await rig.say(ANN, "The attic is locked")
    await rig.settle()


async def test_after_the_end_nothing_is_renewed(lifetime: Any, shell: Shell) -> None:
    await lifetime.end()
    await lifetime.renew()
    lifetime.wake()
    assert await lifetime.engine() is None
    assert len(shell.rigs) == 1


async def test_the_end_waits_for_what_replaced_engines_write(lifetime: Any, shell: Shell) -> None:
    old = shell.turn(await lifetime.engine())
    seq = await old.say(ANN, "The lamp is green")
    await lifetime.renew()
    recalled = await old.engine.recall(RecallRequest(ANN, "Which colour is the lamp?", seq))
    assert recalled is not None
    await lifetime.end()
    assert old.reports == []


async def test_equal_settings_keep_what_was_made_and_ending_closes_it() -> None:
    renewed = Renewed(Resource)
    first = renewed.under(few(3))
    assert renewed.under(few(3)) is first
    await renewed.aclose()
    assert first.closed == 1
    renewed = Renewed(Resource, linger=3_600.0)
    made = [renewed.under(few(items)) for items in (3, 4, 5)]
    await renewed.aclose()
    assert [resource.closed for resource in made] == [1, 1, 1]
    await Renewed(Resource).aclose()
    await Lingering().aclose()


async def test_what_is_replaced_is_closed_later_and_not_at_once() -> None:
    renewed = Renewed(Resource, linger=0.01)
    first = renewed.under(few(3))
    second = renewed.under(few(4))
    assert first.closed == 0
    await until(lambda: first.closed)
    assert second.closed == 0
    await renewed.aclose()
    assert (first.closed, second.closed) == (1, 1)
