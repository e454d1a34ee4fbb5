"""The plugin as AstrBot sees it: decorated handlers, life cycle, wiring. No logic."""

import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from astrbot.api import logger
from astrbot.api.event import AstrMessageEvent, MessageEventResult, filter
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context, Star, StarTools
from astrbot.core.star.filter.command import GreedyStr

from .core.engine import MemoryEngine, Parts
from .core.host.clock import CLOCK_FILE, ShiftedClock, SystemClock
from .core.host.guard import guarded
from .core.host.lifetime import Lifetime
from .core.host.sources import HostEmbedderSource, HostModelSource, Readiness
from .core.host.turns import TurnHooks
from .core.incidents import Incidents
from .core.settings import parse
from .core.text.counting import best_counter
from .storage import open_journal, open_store

PLUGIN = "astrbot_plugin_tidemark"


class TidemarkPlugin(Star):
    """潮痕 Tidemark: long-term memory for this bot."""

    def __init__(self, context: Context, config: dict[str, Any] | None = None) -> None:
        super().__init__(context)
        self._settings, self._problems = parse(config)
        self._ready = Readiness()
        self._incidents = Incidents()
        self._lifetime = Lifetime(self._open)
        self._turns = TurnHooks(context, PLUGIN, self._lifetime.engine)

    async def initialize(self) -> None:
        """Start opening and return: the host waits for this."""
        for problem in self._problems:
            logger.warning("[tidemark] setting ignored: %s", problem)
        if list(self.context.get_all_providers()):
            self._ready.announce()
        self._lifetime.begin()

    async def terminate(self) -> None:
        """Close everything; what matters has been on disk all along."""
        await self._lifetime.end()

    async def _open(self, stack: AsyncExitStack) -> MemoryEngine:
        folder = Path(StarTools.get_data_dir(PLUGIN))
        settings = self._settings
        models = HostModelSource(self.context, settings.learning, self._ready)
        stack.push_async_callback(models.aclose)
        embedders = HostEmbedderSource(
            self.context, settings.embedding, self._ready, folder / "models"
        )
        stack.push_async_callback(embedders.aclose)
        journal = await open_journal(folder)
        stack.push_async_callback(journal.close)
        store = await open_store(
            settings.storage.backend,
            folder,
            partitions_in_memory=settings.storage.partitions_in_memory,
        )
        stack.push_async_callback(store.close)
        count, _ = best_counter()
        shifted = os.environ.get(CLOCK_FILE)
        clock = ShiftedClock(Path(shifted)) if shifted else SystemClock()
        parts = Parts(
            store, journal, clock, models, embedders, settings, count, _log, self._incidents
        )
        engine = MemoryEngine(parts)
        stack.push_async_callback(engine.close)
        return engine

    # --- the turn -------------------------------------------------------------------------

    @filter.on_astrbot_loaded()
    async def tidemark_on_loaded(self) -> None:
        """Providers are there now."""
        self._ready.announce()
        engine = await self._lifetime.engine()
        if engine is not None:
            engine.wake()

    @filter.event_message_type(filter.EventMessageType.ALL, priority=10)
    async def tidemark_on_message(self, event: AstrMessageEvent) -> None:
        """Record what people say."""
        session = event.unified_msg_origin
        await guarded("capture", session, self._turns.on_message(event), self._count)

    @filter.on_llm_request()
    async def tidemark_on_request(self, event: AstrMessageEvent, req: ProviderRequest) -> None:
        """Recall what matters into the request."""
        session = event.unified_msg_origin
        await guarded("recall", session, self._turns.on_request(event, req), self._count)

    @filter.on_llm_response()
    async def tidemark_on_response(self, event: AstrMessageEvent, resp: LLMResponse) -> None:
        """Record the answer."""
        session = event.unified_msg_origin
        await guarded("reply", session, self._turns.on_response(event, resp), self._count)

    @filter.after_message_sent()
    async def tidemark_on_sent(self, event: AstrMessageEvent) -> None:
        """Notice a reset conversation."""
        session = event.unified_msg_origin
        await guarded("reset", session, self._turns.on_sent(event), self._count)

    def _count(self, place: str, error: BaseException):
        return self._incidents.record(place, error, SystemClock().now())


def _log(text: str, error: BaseException) -> None:
    logger.warning("[tidemark] %s: %s: %s", text, type(error).__name__, error)
