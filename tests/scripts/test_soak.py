"""The soak test's own checks: each kind of loss and repetition is noticed."""

import math
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore
from astrbot_plugin_tidemark.scripts.soak import main, toll
from astrbot_plugin_tidemark.storage import open_store
from astrbot_plugin_tidemark.tests.kill.talker import EPISODE_TURNS, converse, text_of

TURNS = 6
SAID = [text_of(number) for number in range(TURNS)]


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """What a talk without any kill leaves behind."""
    await converse(tmp_path, range(TURNS), "sqlite")
    return tmp_path


async def tamper(folder: Path, kind: Kind, change: Callable[[MemoryStore, Memory], object]) -> None:
    """Change the store by the first memory of a kind."""
    store = await open_store("sqlite", folder)
    try:
        (memory,) = await store.page(Filter(kinds=frozenset({kind})), limit=1)
        await change(store, memory)  # type: ignore[misc]
    finally:
        await store.close()


async def problems(folder: Path) -> tuple[str, ...]:
    return (await toll(folder, SAID, kills=0)).problems


async def test_an_undisturbed_talk_has_no_problems(folder: Path) -> None:
    left = await toll(folder, SAID, kills=0)
    assert left.problems == ()
    assert left.acknowledged == TURNS
    assert left.episodes >= math.ceil(TURNS * 2 / EPISODE_TURNS)


async def test_an_answered_turn_that_is_not_on_record_is_lost(folder: Path) -> None:
    left = await toll(folder, [*SAID, "never recorded"], kills=0)
    assert left.problems == ("lost: never recorded", "answer lost: never recorded")


async def test_a_turn_without_its_memory_is_noticed(folder: Path) -> None:
    await tamper(folder, Kind.EVIDENCE, lambda store, memory: store.purge([memory.id]))
    assert any(problem.endswith("is 0 memories") for problem in await problems(folder))


async def test_an_episode_learnt_twice_is_noticed(folder: Path) -> None:
    def again(store: MemoryStore, memory: Memory) -> object:
        return store.put([replace(memory, id="1" * 32, text="Another lesson")])

    await tamper(folder, Kind.SEMANTIC, again)
    assert any(problem.endswith("taught 2 memories") for problem in await problems(folder))


async def test_a_verdict_applied_twice_is_noticed(folder: Path) -> None:
    def twice(memory: Memory) -> Memory:
        vitality = replace(memory.vitality, useful_count=memory.vitality.useful_count + 1)
        return replace(memory, vitality=vitality)

    await tamper(folder, Kind.EVIDENCE, lambda store, memory: store.amend([memory.id], twice))
    found = await problems(folder)
    assert any("verdicts noted" in problem and "applied, Vitality" in problem for problem in found)


async def test_a_damaged_file_is_noticed(folder: Path) -> None:
    (folder / "copy.db").write_bytes(b"not a database" * 100)
    assert await problems(folder) == ("copy.db: file is not a database",)


@pytest.mark.parametrize(("hours", "folder"), [(None, "soak-7"), (1.0, "endurance-7")])
async def test_a_folder_that_an_earlier_run_has_left_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], hours: float | None, folder: str
) -> None:
    left = tmp_path / folder / "host" / "journal.db"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"an earlier run")
    asked = Namespace(hours=hours, backend="sqlite", rounds=4, turns=1, kills=1, seed=7)
    assert await main(asked, tmp_path) == 2
    assert f"{folder} holds what an earlier run has left: delete it" in capsys.readouterr().err
    assert left.read_bytes() == b"an earlier run"
