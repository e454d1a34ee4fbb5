"""Verdicts, audit, usage, notes and overrides."""

import asyncio

import pytest
from astrbot_plugin_tidemark.core.ports import (
    AuditEntry,
    Census,
    Expense,
    Journal,
    Judged,
    Purpose,
    Usage,
)


def entry(key: str, memory: str = "m1", *, at: float = 0.0) -> AuditEntry:
    return AuditEntry(key, memory, "scope", "judged", "tmd", at, '{"strength": 5}')


async def test_of_verdicts_and_audit_entries_the_first_stays(journal: Journal) -> None:
    await journal.record_verdicts([(1, "a")], useful=True, source="model", at=1.0)
    await journal.record_verdicts([(1, "a"), (1, "b")], useful=False, source="model", at=2.0)
    assert await journal.verdict_counts() == (1, 1)
    await journal.audit([entry("k1")])
    await journal.audit([entry("k1", at=9.0), entry("k2", at=9.0), entry("k2", at=10.0)])
    assert await journal.audit_of("m1") == [entry("k1"), entry("k2", at=9.0)]


async def test_the_history_is_that_of_one_memory_its_newest_entries(journal: Journal) -> None:
    await journal.audit([entry("c", at=3.0), entry("x", "m2"), entry("a", at=1.0)])
    await journal.audit([entry("b", at=1.0)])
    assert [item.key for item in await journal.audit_of("m1")] == ["a", "b", "c"]
    assert await journal.audit_of("m3") == []
    await journal.audit([entry(f"{n:02}", at=float(n)) for n in range(60)])
    assert [item.key for item in await journal.audit_of("m1", limit=3)] == ["57", "58", "59"]
    assert len(await journal.audit_of("m1")) == 50
    assert await journal.audit_of("m1", limit=0) == []


async def test_usage_adds_up_by_day(journal: Journal) -> None:
    assert await journal.usage("2026-01-01") == Usage("2026-01-01", 0, 0)
    await journal.count_usage("2026-01-01", Purpose.LEARNING, calls=1, tokens=700)
    await journal.count_usage("2026-01-01", Purpose.SLEEP, calls=2, tokens=0)
    await journal.count_usage("2026-01-01", Purpose.BLOCK, calls=1, tokens=90)
    await journal.count_usage("2026-01-02", Purpose.LEARNING, calls=1, tokens=5)
    assert await journal.usage("2026-01-01") == Usage("2026-01-01", 3, 700)


async def test_expenses_are_told_by_month_and_purpose(journal: Journal) -> None:
    for day, tokens in (("2026-01-31", 7), ("2026-01-02", 30), ("2025-12-31", 4)):
        await journal.count_usage(day, Purpose.LEARNING, calls=1, tokens=tokens)
    await journal.count_usage("2026-01-31", Purpose.BLOCK, calls=1, tokens=90)
    assert await journal.expenses() == [
        Expense("2025-12", Purpose.LEARNING, 1, 4),
        Expense("2026-01", Purpose.BLOCK, 1, 90),
        Expense("2026-01", Purpose.LEARNING, 2, 37),
    ]


async def test_a_day_has_its_last_census_and_verdicts_are_counted(journal: Journal) -> None:
    told = [Census("2026-01-02", (1, 0, 0)), Census("2026-01-01", (2, 1, 0))]
    for each in (Census("2026-01-02", (9, 9, 9)), *told):
        await journal.note_census(each)
    assert await journal.censuses() == told[::-1]
    await journal.record_verdicts([(1, "a"), (2, "a"), (1, "b")], useful=True, source="m", at=1.0)
    await journal.record_verdicts([(3, "a"), (1, "c")], useful=False, source="m", at=1.0)
    assert await journal.judged(limit=2) == [Judged("a", 2, 1), Judged("b", 1, 0)]
    assert await journal.judged(after="b") == [Judged("c", 0, 1)]


async def test_usage_counted_by_many_tasks_is_not_lost(journal: Journal) -> None:
    counts = (
        journal.count_usage("2026-01-01", Purpose.LEARNING, calls=1, tokens=n) for n in range(30)
    )
    await asyncio.gather(*counts)
    assert await journal.usage("2026-01-01") == Usage("2026-01-01", 30, sum(range(30)))


@pytest.mark.parametrize("value", ["", "1700000000.5", "多行\n文字", "a\x00b"])
async def test_a_note_is_kept_and_replaced(journal: Journal, value: str) -> None:
    assert await journal.note("last_sweep") is None
    await journal.set_note("last_sweep", "before")
    await journal.set_note("last_sweep", value)
    assert await journal.note("last_sweep") == value
    assert await journal.note("another") is None


async def test_overrides_and_notes_of_one_name_are_apart(journal: Journal) -> None:
    await journal.set_note("name", "note")
    await journal.set_override("name", "override")
    assert await journal.note("name") == "note"
    assert await journal.overrides() == {"name": "override"}
