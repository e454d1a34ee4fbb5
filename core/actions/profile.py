"""The page about the caller: its lines with their sources, and striking one."""

from dataclasses import dataclass

from ..conflict.slots import value_key
from ..model.memory import Memory
from ..ports import Filter
from ..recall.profile import Line, Section, line_text
from ..records.short_ids import short_id
from .answers import MemoryView, Refusal, Refused
from .context import Context
from .views import view


@dataclass(frozen=True, slots=True)
class LineView:
    """A line: its words, the memory that it shows, and the ids of all memories that say it."""

    number: int
    section: Section
    said: str
    memory: MemoryView
    sources: tuple[str, ...]


async def own_profile(context: Context) -> list[LineView]:
    """The lines about the caller in this chat, as the next prompt has them."""
    readable = await context.readable()
    shown: list[LineView] = []
    for number, line in enumerate(await _lines(context), start=1):
        sources = [await short_id(context.store, id, readable) for id in line.sources]
        told = await view(context, line.memory)
        said = line_text(line.memory, context.engine.show_date)
        shown.append(LineView(number, line.section, said, told, tuple(sources)))
    return shown


async def strike(context: Context, number: int) -> LineView:
    """Forget what a line says: its memories go to the bin, and it leaves the page for good.

    With what has said the same since the last sleep, which would be the line after the next.
    """
    lines = await own_profile(context)
    if not 1 <= number <= len(lines):
        raise Refused(Refusal.NO_SUCH_LINE)
    [line] = [each for each in await _lines(context) if each.memory.id == _id(lines[number - 1])]
    same = await _saying_the_same(context, line.memory)
    await context.engine.curation.forget(list(dict.fromkeys([*line.sources, *same])), by=context.by)
    return lines[number - 1]


async def _saying_the_same(context: Context, memory: Memory) -> list[str]:
    claim = memory.claim
    if claim is None:
        return []
    where = Filter(scopes=frozenset({memory.scope}), slots=frozenset({claim.slot}))
    return [
        other.id
        async for other in context.store.iterate(where)
        if other.claim is not None
        and other.claim.denied == claim.denied
        and value_key(other.claim.value) == value_key(claim.value)
    ]


async def _lines(context: Context) -> list[Line]:
    caller = context.caller
    return await context.engine.profiles.lines(caller.scope, caller.person)


def _id(line: LineView) -> str:
    return line.memory.memory.id
