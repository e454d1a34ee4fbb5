"""Which message an event is about: its own id, the one it quotes, and one that no longer exists.

Messages are gone that were recalled on their platform, or replaced in the web chat.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import Reply
from astrbot.api.provider import ProviderRequest
from astrbot.api.star import Context

from ..model.conversation import Role, Turn
from ..ports import Turns
from .identity import history_texts

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
