"""Asks what is known and tells what is new, in a child of its own for every line it reads: `FOLDER
FIRST LAST`.

Every message is an episode. One that only asks, or tells something, is held for the next call about
its chat, which one makes that asks for something to be remembered. The child says where it is as
the talker does.
"""

import asyncio
import os
import sys
import time
from dataclasses import replace
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

PACKAGE = "astrbot_plugin_tidemark"
if PACKAGE not in sys.modules:
    spec = ModuleSpec(PACKAGE, None, is_package=True)
    spec.submodule_search_locations = [str(Path(__file__).resolve().parents[2])]
    sys.modules[PACKAGE] = module_from_spec(spec)

from astrbot_plugin_tidemark.core.capture.learning import NEW_CHAT
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine, RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Speaker
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Source,
    Vitality,
)
from astrbot_plugin_tidemark.storage import open_store
from astrbot_plugin_tidemark.tests.kill.talker import PLACE, SCOPE, opened, say

CEDAR = "cedar"
ANNA = Speaker("901", "Anna")
ASKS_EVERY = 4
HOUR = 3_600.0


async def furnish(folder: Path) -> None:
    """What every question brings up, and a chat that is long enough for an episode to wait."""
    store, at = await open_store("sqlite", folder), time.time() - HOUR
    known = Memory(
        id=CEDAR,
        scope=SCOPE.key,
        kind=Kind.SEMANTIC,
        text="Anna plays a cedar guitar",
        summary="",
        created_at=at,
        happened_at=at,
        vitality=Vitality(8),
        access=Access(at, at),
        source=Source.USER,
        extractor=Extractor.COMMAND,
        speaker=ANNA,
        about=("Anna",),
    )
    await store.put([known])
    await store.close()
    engine = await opened(folder, "sqlite", "thrifty")
    for number in range(NEW_CHAT):
        await engine.observe(NewTurn(PLACE, Role.USER, ANNA, "ok", at, f"before:{number}"))
    await engine.close()


def text_of(number: int) -> str:
    """What is said in a turn."""
    broke = f"I broke violin {number * 7919 % 10_007} on the wall"
    if number % ASKS_EVERY == ASKS_EVERY - 1:
        return f"Please remember that {broke}"
    if number % ASKS_EVERY == 1:
        return broke
    return f"What is cedar about my guitar no {number}?"


async def episode(engine: MemoryEngine, number: int) -> None:
    """One turn with its answer, and its end. Said again after a death it has the same id."""
    text = text_of(number)
    asked = NewTurn(PLACE, Role.USER, ANNA, text, time.time(), f"message:{number}")
    turn = (await engine.observe(asked)).turn
    await engine.recall(RecallRequest(SCOPE, text, turn.seq))
    told = replace(asked, role=Role.ASSISTANT, text="The top", message_id=f"reply:{turn.seq}")
    await engine.observe(told)
    now = time.time()
    await engine.parts.journal.close_silent(quiet_since=now, at=now)
    engine.wake()


async def live(folder: Path, numbers: range) -> None:
    """Every episode; after the last of all, what is held is held no more."""
    engine = await opened(folder, "sqlite", "thrifty")
    engine.start()
    for number in numbers:
        await episode(engine, number)
        say(f"said {number}")
    if not numbers:
        await engine.sleep()
    await engine.close()
    say("done")


def main() -> None:
    """A child for each line of input."""
    for line in sys.stdin:
        folder, first, last = line.split()
        child = os.fork()
        if child == 0:
            say(f"pid {os.getpid()}")
            asyncio.run(live(Path(folder), range(int(first), int(last))))
            os._exit(0)
        os.waitpid(child, 0)
        say("ended")


if __name__ == "__main__":
    main()
