"""Sleeps, a life for every line: `FOLDER BACKEND`, a folder that `furnish` has filled.

A life says `asleep` when it has begun, `done` when nothing is left to do.
"""

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

runpy.run_path(str(Path(__file__).resolve().parents[1] / "mounted.py"))

from astrbot_plugin_tidemark.core.conflict.slots import own
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.errors import Incidents
from astrbot_plugin_tidemark.core.model.knowledge import (
    Claim,
    Entity,
    Intention,
    IntentionStatus,
    IntentionType,
    Relation,
)
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Origin,
    Standing,
    Status,
    Vitality,
)
from astrbot_plugin_tidemark.core.model.sleeping import SleepCause
from astrbot_plugin_tidemark.core.ports import Journal, MemoryStore
from astrbot_plugin_tidemark.core.settings import Settings
from astrbot_plugin_tidemark.core.sleep.sweep import LAST_SWEEP
from astrbot_plugin_tidemark.scripts.nights import drained
from astrbot_plugin_tidemark.storage import Backend, open_journal, open_store
from astrbot_plugin_tidemark.tests.kill.living import live_by_lines, say
from astrbot_plugin_tidemark.tests.kit import FakeClock, FakeEmbedder, ScriptedModel
from astrbot_plugin_tidemark.tests.samples import memory

START = 1_750_000_000.0
DAY = 86_400.0
SCOPES = 12


def scopes() -> Iterator[Scope]:
    for number in range(SCOPES):
        kind = ScopeKind.GROUP if number % 3 == 2 else ScopeKind.PRIVATE
        yield Scope(kind, "qq", str(1000 + number))


def lives_of(scope: Scope) -> list[Memory]:
    """Something for each step of sleep to do; a step that is added is given its own here."""
    group = scope.kind is ScopeKind.GROUP
    account = "7" if group else scope.subject
    hobbies = [
        _memory(scope, account, f"{told} {what}", claim=Claim(own("7" * group), "hobby", what, 5.0))
        for what in ("hiking", "chess")
        for told in ("likes", "enjoys", "loves")
    ]
    given_up = Intention(
        IntentionType.DECISION, IntentionStatus.CLOSED, closed_at=START, given_up=True
    )
    intentions = [
        _memory(scope, account, "could learn to sail", Intention(IntentionType.IDEA, confirmed=3)),
        _memory(scope, account, "decided to sell the boat", given_up),
        _memory(scope, account, "why do boats float", Intention(IntentionType.QUESTION), age=99),
        _memory(scope, account, "means to see Rome", Intention(due_at=START + DAY)),
    ]
    story = [
        _memory(
            scope,
            account,
            told,
            age=age,
            entities=(Entity("garden", "garden"),),
            origin=Origin(episode=f"{scope.key} {age}"),
            vitality=Vitality(9),
        )
        for age, told in enumerate(
            ("sowed the garden", "watered the garden", "harvested in the garden"), start=3
        )
    ]
    faded = [
        _memory(scope, account, "saw a cat", kind=Kind.EPISODIC, vitality=Vitality(1), age=40),
        _memory(scope, account, "saw a dog", kind=Kind.EPISODIC, vitality=Vitality(9), age=7),
        _memory(
            scope,
            account,
            "saw a bird",
            standing=Standing(Status.BINNED, START - 40 * DAY, "decayed", START - DAY),
        ),
    ]
    nickname = Claim("robert", "nickname", "Bob", 5.0)
    called = _memory(scope, account, "Robert is also called Bob", claim=nickname)
    return [*hobbies, *intentions, *story, *faded, called, *_homes(scope, account, group)]


def _homes(scope: Scope, account: str, group: bool) -> Iterator[Memory]:
    """Two of one moment, which nobody can order."""
    for home, rival in (("Leeds", "York"), ("York", "Leeds")):
        text, other = (f"{scope.key} lives in {place}" for place in (home, rival))
        link = Relation(text, CONTRADICTS, other)
        claim = Claim(own("7" * group), "residence", home, 5.0)
        yield _memory(scope, account, f"lives in {home}", claim=claim, relations=(link,))


def _memory(
    scope: Scope,
    account: str,
    text: str,
    intention: Intention | None = None,
    *,
    age: float = 2,
    **changes: Any,
) -> Memory:
    at = START - age * DAY
    plain: dict[str, Any] = {
        "kind": Kind.SEMANTIC if intention is None else Kind.PROSPECTIVE,
        "vitality": Vitality(6),
        "created_at": at,
        "happened_at": at,
        "access": Access(at, at),
        "extractor": Extractor.RULES,
        "speaker": Speaker(account, "Anna"),
        "intention": intention,
    }
    return memory(text, **{"id": f"{scope.key} {text}", "scope": scope.key, **plain, **changes})


async def furnish(store: MemoryStore, journal: Journal) -> None:
    """Everything to sleep over, and a sleep begun in every scope."""
    await store.put([memory for scope in scopes() for memory in lives_of(scope)])
    await journal.set_note(LAST_SWEEP, repr(START))
    keys = [scope.key for scope in scopes()]
    await journal.begin_sleeps(["", *keys], SleepCause.COMMAND, at=START)


async def opened(folder: Path, backend: Backend) -> MemoryEngine:
    return MemoryEngine(
        Parts(
            store=await open_store(backend, folder),
            journal=await open_journal(folder),
            clock=FakeClock(START),
            models=ScriptedModel(present=False),
            embedders=FakeEmbedder(present=False),
            settings=Settings(),
            report=lambda text, error: say(f"report {text}: {error!r}"),
            incidents=Incidents(),
        )
    )


async def sleep(folder: Path, backend: Backend) -> None:
    engine = await opened(folder, backend)
    engine.start()
    say("asleep")
    if not await drained(engine.worker, 900.0):
        say("report the sleep does not end")
    await engine.close()
    say("done")


if __name__ == "__main__":
    live_by_lines(sleep)
