"""The plugin as AstrBot sees it: decorated handlers, life cycle, wiring. No logic."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from astrbot.api.event import AstrMessageEvent, MessageEventResult, filter
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context, Star, StarTools
from astrbot.core.agent.message import TextPart
from astrbot.core.star.filter.command import GreedyStr

from .commands.chat.backups import Closed
from .commands.chat.catalogue import COMMANDS, Command, dispatch
from .commands.chat.phrases import Phrases, load_phrases
from .commands.chat.request import ChatCaller, not_done
from .commands.web.catalogue import ROUTES, Asked, Route, Sendable, respond
from .core.actions.context import Confirmations, Services
from .core.actions.keeping import ClosedMemory
from .core.actions.tools import ToolRefusal
from .core.engine.engine import MemoryEngine
from .core.engine.parts import Parts
from .core.host.clock import present
from .core.host.command_line import BareGroup, language_for, misspelt
from .core.host.guard import Guard, log, tell
from .core.host.history import StoredHistory
from .core.host.identity import identify, keeps_group
from .core.host.lifetime import ANSWER_SECONDS, Lifetime
from .core.host.media import PictureCaptions
from .core.host.reminding import ReminderJob
from .core.host.sources import Opened, Readiness
from .core.host.tools import ToolHooks, event_of
from .core.host.turns import TurnHooks, note_call
from .core.host.web_routes import SettingsForm, WebRoutes, host_zone
from .core.model.errors import Incident, Incidents
from .core.scoring.fitted import boundaries
from .core.settings import Configuration, configure
from .core.transfer.data_folder import DataFolder
from .core.transfer.recovery import Recovery
from .storage.files import Holder, LocalFiles

PLUGIN = "astrbot_plugin_tidemark"
PATIENCE = 1.0
"""Seconds that a chat waits for its turn to be recorded; then that goes on by itself."""

GRACE = 0.25
"""Seconds on top of the deadline of a recall."""

type Answer = AsyncIterator[MessageEventResult]


class TidemarkPlugin(Star):
    """潮痕 Tidemark: long-term memory for this bot."""

    def __init__(self, context: Context, config: dict[str, Any] | None = None) -> None:
        super().__init__(context)
        self._document, self._configuration = config, configure(config, None, host_zone(context))
        self._form = SettingsForm(config, context)
        self._ready, self._incidents = Readiness(), Incidents()
        self._clock, self._phrases, self._codes = present(), load_phrases(), Confirmations()
        self._services: Services | None = None
        self._lifetime = Lifetime(self._open, self._assemble)
        self._guard = Guard(self._count)
        engine, own = self._lifetime.engine, self._guard.own
        self._turns = TurnHooks(context, PLUGIN, engine, own, PictureCaptions(context, own))
        self._tools = ToolHooks(context, PLUGIN, engine, self._guard, self._phrases.say)
        self._web = WebRoutes(context, PLUGIN, self._guard)
        self._job = ReminderJob(context, engine, self._guard, self._phrases.say)

    async def initialize(self) -> None:
        """Start opening and return: the host waits for this."""
        tell(self._configuration.problems)
        if list(self.context.get_all_providers()):
            self._ready.announce()
        self._lifetime.begin()
        self._web.put(ROUTES, self._page)

    async def terminate(self) -> None:
        """Close everything; what matters has been on disk all along."""
        self._web.take_away()
        await self._guard.settle(PATIENCE)
        await self._lifetime.end()
        # The host keeps the instance of a plugin that was switched off, and so what it holds.
        self._services = None

    async def _open(self, stack: AsyncExitStack) -> Opened:
        files, failed = self._files(), self._failed
        host, ready, weights = self.context, self._ready, files.folder / "models"
        data = await DataFolder.open(files, self._configuration.settings.storage.backend)
        stack.push_async_callback(data.aclose)
        await data.start(self._clock, lambda: self._configuration.settings.backup, failed)
        opened = await Opened.over(data, host, ready, weights, self._lifetime.wake)
        for resource in (opened.models, opened.embedders, opened.rerankers, self._job):
            stack.push_async_callback(resource.aclose)
        self._guard.own(self._job.refresh())
        return opened

    def _files(self) -> LocalFiles:
        folder, storage = StarTools.get_data_dir(PLUGIN), self._configuration.settings.storage
        return LocalFiles(Path(folder), storage.chroma.server(), Holder(lost=self._lifetime.lost))

    async def _assemble(self, opened: Opened) -> MemoryEngine:
        overrides = await opened.data.journal.overrides()
        configuration = configure(self._document, overrides, host_zone(self.context))
        tell(p for p in configuration.problems if p not in self._configuration.problems)
        self._configuration, settings = configuration, configuration.settings
        await self._form.fit(self._configuration)
        self._services = Services(
            opened.installation,
            opened.data.jobs,
            configuration,
            self._reconfigure,
            confirmations=self._codes,
            data_folder=opened.data,
            reopen=self._lifetime.reopen,
            reschedule=self._job.refresh,
            host_history=StoredHistory(self.context),
        )
        return MemoryEngine(
            Parts(
                store=opened.data.store,
                journal=opened.data.journal,
                clock=self._clock,
                models=opened.models.under(settings.learning),
                embedders=opened.embedders.under(settings.embedding),
                settings=settings,
                report=log,
                incidents=self._incidents,
                reranker=opened.rerankers.under(settings.recall).reranker,
                boundaries=await asyncio.to_thread(boundaries, self._count),
            )
        )

    async def _reconfigure(self) -> Configuration:
        await self._lifetime.renew()
        return self._configuration

    @filter.on_astrbot_loaded()
    async def tidemark_on_loaded(self) -> None:
        """Providers are there now."""
        self._ready.announce()
        await self._form.fit(self._configuration)
        self._lifetime.wake()

    @filter.custom_filter(BareGroup)
    @filter.event_message_type(filter.EventMessageType.ALL, priority=10)
    async def tidemark_on_message(self, event: AstrMessageEvent) -> Answer:
        """Record what people say; answer a /memory command that does not exist."""
        answer = await self._run("command", event, self._unknown_command(event))
        if answer is not None:
            yield answer
            event.stop_event()
            return
        if host_zone(self.context) != self._configuration.host_zone:
            await self._run("form", event, self._reconfigure(), PATIENCE)
        await self._run("capture", event, self._turns.on_message(event), PATIENCE)

    @filter.on_llm_request()
    async def tidemark_on_request(self, event: AstrMessageEvent, req: ProviderRequest) -> None:
        """Recall what matters into the request, as one temporary part of the user's message."""
        restricted = self._tools.restrict(event, req, self._configuration.settings)
        if not await self._run("tools", event, restricted, PATIENCE):
            return
        block = await self._recalled(event, self._turns.on_request(event, req))
        await self._run("recall", event, self._turns.add_profile(event, req), GRACE)
        if block is not None:
            req.extra_user_content_parts.append(TextPart(text=block).mark_as_temp())

    @filter.on_llm_response()
    async def tidemark_on_response(self, event: AstrMessageEvent, resp: LLMResponse) -> None:
        """Record the answer."""
        await self._run("reply", event, self._turns.on_response(event, resp), PATIENCE)

    @filter.on_llm_tool_respond()
    async def tidemark_on_tool(self, event: AstrMessageEvent, tool: Any, *told: Any) -> None:
        """Note what the bot did, to be recorded with its answer."""
        note_call(event, self._configuration.settings.capture, tool.name, *told)

    @filter.after_message_sent()
    async def tidemark_on_sent(self, event: AstrMessageEvent) -> None:
        """Notice a reset conversation, and providers that have come or gone."""
        await self._run("reset", event, self._turns.on_sent(event), PATIENCE)
        await self._run("form", event, self._form.fit(self._configuration))

    # The docstrings of these tools go to the chat model with every request.
    @filter.llm_tool(name="recall_memory")
    async def tool_recall(self, event: AstrMessageEvent, query: object = "", **_: Any) -> str:
        """Search past conversations. Use it when the memories already shown do not answer.

        Args:
            query(string): what to look for
        """
        return await self._told(event, self._tools.recall(event_of(event), query))

    @filter.llm_tool(name="remember")
    async def tool_remember(self, event: AstrMessageEvent, text: object = "", **_: Any) -> str:
        """Keep a lasting fact for later conversations. Use it when asked to remember something.

        Args:
            text(string): one sentence that names whom it is about
        """
        return await self._told(event, self._tools.remember(event_of(event), text))

    @filter.llm_tool(name="forget_memory")
    async def tool_forget(self, event: AstrMessageEvent, about: object = "", **_: Any) -> str:
        """Forget what the user has just asked to be forgotten, and nothing else.

        Args:
            about(string): what, in the user's words
        """
        return await self._told(event, self._tools.forget(event_of(event), about))

    @filter.command_group("memory", alias={"mem"})
    def tidemark_memory(self) -> None:
        """长期记忆 / long-term memory"""

    async def answer(self, event: AstrMessageEvent, name: str, argument: str) -> MessageEventResult:
        """What `/memory <name> <argument>` says to the person who gave it."""
        session, work = event.unified_msg_origin, self._dispatch(event, name, str(argument))
        text = await self._guard.run("command", session, work, on_failure=self._failure_message)
        return event.plain_result(text or self._failure_message())

    async def _dispatch(self, event: AstrMessageEvent, name: str, argument: str) -> str:
        engine = await self._lifetime.engine(ANSWER_SECONDS)
        settings, session = self._configuration.settings, event.unified_msg_origin
        separate = settings.scope.persona_separation
        identity = await identify(event, self.context, separate_personas=separate)
        language = await language_for(session, engine, name, argument) if engine else "zh"
        who, admin, keeps = identity.speaker.name, event.is_admin(), partial(keeps_group, event)
        asking = (identity.scope, session, event.get_sender_id(), who, admin, language)
        caller = ChatCaller(*asking, persona=identity.persona, keeps=keeps)
        if engine is None or self._services is None:
            files = Recovery(self._files(), settings.storage.backend)
            memory = ClosedMemory(self._lifetime.problem, files, self._codes, self._lifetime.repair)
            closed = Closed(self._phrases, settings.display, memory)
            return await closed.answer(name, argument, caller, now=self._clock.now())
        return await dispatch(name, argument, caller, engine, self._phrases, self._services)

    async def _page(self, route: Route, asked: Asked) -> Sendable:
        engine = await self._lifetime.engine(ANSWER_SECONDS)
        return await respond(route, asked, engine, self._services)

    def _failure_message(self, error: Exception | None = None) -> str:
        return not_done(self._phrases, self._configuration.settings.display.language, error)

    async def _unknown_command(self, event: AstrMessageEvent) -> MessageEventResult | None:
        name = misspelt(event, self.context.get_config(event.unified_msg_origin))
        return None if name is None else await self.answer(event, "help", name)

    async def _recalled[T](self, event: AstrMessageEvent, work: Awaitable[T]) -> T | None:
        patience = self._configuration.settings.recall.deadline_ms / 1000 + GRACE
        return await self._run("recall", event_of(event), work, patience)

    async def _told(self, event: AstrMessageEvent, tool: Awaitable[str]) -> str:
        return await self._recalled(event, tool) or ToolRefusal.TOO_LATE.value

    async def _run[T](
        self, place: str, event: AstrMessageEvent, work: Awaitable[T], patience: float | None = None
    ) -> T | None:
        return await self._guard.run(place, event.unified_msg_origin, work, patience=patience)

    def _failed(self, place: str, error: BaseException) -> None:
        self._count(place, error)
        log(place, error)

    def _count(self, place: str, error: BaseException | str) -> Incident:
        return self._incidents.record(place, error, self._clock.now())


def _register(command: Command, phrases: Phrases) -> None:
    """A handler of its own for the command, as decorating a method would make one."""

    async def run(self: TidemarkPlugin, event: AstrMessageEvent, argument: GreedyStr) -> Answer:
        yield await self.answer(event, command.name, argument)

    run.__name__ = run.__qualname__ = f"tidemark_{command.name.replace('-', '_')}"
    run.__doc__ = " / ".join(phrases.say(one, f"summary.{command.name}") for one in ("zh", "en"))
    TidemarkPlugin.tidemark_memory.command(command.name)(run)
    if command.admin:
        filter.permission_type(filter.PermissionType.ADMIN)(run)


for _command in COMMANDS:
    _register(_command, load_phrases())
