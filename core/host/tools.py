"""The chat model's tools on the host: which are offered, and who uses one where."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from astrbot.api import ToolSet
from astrbot.api.event import AstrMessageEvent
from astrbot.api.star import Context
from astrbot.core.star.session_plugin_manager import SessionPluginManager

from .. import tools
from ..engine import MemoryEngine
from ..recall.trace import Recalled
from ..settings import Settings
from ..tools import Errand
from .identity import identify
from .turns import RECALLED, SCHEDULED, captured_turn

RECALL = "recall_memory"
REMEMBER = "remember"


@dataclass(frozen=True, slots=True)
class ToolHooks:
    """What each tool answers, and which the model is not to see.

    `engine` gives None while memory is not available.
    """

    context: Context
    plugin: str
    engine: Callable[[], Awaitable[MemoryEngine | None]]

    async def offered(
        self, event: AstrMessageEvent, given: ToolSet | None, settings: Settings
    ) -> ToolSet | None:
        """The tools `given` to a request without those of ours that are off; order kept.

        The set of another request is never changed: it may be the same object.
        """
        on = {
            RECALL: settings.tools.recall and settings.recall.enabled,
            REMEMBER: settings.tools.remember and settings.capture.enabled,
        }
        here = await self._switched_on(event)
        off = [name for name in on if not (here and on[name])]
        if not given or not any(tool.name in off for tool in given.tools):
            return given
        kept = ToolSet()
        for tool in given.tools:
            if tool.name not in off:
                kept.add_tool(tool)
        return kept

    async def recall(self, event: AstrMessageEvent, query: object) -> str:
        """The block of memories about the query, or a sentence that says why there is none."""
        engine = await self.engine()
        if engine is None:
            return tools.NOT_AVAILABLE
        if not await self._switched_on(event):
            return tools.SWITCHED_OFF
        errand = await self._errand(event, engine)
        answer = await tools.recall_memory(_text(query), errand, engine)
        event.set_extra(RECALLED, answer.shown)
        return answer.text

    async def remember(self, event: AstrMessageEvent, text: object) -> str:
        """What came of storing the text."""
        engine = await self.engine()
        if engine is None:
            return tools.NOT_AVAILABLE
        if not await self._switched_on(event):
            return tools.SWITCHED_OFF
        if event.get_platform_name() == SCHEDULED:
            return tools.NOBODY_SPEAKS
        return await tools.remember(_text(text), await self._errand(event, engine), engine)

    async def _errand(self, event: AstrMessageEvent, engine: MemoryEngine) -> Errand:
        captured = captured_turn(event)
        separate = engine.parts.settings.scope.persona_separation
        identity = (
            captured.identity
            if captured is not None
            else await identify(event, self.context, separate_personas=separate)
        )
        earlier: Recalled | None = event.get_extra(RECALLED)
        return Errand(
            identity.scope,
            identity.place,
            identity.speaker,
            captured.seq if captured is not None else None,
            earlier,
        )

    async def _switched_on(self, event: AstrMessageEvent) -> bool:
        # The host offers a plugin's tools even where the plugin is switched off for the session.
        session = event.unified_msg_origin
        return await SessionPluginManager.is_plugin_enabled_for_session(session, self.plugin)


def _text(value: object) -> str:
    """What a model gave for a text: it may be anything that JSON can hold."""
    return "" if value is None else str(value)
