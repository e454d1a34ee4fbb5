"""The bot's tool calls, written after its answer, one line each, without credentials. Pure."""

import json
from collections.abc import Mapping, Sequence

from ..model.memory import unmarked
from ..text.credentials import cleared, without_credentials

CALL_MARK = "⊳"
"""Begins the line of a tool call behind an answer; what people and models write has none."""

MOST_CALLS = 5
LONGEST_NAME = 60
LONGEST_PART = 120
"""Characters of all arguments, and of the result."""

_READ = 4_000
"""Characters of a value that are looked at."""

_LONGEST_DOCUMENT = 20_000
"""Characters of a result that is read as JSON: all of it is looked through."""


def call_line(name: str, arguments: Mapping[str, object], result: str, *, failed: bool) -> str:
    """`name(argument=value, …) → result` on one line, or with `×` if it failed."""
    given = ", ".join(f"{key}={_value(key, each)}" for key, each in arguments.items())
    told = _part(without_credentials(_told(result)))
    return f"{_part(name)[:LONGEST_NAME]}({_part(given)}) {'×' if failed else '→'} {told}".rstrip()


def with_calls(answer: str, calls: Sequence[str]) -> str:
    """An answer with the last `MOST_CALLS` of the tool calls that led to it."""
    lines = [f"{CALL_MARK} {call}" for call in calls[-MOST_CALLS:]]
    return "\n".join([answer.replace(CALL_MARK, ">"), *lines])


def split_calls(text: str) -> tuple[str, list[str]]:
    """The answer itself, and the lines of its tool calls."""
    answer, *calls = text.split(f"\n{CALL_MARK} ")
    return answer, calls


def _value(key: str, value: object) -> str:
    short = value[:_READ] if isinstance(value, str) else value
    clear = cleared(short, key)
    return clear if isinstance(clear, str) else json.dumps(clear, ensure_ascii=False, default=str)


def _told(result: str) -> str:
    """A JSON result is read as such, so that names decide in it too."""
    try:
        document = json.loads(result) if len(result) <= _LONGEST_DOCUMENT else None
    except (ValueError, RecursionError):
        return result[:_READ]
    if not isinstance(document, dict | list):
        return result[:_READ]
    return json.dumps(cleared(document), ensure_ascii=False)[:_READ]


def _part(text: str) -> str:
    line = unmarked(" ".join(text.split())).replace(CALL_MARK, ">")
    return line if len(line) <= LONGEST_PART else line[: LONGEST_PART - 1] + "…"
