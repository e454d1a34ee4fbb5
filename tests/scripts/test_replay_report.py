"""The report of a replay, over a real store and journal."""

from dataclasses import replace
from pathlib import Path

from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Source,
    Standing,
    Status,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import AuditEntry
from astrbot_plugin_tidemark.scripts.replay_report import ReplayReport, collect, lines
from astrbot_plugin_tidemark.storage import open_journal, open_store

DAY = 86_400.0


def memory(text: str, *, at: float, kind: Kind = Kind.SEMANTIC, recalled: int = 0) -> Memory:
    return Memory(
        id=f"id-{text}",
        scope="private/qq/1001/*",
        kind=kind,
        text=text,
        summary=text,
        created_at=at,
        happened_at=at,
        vitality=Vitality(5, useful_count=1 if recalled else 0),
        access=Access(at, at, 1 + recalled),
        source=Source.USER,
        extractor=Extractor.RULES,
    )


def binned(text: str, *, at: float) -> Memory:
    return replace(memory(text, at=at), standing=Standing(Status.BINNED, at, "decayed", at + DAY))


async def reported(folder: Path, *memories: Memory) -> ReplayReport:
    store, journal = await open_store("sqlite", folder), await open_journal(folder)
    await store.put(memories)
    await journal.audit(
        [
            AuditEntry(f"created:{m.id}", m.id, m.scope, "created", "rules", m.created_at)
            for m in memories
        ]
    )
    await journal.record_verdicts([(1, memories[0].id)], useful=True, source="rules", at=DAY)
    await store.close()
    await journal.close()
    return await collect(folder, name="talk", played=4, commands={"/memory why": "first\nsecond"})


async def test_verbatim_messages_are_not_counted_as_learnt(tmp_path: Path) -> None:
    report = await reported(tmp_path, memory("raw", at=DAY, kind=Kind.EVIDENCE, recalled=2))
    assert report.learnt == []
    assert [fate.recalled for fate in report.recalled] == [2]


async def test_forgotten_memories_are_in_the_report_with_their_reason(tmp_path: Path) -> None:
    report = await reported(tmp_path, memory("kept", at=DAY), binned("gone", at=DAY))
    assert [(fate.text, fate.reason) for fate in report.forgotten] == [("gone", "decayed")]


async def test_the_text_names_every_section_and_quotes_the_commands_answers(tmp_path: Path) -> None:
    text = list(lines(await reported(tmp_path, memory("tea", at=DAY, recalled=1))))
    assert text[0] == "talk: 4 messages played, 0 kept verbatim"
    assert "Learnt (1)" in text
    assert "  1970-01-02 semantic tea" in text
    assert "Judged: 1 useful, 0 useless" in text
    assert text[-3:] == ["> /memory why", "  first", "  second"]
