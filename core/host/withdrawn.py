"""Messages that no longer exist on their platform: recalled, or replaced in the web chat."""

from collections.abc import Mapping, Sequence
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest
from astrbot.api.star import Context

from ..model.conversation import Role, Turn
from ..ports import Turns
from .identity import history_texts
from .quoting import BEHIND_ID

RECALLS = frozenset({"group_recall", "friend_recall"})
"""The notices of OneBot that say of a message that it was recalled."""

WEB = "webchat"
RECENT = 12
"""Turns of a web chat among which one that was replaced is looked for."""

SHOWN = 50
"""Messages of the page that are looked at for it."""


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
    said = await turns.last_turns(event.unified_msg_origin, RECENT)
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
