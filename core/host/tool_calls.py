"""The tools that the chat model uses for an answer, as the host tells of them."""

from collections.abc import Mapping
from typing import Any, cast

from astrbot.api.event import AstrMessageEvent

from ..records.tool_calls import call_line
from ..settings import CaptureSettings

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
    line = call_line(str(name), given, _text(result), failed=failed)
    event.set_extra(CALLS, [*calls_of(event), line])


def calls_of(event: AstrMessageEvent) -> list[str]:
    """The lines of the event's tool calls, in their order."""
    return event.get_extra(CALLS) or []


def _text(result: Any) -> str:
    """The texts of a result; of what is no text (pictures, sound) nothing."""
    parts = getattr(result, "content", None) or []
    texts = (getattr(part, "text", None) for part in parts)
    return " ".join(text for text in texts if isinstance(text, str))
