"""The host's hooks as the engine's turn: capture, recall, reply, reset."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context
from astrbot.core.agent.message import TextPart
from astrbot.core.star.session_plugin_manager import SessionPluginManager

from ..conversation import NewTurn, Place, Role, Speaker
from ..engine import Ask, MemoryEngine
from .identity import Identity, history_texts, identify

CAPTURED = "tidemark_turn"
LONGEST_TURN = 20_000
SCHEDULED = "cron"
"""The platform of the host's own prompts: nobody says those."""


@dataclass(frozen=True, slots=True)
class Captured:
    """What an event carries from its message to its reply."""

    identity: Identity
    seq: int


@dataclass(frozen=True, slots=True)
class TurnHooks:
    """One method per host hook. `engine` gives None while memory is not available."""

    context: Context
    plugin: str
    engine: Callable[[], Awaitable[MemoryEngine | None]]

    async def on_message(self, event: AstrMessageEvent) -> None:
        """Journal what people say; commands, empty texts and the bot's own echo are not that."""
        if event.get_extra("handlers_parsed_params") or not event.message_str.strip():
            return
        if event.get_sender_id() == event.get_self_id():
            return
        engine = await self.engine()
        if engine is not None:
            await self._capture(event, engine)

    async def on_request(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """Recall into the request as one temporary part of the user's message."""
        if not await self._switched_on(event):
            return
        engine = await self.engine()
        if engine is None:
            return
        text = event.message_str.strip() or (request.prompt or "").strip()
        if not text:
            return
        captured = await self._captured(event, engine)
        if captured is not None:
            await self._reconcile(captured, request, engine)
        if not engine.parts.settings.recall.enabled:
            return
        identity = captured.identity if captured else await self._identify(event, engine)
        seq = captured.seq if captured else None
        history = history_texts(request.contexts)
        recalled = await engine.recall(Ask(identity.scope, text, seq, history))
        if recalled is not None and recalled.block:
            request.extra_user_content_parts.append(TextPart(text=recalled.block).mark_as_temp())

    async def on_response(self, event: AstrMessageEvent, response: LLMResponse) -> None:
        """Journal the answer; not errors, not an interrupted one."""
        text = (response.completion_text or "").strip()
        if response.role != "assistant" or not text or response.is_chunk:
            return
        if event.get_extra("agent_stop_requested") or event.get_platform_name() == SCHEDULED:
            return
        engine = await self.engine()
        if engine is None or not await self._switched_on(event):
            return
        # The question may have come while the plugin was being reloaded.
        captured = await self._captured(event, engine)
        if captured is None:
            return
        await engine.observe(
            NewTurn(
                place=captured.identity.place,
                role=Role.ASSISTANT,
                speaker=Speaker(event.get_self_id(), ""),
                text=text[:LONGEST_TURN],
                at=engine.parts.clock.now(),
                message_id=f"reply:{captured.seq}",
            )
        )

    async def on_sent(self, event: AstrMessageEvent) -> None:
        """After /new or /reset: what was said before is an episode of its own."""
        if not event.get_extra("_clean_group_context_session"):
            return
        engine = await self.engine()
        if engine is not None:
            await engine.reset(event.unified_msg_origin)

    async def _switched_on(self, event: AstrMessageEvent) -> bool:
        # The host calls LLM hooks even where the plugin is switched off for the session.
        session = event.unified_msg_origin
        return await SessionPluginManager.is_plugin_enabled_for_session(session, self.plugin)

    async def _captured(self, event: AstrMessageEvent, engine: MemoryEngine) -> Captured | None:
        captured: Captured | None = event.get_extra(CAPTURED)
        if captured is None and event.message_str.strip():
            captured = await self._capture(event, engine)
        return captured

    async def _capture(self, event: AstrMessageEvent, engine: MemoryEngine) -> Captured | None:
        settings = engine.parts.settings
        if not settings.capture.enabled:
            return None
        identity = await self._identify(event, engine)
        if identity.role is Role.BYSTANDER and not settings.capture.group_chatter:
            return None
        appended = await engine.observe(
            NewTurn(
                place=identity.place,
                role=identity.role,
                speaker=identity.speaker,
                text=event.message_str.strip()[:LONGEST_TURN],
                at=engine.parts.clock.now(),
                message_id=_message_id(event),
            )
        )
        captured = Captured(identity, appended.turn.seq)
        event.set_extra(CAPTURED, captured)
        return captured

    async def _identify(self, event: AstrMessageEvent, engine: MemoryEngine) -> Identity:
        separate = engine.parts.settings.scope.persona_separation
        return await identify(event, self.context, separate_personas=separate)

    async def _reconcile(
        self, captured: Captured, request: ProviderRequest, engine: MemoryEngine
    ) -> None:
        # A reset in the web interface fires no hook; an empty history after answers shows it.
        place: Place = captured.identity.place
        if request.conversation is None or request.contexts:
            return
        if await engine.answered_before(place.session, captured.seq):
            await engine.reset(place.session, before=captured.seq)


def _message_id(event: AstrMessageEvent) -> str:
    """The platform's id and a digest of the text, "" without an id.

    Some adapters count from one again after a restart: the id alone would make another message
    a repetition of an old one.
    """
    identity: Any = event.message_obj.message_id
    if not identity:
        return ""
    text = event.message_str.encode("utf-8", "surrogatepass")
    return f"{identity}:{blake2b(text, digest_size=8).hexdigest()}"
