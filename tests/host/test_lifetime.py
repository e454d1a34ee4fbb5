"""An engine over open files: opened late, put under other settings, opened anew, taken away."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.actions.tools import ToolRefusal
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.host.renewal import Lingering, Renewed
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.recall.trace import SilenceReason, readable
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings, configure
from astrbot_plugin_tidemark.core.transfer.backup import Occasion
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.storage.files import LocalFiles
from astrbot_plugin_tidemark.storage.lease import FILE, Holder
from astrbot_plugin_tidemark.tests.storage.memories import memory

from ..kit import place, until
from ..rig import START, Rig, open_rig
from ..samples import ANNS
from .test_identity import Nobody, event

pytestmark = pytest.mark.usefixtures("host_code")
PATIENT = Settings(recall=RecallSettings(deadline_ms=10_000))
"""On a busy machine a recall may not be ready in time."""


@dataclass
class Shell:
    """Opens a data folder and makes an engine over it; either may fail, and opening may wait."""

    folder: Path
    settings: Settings = PATIENT
    unopenable: Exception | None = None
    unmakeable: bool = False
    lost: Callable[[], object] = lambda: None
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    opened: list[DataFolder] = field(default_factory=list[DataFolder])
    rigs: list[Rig] = field(default_factory=list[Rig])

    def __post_init__(self) -> None:
        self.gate.set()

    async def open(self, stack: AsyncExitStack) -> Parts:
        await self.gate.wait()
        if self.unopenable is not None:
            raise self.unopenable
        files = LocalFiles(self.folder, holder=Holder(lost=self.lost))
        self.opened.append(data := await DataFolder.open(files, "sqlite"))
        stack.push_async_callback(data.aclose)
        rig = await open_rig(self.folder, PATIENT, store=data.store, journal=data.journal)
        self.rigs.append(rig)
        return rig.engine.parts

    async def assemble(self, parts: Parts) -> MemoryEngine:
        if self.unmakeable:
            raise StorageError("the journal cannot be read")
        return MemoryEngine(replace(parts, settings=self.settings))

    def turn(self, engine: MemoryEngine) -> Rig:
        return replace(self.rigs[-1], engine=engine, store=engine.store, journal=engine.journal)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


async def test_what_is_said_waits_while_memory_is_opened_who_asks_does_not(shell: Shell) -> None:
    from astrbot_plugin_tidemark.core.host.lifetime import Lifetime

    shell.gate.clear()
    lifetime = Lifetime(shell.open, shell.assemble)
    lifetime.begin()
    recording = asyncio.create_task(lifetime.engine())
    assert await lifetime.engine(0.05) is None
    assert lifetime.problem is None
    # Longer than anybody waits for an answer.
    done, _ = await asyncio.wait({recording}, timeout=3.2)
    assert not done
    shell.gate.set()
    engine = await recording
    assert engine.clock.now() == START
    await lifetime.end()


async def not_open() -> None:
    return None


async def test_while_memory_is_not_open_both_tools_say_so() -> None:
    from astrbot_plugin_tidemark.core.host.tools import ToolHooks

    hooks = ToolHooks(None, "astrbot_plugin_tidemark", not_open, None, None)
    assert await hooks.recall(None, "bees") == ToolRefusal.NOT_AVAILABLE
    assert await hooks.remember(None, "Ann keeps bees") == ToolRefusal.NOT_AVAILABLE


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
    seq = await old.say(ANNS, "My boat is called Petrel")
    await lifetime.renew()
    await old.ask(ANNS, "What is my boat called?", turn=seq)
    await old.say(ANNS, "A fine name", Role.ASSISTANT)
    new = shell.turn(await lifetime.engine())
    await new.settle()
    assert "My boat is called Petrel" in str(await new.texts(ANNS, "What is my boat called?"))
    session = place(ANNS).session
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
    await rig.say(ANNS, "The cellar key is under the fern")
    await rig.settle()
    assert await rig.texts(ANNS, "Where is the cellar key?") != []


async def test_a_renewal_that_fails_changes_nothing(lifetime: Any, shell: Shell) -> None:
    old = await lifetime.engine()
    shell.unmakeable = True
    with pytest.raises(StorageError):
        await lifetime.renew()
    assert await lifetime.engine() is old
    rig = shell.turn(old)
    await rig.say(ANNS, "The attic is locked")
    await rig.settle()


async def test_after_the_end_nothing_is_renewed(lifetime: Any, shell: Shell) -> None:
    await lifetime.end()
    await lifetime.renew()
    lifetime.wake()
    assert await lifetime.engine() is None
    assert len(shell.rigs) == 1


async def test_the_end_waits_for_what_replaced_engines_write(lifetime: Any, shell: Shell) -> None:
    old = shell.turn(await lifetime.engine())
    seq = await old.say(ANNS, "The lamp is green")
    await lifetime.renew()
    recalled = await old.engine.recalls.recall(
        RecallRequest(ANNS, "Which colour is the lamp?", seq)
    )
    assert recalled is not None
    await lifetime.end()
    assert old.reports == []


@dataclass
class Resource:
    settings: object = None
    closed: int = 0

    async def aclose(self) -> None:
        self.closed += 1


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


async def test_a_restored_backup_is_what_the_next_turn_uses(lifetime: Any, shell: Shell) -> None:
    chat = shell.turn(await lifetime.engine())
    await chat.say(ANNS, "My boat is called Petrel")
    await chat.settle()
    backup = await shell.opened[0].backups.make(Occasion.ASKED, 5.0)
    await chat.say(ANNS, "My cat is called Minka")
    await chat.settle()
    await shell.opened[0].backups.stage(backup.name)
    await lifetime.reopen()
    chat = shell.turn(await lifetime.engine())
    assert "Petrel" in str(await chat.texts(ANNS, "What is my boat called?"))
    assert "Minka" not in str(await chat.texts(ANNS, "What is my cat called?"))
    seq = await chat.say(ANNS, "My dog is called Rex")
    await chat.settle()
    assert await chat.journal.turn(seq) is not None
    assert "Rex" in str(await chat.texts(ANNS, "What is my dog called?"))


async def test_who_asks_meanwhile_waits_for_the_new_files(lifetime: Any, shell: Shell) -> None:
    old = await lifetime.engine()
    reopening = asyncio.create_task(lifetime.reopen())
    await until(lambda: len(shell.opened) == 2 or lifetime._engine is None)
    new = await lifetime.engine()
    await reopening
    assert new is not old
    await shell.turn(new).say(ANNS, "hello")


@pytest.mark.parametrize(
    "fault", [StorageError("the disk is gone"), ValueError("not thought of")], ids=str
)
async def test_what_is_in_the_way_of_reopening_is_raised_and_tried_again(
    lifetime: Any, shell: Shell, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """A damaged note was neither caught nor tried again: memory was gone until a restart."""
    monkeypatch.setattr("astrbot_plugin_tidemark.core.host.lifetime.RETRY", (0.01,))
    shell.unopenable = fault
    with pytest.raises(type(fault), match=str(fault)):
        await lifetime.reopen()
    assert await lifetime.engine() is None
    shell.unopenable = None
    await until(lifetime.engine)
    await until(lambda: lifetime.problem is None)


async def test_what_is_repaired_while_memory_is_shut_opens_it(lifetime: Any, shell: Shell) -> None:
    shell.unopenable = StorageError("the disk is gone")
    with pytest.raises(StorageError, match="the disk is gone"):
        await lifetime.reopen()

    async def nothing() -> None:
        return None

    async def repair() -> None:
        shell.unopenable = None

    assert isinstance(await lifetime.repair(nothing), StorageError)
    assert await lifetime.repair(repair) is None
    assert await lifetime.engine() is not None


async def test_reopening_before_anything_is_open_does_nothing(shell: Shell) -> None:
    from astrbot_plugin_tidemark.core.host.lifetime import Lifetime

    await Lifetime(shell.open, shell.assemble).reopen()
    assert shell.opened == []


async def test_an_end_during_reopening_leaves_nothing_open(lifetime: Any, shell: Shell) -> None:
    reopening = asyncio.create_task(lifetime.reopen())
    await asyncio.sleep(0)
    ending = asyncio.create_task(lifetime.end())
    reopening.cancel()
    await asyncio.gather(reopening, ending, return_exceptions=True)
    assert lifetime._engine is None
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("tidemark")]


async def test_memory_that_was_taken_is_let_go_and_had_again_once_it_is_free(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    from astrbot_plugin_tidemark.core.host import lifetime as module

    monkeypatch.setattr(module, "TURN_SECONDS", 0.05)
    lifetime = module.Lifetime(shell.open, shell.assemble)
    shell.lost = lifetime.lost
    lifetime.begin()
    engine = await lifetime.engine()
    assert gc.get_freeze_count() > 10_000, "what is loaded is not gone over again and again"
    (tmp_path / FILE).unlink()
    other = await DataFolder.open(LocalFiles(tmp_path), "sqlite")
    # Work in the background may have noticed first, and closed it.
    with pytest.raises(StorageError):
        await engine.store.put([memory("late")])

    async def refused() -> bool:
        return isinstance(lifetime.problem, StorageError)

    await until(refused)
    assert lifetime.problem.fault is Fault.HELD
    assert await lifetime.engine() is None
    await other.store.put([memory("theirs")])
    await other.aclose()

    async def had() -> bool:
        return await lifetime.engine() is not None

    await until(had)
    engine = await lifetime.engine()
    assert await engine.store.put([memory("late")]) == {"late"}
    await lifetime.end()
    assert gc.get_freeze_count() == 0


class Quiet(Nobody):
    """A host without providers, whose settings are the usual ones."""

    def get_config(self, umo: str = "") -> dict[str, Any]:
        return {}

    async def get_current_chat_provider_id(self, session: str) -> str:
        return ""

    def get_provider_by_id(self, id: str) -> None:
        return None


def hello() -> Any:
    said = event("FriendMessage", session="anna")
    for name, value in {
        "message": [],
        "raw_message": None,
        "message_id": "7",
        "self_id": "1",
    }.items():
        setattr(said.message_obj, name, value)
    return said


@dataclass
class Scene:
    """The hooks over a real engine; a turn is recorded by `append`."""

    rig: Rig
    hooks: Any
    append: Callable[..., Awaitable[Any]]
    tasks: list[asyncio.Task[Any]] = field(default_factory=list[asyncio.Task[Any]])

    async def asked(self, message: Any) -> str | None:
        from astrbot.api.provider import ProviderRequest

        return await self.hooks.on_request(message, ProviderRequest(prompt="hello"))


@pytest_asyncio.fixture(loop_scope="session")
async def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    from astrbot_plugin_tidemark.core.host.media import PictureCaptions
    from astrbot_plugin_tidemark.core.host.turns import TurnHooks

    settings: Settings = configure({"recall": {"deadline_ms": 100}}).settings
    rig = await open_rig(tmp_path, settings)
    # Nothing is ready at once.
    monkeypatch.setattr(rig.engine.recalls, "deadline", 0.0)
    append = rig.journal.append
    monkeypatch.setattr(rig.journal, "append", lambda *given: made.append(*given))
    quiet: Any = Quiet()

    def own(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        made.tasks.append(asyncio.create_task(work, name=work.__qualname__))
        return made.tasks[-1]

    async def engine() -> Any:
        return rig.engine

    hooks = TurnHooks(quiet, "tidemark", engine, own, PictureCaptions(quiet, own))
    made = Scene(rig, hooks, append)
    yield made
    await rig.engine.finish()
    await rig.store.close()
    await rig.journal.close()


async def test_it_is_recorded_once_and_after_the_answer_went_on(scene: Scene) -> None:
    gate, append, message = asyncio.Event(), scene.append, hello()

    async def slow(*given: Any) -> Any:
        await gate.wait()
        return await append(*given)

    scene.append = slow
    assert await scene.asked(message) is None
    assert not gate.is_set()
    assert await scene.rig.journal.newest_recollections(limit=9) == []
    gate.set()
    await asyncio.gather(*scene.tasks)
    await scene.rig.engine.recalls.recorded()
    [turn] = await scene.rig.journal.last_turns(message.unified_msg_origin, 9)
    [kept] = await scene.rig.journal.newest_recollections(limit=9)
    trace = readable(kept.trace)
    assert (kept.turn, trace.silence, turn.text) == (turn.seq, SilenceReason.LATE, "hello")


async def test_what_cannot_be_recorded_late_is_counted_and_reaches_no_chat(scene: Scene) -> None:
    async def broken(*given: Any) -> Any:
        raise StorageError("journal.db is damaged", file="journal.db", fault=Fault.DAMAGED)

    scene.append = broken
    assert await scene.asked(hello()) is None
    while pending := [task for task in scene.tasks if not task.done()]:
        await asyncio.wait(pending)
    failed = {task.get_name() for task in scene.tasks if task.exception() is not None}
    # Who waits for the turn itself is told of that; nobody waits for the late record.
    assert failed == {"TurnHooks._capture"}
    assert "journal.db is damaged" in scene.rig.engine.incidents.snapshot()["record"].text
    assert await scene.rig.journal.newest_recollections(limit=9) == []
