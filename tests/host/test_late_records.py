"""A recall that came too late for a turn which was not on disk in time either."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.recall.trace import SilenceReason, readable
from astrbot_plugin_tidemark.core.settings import Settings, configure

from ..rig import Rig, open_rig
from .test_identity import Nobody, event

pytestmark = pytest.mark.usefixtures("host_code")


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
