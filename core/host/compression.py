"""The part of a chat's history that survives the host's compression for certain. Pure.

The host compresses after its request hook, when it knows how much there is: from `LIMIT` of the
model's window on an older part becomes a summary. Near that nothing counts as surviving: what the
history may say no longer is brought up once more.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LIMIT = 0.82
"""Share of the window from which on the host compresses."""

NEAR = 0.72
"""Share from which on it may: tools and what other plugins add are not counted here."""

_CJK = re.compile("[\u4e00-\u9fff]+")
_PICTURES = re.compile("[\u200d\u2600-\u27bf\ufe00-\ufe0f\U0001f000-\U0001faff]+")

_PER_PART = 800
"""Tokens that the host counts for a picture, at most; a sound is less."""

type Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Compression:
    """How the host cuts a history: the model's `window` (0: without limit), and what stays.

    `max_turns` are kept, -1 for all; `trim_turns` go at once.
    """

    window: int = 0
    max_turns: int = -1
    trim_turns: int = 1


def compression_of(settings: Mapping[str, Any], window: object) -> Compression:
    """As a chat's settings say. What they do not say keeps nothing, so that nothing is lost."""
    runner = _mapping(_mapping(settings.get("agent_runner")).get("config"))
    own = _mapping(runner.get("compression"))
    older = _mapping(settings.get("provider_settings"))
    return Compression(
        _number(window, 0),
        _number(own.get("max_turns", older.get("max_context_length")), -1),
        _number(own.get("trim_turns", older.get("dequeue_context_length")), 1),
    )


def surviving(
    history: Sequence[Message], compression: Compression, beside: int, used: int = 0
) -> Sequence[Message]:
    """The messages of the history that the model will see whatever the host does.

    `beside` are the tokens of the request besides, with all that is added to it; `used` those of
    the chat's last request as the model's server counted them, 0 if it did not.
    """
    kept, near = _by_turns(history, compression), NEAR * compression.window
    if near <= 0 or not kept:
        return kept
    total = beside + sum(map(tokens_of, kept))
    return kept if max(used + beside, total) <= near else []


def tokens_of(message: Message) -> int:
    """Tokens of a message as the host estimates them."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    return sum(map(_tokens_of_part, parts)) + estimated(str(message.get("tool_calls") or ""))


def estimated(text: str) -> int:
    """Tokens of a text as the host estimates them: .6 an ideograph, 2 a picture, else .3."""
    ideographs = sum(map(len, _CJK.findall(text)))
    pictures = sum(map(len, _PICTURES.findall(text)))
    return int(0.6 * ideographs + 2.0 * pictures + 0.3 * (len(text) - ideographs - pictures))


def _tokens_of_part(part: object) -> int:
    if isinstance(part, str):
        return estimated(part)
    if not isinstance(part, Mapping):
        return 0
    text = part.get("text") or part.get("think")
    return estimated(text) if isinstance(text, str) else _PER_PART


def _by_turns(history: Sequence[Message], compression: Compression) -> Sequence[Message]:
    said = [each for each in history if each.get("role") != "system"]
    turns = compression.max_turns
    # The request itself is one more message.
    if turns < 0 or (len(said) + 1) // 2 <= turns:
        return said
    left = 2 * max(0, turns - compression.trim_turns + 1) - 1
    newest = said[-left:] if left > 0 else []
    first = next((n for n, each in enumerate(newest) if each.get("role") == "user"), len(newest))
    return newest[first:]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: object, default: int) -> int:
    sound = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12
    return int(value) if sound else default  # pyright: ignore
