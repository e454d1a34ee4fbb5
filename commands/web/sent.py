"""What the page is sent: the actions' answers as JSON. Times are Unix seconds, sizes bytes.

`pages/tidemark/lib/types.js` is written from them by `python -m scripts.render`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from math import isfinite
from typing import Any, cast

from ...core.actions.answers import MemoryView
from ...core.actions.browsing import MemoryRow, rows
from ...core.actions.context import Context
from ...core.actions.jobs import Job


@dataclass(frozen=True, slots=True)
class LongWork[T]:
    """What was asked for, done; or the job that does it, where that takes long."""

    done: T | None
    job: Job | None


def long_work[T](answer: T | Job) -> LongWork[T]:
    """The answer to whoever asked for something that may take long."""
    return LongWork(None, answer) if isinstance(answer, Job) else LongWork(answer, None)


async def as_sent(context: Context, answer: Any) -> Any:
    """An answer as JSON has it; a memory in it is sent as its row."""
    seen = list(_views(answer))
    # A restore has closed what names are asked of.
    found = await rows(context, seen) if seen else []
    return _json(answer, {id(view): row for view, row in zip(seen, found, strict=True)})


def _views(value: Any) -> Iterator[MemoryView]:
    match value:
        case MemoryView():
            yield value
        case Mapping():
            yield from _views(list(cast("Mapping[Any, Any]", value).values()))
        case list() | tuple():
            for each in cast("Sequence[Any]", value):
                yield from _views(each)
        case _ if is_dataclass(value):
            yield from _views([getattr(value, each.name) for each in fields(value)])


def _json(value: Any, of: Mapping[int, MemoryRow]) -> Any:
    match value:
        case MemoryView():
            return _json(of[id(value)], of)
        case Mapping():
            return {k: _json(each, of) for k, each in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple():
            return [_json(each, of) for each in cast("Sequence[Any]", value)]
        case _ if is_dataclass(value):
            return {each.name: _json(getattr(value, each.name), of) for each in fields(value)}
        case str():
            # Half a character in one name would cost the host's encoder the whole list.
            return value.encode("utf-8", "replace").decode()
        case float():
            return value if isfinite(value) else None
        case _:
            return value
