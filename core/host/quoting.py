"""The id of a message, and of the one that it quotes, from a host event."""

from hashlib import blake2b
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import Reply

from ..model.conversation import Role
from ..ports import Turns

LONGEST_ID = 200
RECENT = 60
"""Turns of a chat among which a quoted answer of the bot is looked for."""

BEHIND_ID = ":"
_SHORTEST = 2
"""Characters of a quotation by which an answer is known."""


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
