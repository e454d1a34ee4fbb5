"""Where commands are given in tests: callers, a set clock, and an engine without a model."""

import re
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from astrbot_plugin_tidemark.commands.chat.catalogue import dispatch
from astrbot_plugin_tidemark.commands.chat.phrases import Phrases
from astrbot_plugin_tidemark.commands.chat.request import ChatCaller
from astrbot_plugin_tidemark.core.actions.context import Report, Services
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.model.conversation import (
    NewTurn,
    Place,
    Role,
    Scope,
    ScopeKind,
    Speaker,
)
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from astrbot_plugin_tidemark.core.model.memory import Access, Extractor, Memory, Vitality
from astrbot_plugin_tidemark.core.ports import ChatModel, Embedder
from astrbot_plugin_tidemark.scripts.nights import SleepReport, asleep

from ..samples import memory

DAY = 86_400.0
CODE = re.compile(r"\b[A-Z2-9]{6}\b")
NOW = 1_750_000_000.0
"""2025-06-15 15:06 UTC."""


@dataclass(slots=True)
class SetClock:
    at: float = NOW

    def now(self) -> float:
        return self.at


class NoModel:
    settled = True

    async def choose(self, session: str) -> ChatModel | None:
        return None


@dataclass(slots=True)
class Embedders:
    """The one given, hashed n-grams at first."""

    embedder: Embedder | None = field(default_factory=HashedEmbedder)
    settled: bool = True

    async def choose(self) -> Embedder | None:
        return self.embedder


@dataclass(slots=True)
class ModelFolder:
    """Installs by writing down that it did; fails with `problem` if there is one."""

    state: str = "missing"
    problem: str = ""

    async def install(self, report: Report, model: bool) -> None:
        report("downloading", 0.5)
        if self.problem:
            raise EmbeddingUnavailable(self.problem)
        self.state = "ready"

    async def status(self) -> str:
        return self.state


ANN = ChatCaller(
    Scope(ScopeKind.PRIVATE, "qq", "901", "default"),
    "qq:FriendMessage:901",
    "901",
    "Ann",
    admin=False,
    language="en",
)
BEN = replace(
    ANN,
    scope=Scope(ScopeKind.PRIVATE, "qq", "902", "default"),
    session="qq:FriendMessage:902",
    person="902",
    name="Ben",
)
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")


@dataclass(slots=True)
class CommandRig:
    engine: MemoryEngine
    clock: SetClock
    embedders: Embedders
    models: ModelFolder
    services: Services
    phrases: Phrases

    async def sleep(self, *, patience: float = 60.0) -> SleepReport:
        """What a sleep of everything did until it was over."""
        return await asleep(self.engine, patience=patience)

    async def ask(self, command: str, argument: str = "", *, by: ChatCaller = ANN) -> str:
        return await dispatch(command, argument, by, self.engine, self.phrases, self.services)

    async def confirm(self, command: str, argument: str = "", *, by: ChatCaller = ANN) -> str:
        """The answer after the code that is asked for."""
        asked = await self.ask(command, argument, by=by)
        return await self.ask(command, f"{argument} {CODE.findall(asked)[-1]}".strip(), by=by)

    async def remember(self, text: str, *, of: ChatCaller = ANN, **changes: Any) -> Memory:
        """Put a memory of the caller's scope into the store; its id follows from its text."""
        now = self.clock.now()
        plain = {
            "id": str(uuid5(NAMESPACE_URL, text)),
            "scope": of.scope.key,
            "created_at": now,
            "happened_at": now,
            "vitality": Vitality(6),
            "access": Access(now, now),
            "extractor": Extractor.RULES,
            "speaker": Speaker(of.person, of.name),
        }
        kept = memory(text, **(plain | changes))
        await self.engine.store.put([kept])
        return kept

    async def say(self, text: str, *, by: ChatCaller = ANN, chat_name: str = "") -> int:
        place = Place(by.session, "c1", by.scope.key)
        speaker = Speaker(by.person, by.name)
        at = self.clock.now()
        turn = NewTurn(place, Role.USER, speaker, text, at, chat_name=chat_name)
        return (await self.engine.observe(turn)).turn.seq


def admin(caller: ChatCaller) -> ChatCaller:
    return replace(caller, admin=True)


def in_group(caller: ChatCaller) -> ChatCaller:
    return replace(caller, scope=GROUP, session="qq:GroupMessage:5000")
