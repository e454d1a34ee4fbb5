"""The part of a chat's history that survives the host's compression for certain. Pure.

The host compresses after its request hook, when it knows how much there is: from `LIMIT` of the
model's window on an older part becomes a summary, and only the newest rounds stay as they were.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LIMIT = 0.82
"""Share of the window from which on the host compresses."""

NEAR = 0.72
"""Share from which on it may: tools and what other plugins add are not counted here."""

MOST_PER_CHARACTER = 2.0
_CJK = re.compile("[\u4e00-\u9fff]+")
_PICTURES = re.compile("[\u200d\u2600-\u27bf\ufe00-\ufe0f\U0001f000-\U0001faff]+")
_PLAIN, _PICTURE = 0.3, 2.0
"""Tokens of a character; the oldest host counts a picture like any other."""

_PER_PART = 800
"""Tokens that the host counts for a picture, at most; a sound is less."""

type Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Compression:
    """How the host cuts a history: the model's `window` (0: without limit), and what stays.

    `max_turns` are kept, -1 for all; `trim_turns` go at once. Of what is sent, the share
    `keep_recent` stays as it is.
    """

    window: int = 0
    max_turns: int = -1
    trim_turns: int = 1
    keep_recent: float = 0.0


def compression_of(settings: Mapping[str, Any], window: object) -> Compression:
    """As a chat's settings say. What they do not say keeps nothing, so that nothing is lost."""
    runner = _mapping(_mapping(settings.get("agent_runner")).get("config"))
    own = _mapping(runner.get("compression"))
    older = _mapping(settings.get("provider_settings"))
    return Compression(
        window=int(_number(window, 0)),
        max_turns=int(_number(own.get("max_turns", older.get("max_context_length")), -1)),
        trim_turns=int(_number(own.get("trim_turns", older.get("dequeue_context_length")), 1)),
        keep_recent=min(max(_number(own.get("keep_recent_ratio"), 0.0), 0.0), 0.3),
    )


@dataclass(frozen=True, slots=True)
class RequestTokens:
    """Tokens of a request beside its history: what is `asked`, with all that is added to it, and
    the `system` prompt. `used` are those of the chat's last request as the model's server counted
    them, 0 if it did not.
    """

    asked: int
    system: int = 0
    used: int = 0


def surviving(
    history: Sequence[Message], compression: Compression, beside: RequestTokens
) -> Sequence[Message]:
    """The messages of the history that the model will see whatever the host does."""
    kept = _by_turns(history, compression)
    near = NEAR * compression.window
    if near <= 0 or not kept:
        return kept
    others, used = beside.asked + beside.system, beside.used + beside.asked
    if used <= near and _most(kept) + others <= near:
        return kept
    rounds = [(some, sum(map(tokens_of, some))) for some in _rounds(kept)]
    total = others + sum(size for _, size in rounds)
    if max(used, total) <= near:
        return kept
    # A share of as little as any host counts, of rounds as large as any counts.
    least = others + sum(tokens_of(each, _PLAIN) for each in kept)
    return _newest(rounds, int(least * compression.keep_recent) - beside.asked)


def tokens_of(message: Message, picture: float = _PICTURE) -> int:
    """Tokens of a message as the host estimates them."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    calls = estimated(str(message.get("tool_calls") or ""), picture)
    return sum(_tokens_of_part(part, picture) for part in parts) + calls


def estimated(text: str, picture: float = _PICTURE) -> int:
    """Tokens of a text as the host estimates them: .6 an ideograph, a `picture`'s, else .3."""
    ideographs = sum(map(len, _CJK.findall(text)))
    pictures = sum(map(len, _PICTURES.findall(text)))
    others = len(text) - ideographs - pictures
    return int(0.6 * ideographs + picture * pictures + _PLAIN * others)


def _tokens_of_part(part: object, picture: float) -> int:
    if isinstance(part, str):
        return estimated(part, picture)
    if not isinstance(part, Mapping):
        return 0
    text = part.get("text") or part.get("think")
    return estimated(text, picture) if isinstance(text, str) else _PER_PART


def _most(history: Sequence[Message]) -> float:
    """Not less than the tokens of a history, without looking at every character."""
    contents = [each.get("content") for each in history]
    parts = sum(len(content) for content in contents if isinstance(content, list))
    return _PER_PART * parts + MOST_PER_CHARACTER * sum(len(str(each)) for each in history)


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


def _rounds(history: Sequence[Message]) -> list[list[Message]]:
    rounds: list[list[Message]] = []
    for message in history:
        if message.get("role") == "user" or not rounds:
            rounds.append([])
        rounds[-1].append(message)
    return rounds


def _newest(rounds: Sequence[tuple[list[Message], int]], room: int) -> list[Message]:
    """The newest whole rounds that fit into so many tokens."""
    kept: list[Message] = []
    for some, size in reversed(rounds):
        if size > room:
            break
        room -= size
        kept = [*some, *kept]
    return kept


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: object, default: float) -> float:
    sound = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return float(value) if sound and abs(value) < 1e12 else default  # pyright: ignore
