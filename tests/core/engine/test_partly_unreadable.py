"""Data of which one table or one record cannot be read: the rest of it answers, at any depth."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.recall.trace import LegState, Recalled
from astrbot_plugin_tidemark.core.records.threads import composed, line_of
from astrbot_plugin_tidemark.storage import open_journal, open_store

from ...rig import START, Rig, open_rig
from ...samples import ANNS
from ...storage.damage import DAMAGE, spoil, tables, without
from .conftest import PATIENT

HIVES = "Where do the hives of the chapel face?"
PET = "What is my cat called?"
FERRY = "What happened with the ferry to Skye?"
QUESTIONS = (HIVES, PET, FERRY, "Why did I move to Bath?", "What did I say of hives in June 2025?")

THE_MEMORIES = {"scope", "memory", "document"}
WHOSE_THEY_ARE = {"aliases"}
"""Without it nobody knows which accounts are one person's."""

FRAGMENTS = ("a", "b", "c")


async def opened(folder: Path, backend: str = "sqlite") -> Rig:
    store = await open_store(backend, folder)
    return await open_rig(folder, PATIENT, store=store, journal=await open_journal(folder))


async def lived(rig: Rig) -> int:
    """A chat, and what was learnt from it: a claim, a story, and raw turns; the seq of its end."""
    for number in range(12):
        await rig.say(ANNS, f"the hives of the chapel number {number} face south")
        await rig.say(ANNS, "I see", Role.ASSISTANT)
    await rig.keep("Ann has a cat called Minka", ANNS, id="cat", claim=told("Minka", START))
    parts = [
        await rig.keep(f"the ferry to Skye was late, part {id}", ANNS, id=id, kind=Kind.EPISODIC)
        for id in FRAGMENTS
    ]
    thread = composed(
        "story", "ferry", parts, [line_of(one, f"2025-06-1{one.id}") for one in parts]
    )
    await rig.store.put([thread])
    end = await rig.say(ANNS, "and what of it")
    await rig.settle()
    await rig.embedded()
    return end


def told(value: str, at: float) -> Claim:
    return Claim("@", "pet", value, at)


@pytest.fixture
async def folder(tmp_path: Path) -> tuple[Path, int]:
    """With what has been lived, closed; the seq of its last turn."""
    rig = await opened(tmp_path)
    rig.engine.start()
    end = await lived(rig)
    await rig.engine.close()
    return tmp_path, end


async def asked(rig: Rig, text: str, turn: int) -> Recalled | None:
    """As the hook asks; what is recorded of it is waited for."""
    history = frozenset({"something else"})
    recalled = await rig.engine.recalls.recall(RecallRequest(ANNS, text, turn, history))
    await rig.engine.recalls.recorded()
    return recalled


@pytest.mark.parametrize("file", ["memories.db", "journal.db"])
async def test_any_table_but_the_memories_may_be_away(folder: tuple[Path, int], file: str) -> None:
    path, end = folder
    without_answer = set[str]()
    for table in tables(path / file):
        rig = await opened(path)
        with without(path / file, table):
            try:
                for text in QUESTIONS:
                    assert await asked(rig, text, end), table
                found = await asked(rig, HIVES, end)
                assert found.memories, table
            except StorageError:
                without_answer.add(table)
        healed = await asked(rig, HIVES, end)
        assert healed.memories, table
        assert all(report.state is not LegState.FAILED for report in healed.trace.legs), table
        await rig.engine.close()
    assert without_answer == (THE_MEMORIES if file == "memories.db" else WHOSE_THEY_ARE)


@pytest.mark.parametrize("table", ["turns", "episodes", "names", "sleep_marks"])
async def test_what_a_recall_does_without_is_counted(folder: tuple[Path, int], table: str) -> None:
    path, end = folder
    rig = await opened(path)
    with without(path / "journal.db", table):
        found = await asked(rig, HIVES, end)
    assert found.memories
    assert table in rig.engine.incidents.snapshot()["recall"].text
    await rig.engine.close()


@pytest.fixture(params=["sqlite", "chroma"])
async def rig(request: pytest.FixtureRequest, quick_folder: Path) -> AsyncIterator[Rig]:
    """With what has been lived, of which nothing is damaged yet, as a store just opened."""
    made = await opened(quick_folder, request.param)
    made.engine.start()
    await lived(made)
    await made.engine.close()
    rig = await opened(quick_folder, request.param)
    yield rig
    await rig.engine.close()


async def test_one_damaged_turn_of_many_is_left_out(rig: Rig, quick_folder: Path) -> None:
    every = await rig.memories(Kind.EVIDENCE)
    bad = every[3].id
    await spoil(rig.store, quick_folder, bad, DAMAGE["cut short"])
    found = await rig.ask(ANNS, HIVES)
    assert found.memories
    assert bad not in {memory.id for memory in found.memories}
    assert all(report.state is not LegState.FAILED for report in found.trace.legs)
    assert await unreadable(rig.store) == [bad]
    again = await rig.ask(ANNS, HIVES)
    # Which of a dozen that are alike are shown may differ.
    assert len(again.memories) == len(found.memories)
    assert bad not in {memory.id for memory in again.memories}


async def unreadable(store: MemoryStore) -> list[str]:
    return [record.id for record in await store.unreadable()]


async def test_beside_a_damaged_claim_another_answers(rig: Rig, quick_folder: Path) -> None:
    other = await rig.keep(
        "Ann also has a cat called Tom", ANNS, id="tom", claim=told("Tom", START)
    )
    await spoil(rig.store, quick_folder, "cat", DAMAGE["no JSON"])
    found = await rig.ask(ANNS, PET)
    assert found.memories[0].id == other.id
    assert await unreadable(rig.store) == ["cat"]


async def test_who_asks_of_a_damaged_claim_gets_what_was_said(rig: Rig, quick_folder: Path) -> None:
    await rig.say(ANNS, "my cat is called Minka")
    rig.engine.start()
    await rig.settle()
    await spoil(rig.store, quick_folder, "cat", DAMAGE["no JSON"])
    assert "my cat is called Minka" in [
        memory.text for memory in (await rig.ask(ANNS, PET)).memories
    ]
    assert await unreadable(rig.store) == ["cat"]


async def test_a_story_is_told_without_its_damaged_part(rig: Rig, quick_folder: Path) -> None:
    await spoil(rig.store, quick_folder, "b", DAMAGE["cut short"])
    found = await rig.ask(ANNS, FERRY)
    (story,) = [memory for memory in found.memories if memory.kind is Kind.NARRATIVE]
    assert "part a" in story.text
    assert "part b" not in story.text
    assert "part c" in story.text
    assert await unreadable(rig.store) == ["b"]


async def test_without_a_damaged_story_its_parts_are_told(rig: Rig, quick_folder: Path) -> None:
    await spoil(rig.store, quick_folder, "story", DAMAGE["a list"])
    found = await rig.ask(ANNS, FERRY)
    assert {memory.id for memory in found.memories} >= set(FRAGMENTS)
    assert await unreadable(rig.store) == ["story"]
