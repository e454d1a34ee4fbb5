"""The chat model's tools on the host: which are offered, and who uses one where."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from astrbot.api import ToolSet
from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest
from astrbot.api.star import Context

from ..actions import tools
from ..actions.tools import (
    LONGEST_SHOWN,
    Answer,
    LookedUp,
    MovedToBin,
    ToolContext,
    ToolRefusal,
    told,
)
from ..engine.engine import MemoryEngine
from ..languages.scripts import language_of
from ..recall.trace import Recalled
from ..settings import Settings
from ..text.quoting import quoted
from .command_line import switched_on
from .guard import Guard
from .history import placed
from .turns import RECALLED, SCHEDULED, captured_turn, identity_of

RECALL = "recall_memory"
REMEMBER = "remember"
FORGET = "forget_memory"


@dataclass(frozen=True, slots=True)
class ToolHooks:
    """What each tool answers, and which the model is not to see.

    `engine` gives None while memory is not available; `say` is the catalogue of messages.
    """

    context: Context
    plugin: str
    engine: Callable[[], Awaitable[MemoryEngine | None]]
    guard: Guard
    say: Callable[..., str]

    async def restrict(
        self, event: AstrMessageEvent, request: ProviderRequest, settings: Settings
    ) -> bool:
        """Take those of our tools that are off from the request, the order of the others kept.

        Returns whether the plugin is switched on here at all. The set of another request is
        never changed: it may be the same object.
        """
        wanted = {RECALL: settings.recall.enabled, REMEMBER: settings.capture.enabled}
        here = await switched_on(event, self.plugin)
        off = [name for name in (RECALL, REMEMBER, FORGET) if not (here and wanted.get(name, True))]
        given = request.func_tool
        if not given or not any(tool.name in off for tool in given.tools):
            return here
        kept = ToolSet()
        for tool in given.tools:
            if tool.name not in off:
                kept.add_tool(tool)
        request.func_tool = kept
        return here

    async def recall(self, event: AstrMessageEvent, query: object) -> str:
        """The block of memories about the query, or a sentence that says why there is none."""

        async def look_up(tool_context: ToolContext, engine: MemoryEngine) -> Answer:
            answer = await tools.recall_memory(_text(query), tool_context, engine)
            if isinstance(answer, LookedUp):
                event.set_extra(RECALLED, answer.shown)
            return answer

        return await self._used(event, look_up)

    async def remember(self, event: AstrMessageEvent, text: object) -> str:
        """What came of storing the text."""
        return await self._used(event, partial(tools.remember, _text(text)))

    async def forget(self, event: AstrMessageEvent, about: object) -> str:
        """What was moved to the bin; the person is told of it, whatever the model says."""

        async def move(tool_context: ToolContext, engine: MemoryEngine) -> Answer:
            answer = await tools.forget_memory(_text(about), tool_context, engine)
            if isinstance(answer, MovedToBin) and answer.texts:
                shown = engine.settings.display.language
                language = language_of(event.message_str) if shown == "auto" else shown
                texts = "\n".join(quoted(text, LONGEST_SHOWN) for text in answer.texts)
                said = event.plain_result(self.say(language, "forget.told", texts=texts))
                await self.guard.run("tools", event.unified_msg_origin, event.send(said))
            return answer

        return await self._used(event, move)

    async def _used(
        self,
        event: AstrMessageEvent,
        tool: Callable[[ToolContext, MemoryEngine], Awaitable[Answer]],
    ) -> str:
        """What the model is told of a tool, if there is any memory here."""
        engine = await self.engine()
        if engine is None:
            return ToolRefusal.NOT_AVAILABLE.value
        if not await switched_on(event, self.plugin):
            return ToolRefusal.SWITCHED_OFF.value
        return told(await tool(await self._tool_context(event, engine), engine))

    async def _tool_context(self, event: AstrMessageEvent, engine: MemoryEngine) -> ToolContext:
        captured = captured_turn(event)
        identity = await identity_of(event, self.context, engine)
        earlier: Recalled | None = event.get_extra(RECALLED)
        return ToolContext(
            identity.scope,
            placed(event, identity.place),
            identity.speaker,
            captured.seq if captured is not None else None,
            earlier,
            scheduled=event.get_platform_name() == SCHEDULED,
            persona=identity.persona,
            addressed=identity.utterance.addressed,
        )


def event_of(given: AstrMessageEvent) -> AstrMessageEvent:
    """The event of a tool's call: 4.26.0 hands the wrapper of its run to a plugin's tool."""
    return given if isinstance(given, AstrMessageEvent) else given.context.event


def _text(value: object) -> str:
    """What a model gave for a text: it may be anything that JSON can hold."""
    return "" if value is None else str(value)
