"""The host's hooks as the engine's turn: capture, recall, reply, tools used, reset, quotes."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import Any, cast

from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import Reply
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context
from astrbot.core.agent.message import TextPart

from ..engine.engine import MemoryEngine
from ..engine.recalls import RecallRequest
from ..model.conversation import NewTurn, Role, ScopeKind, Speaker, Turn
from ..ports import Turns
from ..recall.trace import Recalled
from ..records.background import spared
from ..records.disclosure import owners_among
from ..records.tool_calls import call_line, with_calls
from ..settings import CaptureSettings
from .command_line import switched_on
from .history import PLACED, begins_anew, keeps_messages, place_in, placed, surviving_history
from .identity import Identity, history_texts, identify
from .media import PictureCaptions, captions_in, has_media, media_of

LONGEST_ID = 200
RECENT = 60
"""Turns of a chat among which a quoted answer of the bot is looked for."""

BEHIND_ID = ":"
_SHORTEST = 2
"""Characters of a quotation by which an answer is known."""


RECALLS = frozenset({"group_recall", "friend_recall"})
"""The notices of OneBot that say of a message that it was recalled."""

WEB = "webchat"
RECENT_ON_PAGE = 12
"""Turns of a web chat among which one that was replaced is looked for."""

SHOWN = 50
"""Messages of the page that are looked at for it."""


def message_id(event: AstrMessageEvent) -> str:
    """The platform's id and a digest of the text, "" without an id.

    Some adapters count from one again after a restart: the id alone would make another message
    a repetition of an old one.
    """
    identity: Any = event.message_obj.message_id
    if not identity:
        return ""
    text = event.message_str.encode("utf-8", "surrogatepass")
    return f"{identity}{BEHIND_ID}{blake2b(text, digest_size=8).hexdigest()}"


async def quotes(event: AstrMessageEvent, turns: Turns) -> str | int:
    """What `NewTurn.quotes` says of this message.

    The platform's id of an answer of the bot is not known here: it is found by its words.
    """
    quoted = next((each for each in event.get_messages() if isinstance(each, Reply)), None)
    if quoted is None:
        return ""
    if str(quoted.sender_id) != str(event.get_self_id()):
        identity = str(quoted.id or "")
        return f"{identity}{BEHIND_ID}" if 0 < len(identity) <= LONGEST_ID else ""
    words = (quoted.message_str or "").strip()
    if len(words) < _SHORTEST:
        return ""
    said = await turns.last_turns(event.unified_msg_origin, RECENT)
    answers = (t for t in reversed(said) if t.role is Role.ASSISTANT and words in t.text)
    return next((turn.seq for turn in answers), "")


async def recalled_message(event: AstrMessageEvent, turns: Turns) -> int | None:
    """The seq of the turn that a notice says was recalled; None for anything else."""
    notice: Any = event.message_obj.raw_message
    if not isinstance(notice, Mapping) or notice.get("notice_type") not in RECALLS:
        return None
    return await turns.message(event.unified_msg_origin, f"{notice.get('message_id')}{BEHIND_ID}")


async def replaced_message(
    event: AstrMessageEvent, request: ProviderRequest, asked: int, context: Context, turns: Turns
) -> int | None:
    """The seq of the turn in whose place this one was said: edited there, or answered anew.

    The web chat tells nobody. The last message that was answered is then neither in the history of
    the request, nor as often on the page as it was said; after a reset it stays on the page.
    """
    if event.get_platform_name() != WEB:
        return None
    said = await turns.last_turns(event.unified_msg_origin, RECENT_ON_PAGE)
    last = _last_answered(said, asked)
    if (
        last is None
        or last.media
        or _text(last.text) in map(_text, history_texts(request.contexts))
    ):
        return None
    *_, chat = event.unified_msg_origin.split("!")
    records = await context.message_history_manager.get(WEB, chat, page_size=SHOWN)
    shown = [_shown(record.content) for record in records]
    heard = {turn.seq: _text(turn.text) for turn in said if turn.role is Role.USER}
    if heard.get(asked) not in shown:
        # A page that is read wrongly, or of another version's form, must cost no message.
        return None
    gone = shown.count(_text(last.text)) < [*heard.values()].count(_text(last.text))
    return last.seq if gone else None


def _last_answered(said: Sequence[Turn], asked: int) -> Turn | None:
    answered = {turn.answers for turn in said if turn.role is Role.ASSISTANT}
    earlier = (turn for turn in reversed(said) if turn.seq < asked and turn.role is Role.USER)
    return next((turn for turn in earlier if turn.seq in answered), None)


def _shown(content: Any) -> str:
    """The words of a message on the page; "" for an answer."""
    if not isinstance(content, Mapping) or content.get("type") != "user":
        return ""
    parts = content.get("message") or ()
    return _text("".join(str(part.get("text") or "") for part in parts))


def _text(text: str) -> str:
    return " ".join(text.split())


CALLS = "tidemark_calls"
"""The key under which an event carries the lines of its tool calls."""

OWN = frozenset({"recall_memory", "remember", "forget_memory"})
"""Our own tools: what they answer are memories already."""


def note_call(
    event: AstrMessageEvent,
    settings: CaptureSettings,
    name: str,
    arguments: Any = None,
    result: Any = None,
) -> None:
    """Keep the call with its event until the answer is recorded."""
    if name in OWN or not settings.enabled or not settings.tool_calls:
        return
    given = cast("Mapping[str, object]", arguments) if isinstance(arguments, Mapping) else {}
    failed = bool(getattr(result, "isError", False))
    line = call_line(str(name), given, _result_text(result), failed=failed)
    event.set_extra(CALLS, [*calls_of(event), line])


def calls_of(event: AstrMessageEvent) -> list[str]:
    """The lines of the event's tool calls, in their order."""
    return event.get_extra(CALLS) or []


def _result_text(result: Any) -> str:
    """The texts of a result; of what is no text (pictures, sound) nothing."""
    parts = getattr(result, "content", None) or []
    texts = (getattr(part, "text", None) for part in parts)
    return " ".join(text for text in texts if isinstance(text, str))


CAPTURED = "tidemark_turn"
CAPTIONS = "tidemark_captions"
"""The key under which an event carries what the host's caption provider says of its pictures."""

RECALLED = "tidemark_recalled"
"""The key under which an event carries what the model has been shown for it."""

LONGEST_TURN = 20_000
CAPTURE_SHARE = 0.5
"""Of the deadline of a recall, how much it waits for its turn to be on disk."""

SCHEDULED = "cron"
"""The platform of the host's own prompts: nobody says those."""

MEDIA_ONLY = "<attachment>"
"""What the host asks the model when a message has no text."""


@dataclass(frozen=True, slots=True)
class Captured:
    """What an event carries from its message to its reply; `seq` None if it is not recorded."""

    identity: Identity
    seq: int | None


type Capturing = asyncio.Task[Captured | None]


@dataclass(frozen=True, slots=True)
class TurnHooks:
    """One method per host hook. `engine` gives None while memory is not available.

    `own` starts a task that outlives the hook.
    """

    context: Context
    plugin: str
    engine: Callable[[], Awaitable[MemoryEngine | None]]
    own: Callable[[Coroutine[Any, Any, Captured | None]], Capturing]
    captions: PictureCaptions

    async def on_message(self, event: AstrMessageEvent) -> None:
        """Journal what people say and send; commands, empty messages and the bot's own echo are not
        that.
        """
        if event.get_extra("handlers_parsed_params"):
            return
        if not says_something(event):
            await self._withdraw_recalled(event)
            return
        if event.get_sender_id() == event.get_self_id():
            return
        await asyncio.shield(self._capturing(event))

    async def on_request(self, event: AstrMessageEvent, request: ProviderRequest) -> str | None:
        """The block of memories for this request, if there is anything worth saying.

        To be asked only where the plugin is switched on.
        """
        began = time.monotonic()
        engine = await self.engine()
        event.set_extra(CAPTIONS, captions_in(request.extra_user_content_parts or ()))
        if engine is not None and not event.get_extra(CAPTIONS):
            self.captions.begin(event, self._recorded, engine)
        text = event.message_str.strip() or (request.prompt or "").strip()
        if engine is None or text in ("", MEDIA_ONLY):
            return None
        recall = engine.settings.recall
        captured = await self._soon_captured(event, recall.deadline_ms / 1000 * CAPTURE_SHARE)
        if captured is not None:
            reconciled = self._reconcile(event, captured, request, engine)
            await spared(reconciled, None, partial(engine.note_failure, "reset"))
        if not recall.enabled:
            return None
        identity = await identity_of(event, self.context, engine)
        if await _paused(identity, engine, recall=True):
            return None
        place = place_in(request, identity.place)
        event.set_extra(PLACED, place)
        seen = await surviving_history(self.context, event, request, added=recall.budget_tokens)
        ask = RecallRequest(
            identity.scope,
            text[:LONGEST_TURN],
            captured.seq if captured else None,
            history_texts(seen),
            waited=time.monotonic() - began,
            asker=identity.speaker.id,
            place=place,
            instructions=request.system_prompt or "",
        )
        recalled = await engine.recalls.recall(ask)
        if recalled is None and captured is None:
            self.own(self._record_late(event, ask, engine))
        event.set_extra(RECALLED, recalled)
        return recalled.block if recalled is not None and recalled.block else None

    async def add_profile(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """Put the page about whoever speaks into the request, if it is to be told here.

        Where only they speak it follows the system prompt, which stays the same with it; in a
        group it would change that for everybody, and is a temporary part of the message.
        """
        engine = await self.engine()
        if engine is None:
            return
        identity = await identity_of(event, self.context, engine)
        told = engine.settings.recall.tells_profile(identity.scope.kind)
        if not told or await _paused(identity, engine, recall=True):
            return
        private = identity.scope.kind is ScopeKind.PRIVATE
        language = engine.settings.display.language
        owners = owners_among(
            await engine.profiles.memories(identity.scope, identity.speaker.id), identity.scope
        )
        if owners:
            # What the answer may repeat of a joined account is to be known before it is told.
            await engine.journal.disclose(placed(event, identity.place), owners)
        page = await engine.profiles.text(identity.scope, identity.speaker.id, language)
        if page and private:
            request.system_prompt = f"{request.system_prompt or ''}\n\n{page}"
        elif page:
            request.extra_user_content_parts.append(TextPart(text=page).mark_as_temp())

    async def on_response(self, event: AstrMessageEvent, response: LLMResponse) -> None:
        """Journal the answer; not errors, not an interrupted one."""
        text = (response.completion_text or "").strip()
        if response.role != "assistant" or not text or response.is_chunk:
            return
        if event.get_extra("agent_stop_requested") or event.get_platform_name() == SCHEDULED:
            return
        engine = await self.engine()
        if engine is None or not await switched_on(event, self.plugin):
            return
        # The question may have come while the plugin was being reloaded.
        captured = await self._captured(event)
        if captured is None or captured.seq is None or await _paused(captured.identity, engine):
            return
        shown: Recalled | None = event.get_extra(RECALLED)
        memories = () if shown is None else shown.memories
        if captions := event.get_extra(CAPTIONS):
            await engine.describe(captured.seq, captions)
        reply = NewTurn(
            place=placed(event, captured.identity.place),
            role=Role.ASSISTANT,
            speaker=Speaker(event.get_self_id(), ""),
            text=with_calls(text[:LONGEST_TURN], calls_of(event)),
            at=engine.clock.now(),
            disclosed=owners_among(memories, captured.identity.scope),
        )
        await engine.answer(reply, to=captured.seq)

    async def on_sent(self, event: AstrMessageEvent) -> None:
        """After /new or /reset: what was said before is an episode of its own."""
        if not event.get_extra("_clean_group_context_session"):
            return
        engine = await self.engine()
        if engine is None:
            return
        session = event.unified_msg_origin
        await engine.reset(session)
        if not keeps_messages(self.context, session, after_reset=True):
            # After /new that is the new one: the one before can be switched back to.
            separate = engine.settings.scope.persona_separation
            now = await identify(event, self.context, separate_personas=separate)
            await engine.journal.history_gone(now.place, whole=True)

    async def _withdraw_recalled(self, event: AstrMessageEvent) -> None:
        engine = await self.engine()
        if engine is None:
            return
        seq = await recalled_message(event, engine.journal)
        if seq is not None:
            await engine.eraser.withdraw({seq})

    async def _captured(self, event: AstrMessageEvent) -> Captured | None:
        if not says_something(event):
            return None
        return await asyncio.shield(self._capturing(event))

    async def _soon_captured(self, event: AstrMessageEvent, seconds: float) -> Captured | None:
        """None if the turn is not on disk in time: memories are then recalled all the same."""
        if not says_something(event):
            return None
        capturing = self._capturing(event)
        await asyncio.wait({capturing}, timeout=seconds)
        return _result(capturing)

    def _capturing(self, event: AstrMessageEvent) -> Capturing:
        """The capture of this event, started once; again if the last attempt failed."""
        running: Capturing | None = event.get_extra(CAPTURED)
        if running is None or (running.done() and _result(running) is None):
            running = self.own(self._capture(event))
            event.set_extra(CAPTURED, running)
        return running

    async def _capture(self, event: AstrMessageEvent) -> Captured | None:
        engine = await self.engine()
        if engine is None or not engine.settings.capture.enabled:
            return None
        identity = await identity_of(event, self.context, engine)
        refused = await engine.admission.refusal(identity.utterance)
        if refused is not None or await _paused(identity, engine):
            # Not None: else the answer would capture again, when recording may be allowed.
            return Captured(identity, None)
        media = await media_of(event, keep=engine.settings.media.keep)
        said = event.message_str.strip()[:LONGEST_TURN]
        appended = await engine.observe(
            NewTurn(
                place=identity.place,
                role=identity.role,
                speaker=identity.speaker,
                text=engine.worded(said, media),
                at=engine.clock.now(),
                message_id=message_id(event),
                chat_name=identity.chat_name,
                media=media,
                quotes=await quotes(event, engine.journal),
            )
        )
        if identity.role is Role.BYSTANDER and not appended.duplicate:
            # Of what the model is asked about the host may know the captions, see `on_request`.
            self.captions.begin(event, self._recorded, engine)
        return Captured(identity, appended.turn.seq)

    async def _record_late(
        self, event: AstrMessageEvent, ask: RecallRequest, engine: MemoryEngine
    ) -> None:
        """Its turn was not on disk in time either."""
        turn = await spared(self._recorded(event), None, partial(engine.note_failure, "record"))
        engine.recalls.record_late(replace(ask, turn=turn))

    async def _recorded(self, event: AstrMessageEvent) -> int | None:
        captured = await self._captured(event)
        return None if captured is None else captured.seq

    async def _reconcile(
        self,
        event: AstrMessageEvent,
        captured: Captured,
        request: ProviderRequest,
        engine: MemoryEngine,
    ) -> None:
        # A reset in the web interface fires no hook; an empty history after answers shows it.
        place = place_in(request, captured.identity.place)
        if captured.seq is None or request.conversation is None:
            return
        journal = engine.journal
        gone = await replaced_message(event, request, captured.seq, self.context, journal)
        if gone is not None:
            await engine.eraser.withdraw({gone})
            return
        if request.contexts:
            return
        if not await engine.answered_before(place.session, captured.seq):
            return
        await engine.reset(place.session, before=captured.seq)
        if begins_anew(request):
            kept = keeps_messages(self.context, place.session, after_reset=False)
            await journal.history_gone(place, whole=not kept)


async def _paused(identity: Identity, engine: MemoryEngine, *, recall: bool = False) -> bool:
    speaker = identity.speaker.id
    return await engine.consents.pause(identity.scope, speaker, recall=recall) is not None


def says_something(event: AstrMessageEvent) -> bool:
    """Whether there is anything to record of the message."""
    return bool(event.message_str.strip()) or has_media(event)


def captured_turn(event: AstrMessageEvent) -> Captured | None:
    """The event's own turn; None if it is not recorded, or not yet."""
    capturing: Capturing | None = event.get_extra(CAPTURED)
    return None if capturing is None else _result(capturing)


async def identity_of(event: AstrMessageEvent, context: Context, engine: MemoryEngine) -> Identity:
    """That of the event's own turn, else as the event tells it now."""
    captured = captured_turn(event)
    if captured is not None:
        return captured.identity
    separate = engine.settings.scope.persona_separation
    return await identify(event, context, separate_personas=separate)


def _result(capturing: Capturing) -> Captured | None:
    """None while it runs, and after a failure."""
    failed = not capturing.done() or capturing.cancelled() or capturing.exception() is not None
    return None if failed else capturing.result()
