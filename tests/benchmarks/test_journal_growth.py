"""A year of chat keeps a bounded journal, and its benchmark prints what it says."""

from pathlib import Path

from astrbot_plugin_tidemark.benchmarks.journal_growth_run import (
    Year,
    recollections,
    sizes,
)
from astrbot_plugin_tidemark.core.recall.trace_document import readable

from ..strength import strength


async def test_a_year_of_chat_keeps_a_bounded_journal(tmp_path: Path) -> None:
    found = await sizes(Year(turns_a_day=strength(16, 120), every=15), tmp_path)
    assert max(found) == 360
    assert max(size for day, size in found.items() if day > 90) < 1.05 * found[90]
    # Free pages are used again: the file itself is hardly larger than what is in it.
    assert (tmp_path / "journal.db").stat().st_size < 1.6 * max(found.values())


async def test_what_it_records_are_traces_of_recalls_over_memories(tmp_path: Path) -> None:
    found = await recollections(Year(), tmp_path / "asked")
    traces = [readable(each.trace) for each in found]
    assert all(trace is not None and len(trace.candidates) > 1 for trace in traces)
    assert any(each.block for each in found)
