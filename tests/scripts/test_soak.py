"""The checks of the soak tests: each kind of loss, repetition and leak is noticed."""

import math
import random
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest
from astrbot_plugin_tidemark.scripts.soak import WATCHED, Diary, main, report
from astrbot_plugin_tidemark.scripts.soak_people import (
    GROUPS,
    Cast,
    Leaks,
    Line,
    misheard,
    misplanned,
)
from astrbot_plugin_tidemark.scripts.soak_toll import toll
from astrbot_plugin_tidemark.storage import open_store
from astrbot_plugin_tidemark.tests.kill.talker import EPISODE_TURNS, converse, text_of

from ..samples import turn

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
        await change(store, memory)
    finally:
        await store.close()


async def problems(folder: Path) -> tuple[str, ...]:
    return (await toll(folder, SAID)).problems


async def test_what_is_lost_or_damaged_is_a_problem(folder: Path) -> None:
    left = await toll(folder, SAID)
    assert left.problems == ()
    assert left.acknowledged == TURNS
    assert left.episodes >= math.ceil(TURNS * 2 / EPISODE_TURNS)
    left = await toll(folder, [*SAID, "never recorded"])
    assert left.problems == ("lost: never recorded", "answer lost: never recorded")
    (folder / "copy.db").write_bytes(b"not a database" * 100)
    assert await problems(folder) == ("copy.db: file is not a database",)


async def test_an_episode_learnt_twice_or_without_its_memory_is_noticed(folder: Path) -> None:
    await tamper(folder, Kind.EVIDENCE, lambda store, memory: store.purge([memory.id]))
    assert any(problem.endswith("is 0 memories") for problem in await problems(folder))

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


async def test_a_folder_that_an_earlier_run_has_left_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = tmp_path / "soak-7" / "host" / "journal.db"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"an earlier run")
    asked = Namespace(hours=1.0, backend="sqlite", rounds=4, seed=7)
    assert await main(asked, tmp_path) == 2
    assert "soak-7 holds what an earlier run has left: delete it" in capsys.readouterr().err
    assert left.read_bytes() == b"an earlier run"


PLAN = "Turn 3 by 901 in 6001: I'm going to load ship 3 with 0badcafe tomorrow"
TURN = turn(1, PLAN, Role.BYSTANDER)


def lines(rule: str, many: int = 300) -> list[Line]:
    return [each for each, _ in _said(rule, many)]


def _said(rule: str, many: int) -> list[tuple[Line, Cast]]:
    cast = Cast(random.Random(7))
    cast.rules = dict.fromkeys(GROUPS, rule)
    return [(cast.next(), cast) for _ in range(many)]


def test_what_a_group_leaves_out_or_tells_elsewhere_is_noticed() -> None:
    assert all(line.recorded for line in lines("all"))
    assert all(line.recorded == line.addressed for line in lines("addressed"))
    assert all(line.recorded == (line.group is None) for line in lines("none"))
    assert all(line.text.startswith("Turn ") == line.recorded for line in lines("none"))
    plans = {"0badcafe": "6001"}
    assert misplanned(f"1. {PLAN}", "6001", plans) == []
    assert misplanned(f"1. {PLAN}", "901", plans) == ["leaked: plan 0badcafe of 6001 in 901"]
    assert misplanned(f"{PLAN}\n{PLAN}", "6001", plans) == ["plan 0badcafe is told 2 times"]
    hushed = replace(TURN, text="Hushed 5 by 902 in 6001: the cargo is wool")
    assert misheard([hushed], [], []) == [f"recorded: {hushed.text}"]


ANNA, BEN = "Turn 1 by 901: the cargo is salt", "Turn 2 by 902: the cargo is wool"


def request(text: str, *, system: str = "", before: str = "") -> ChatRequest:
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}]
    messages += [{"role": "user", "content": each} for each in (before, text) if each]
    return ChatRequest({"messages": messages}, 0.0)


def leaks(*requests: ChatRequest) -> int:
    seen = Leaks()
    for each in requests:
        seen.look(each)
    return len(seen.found)


def test_what_another_said_elsewhere_is_a_leak() -> None:
    assert leaks(request(ANNA, before=ANNA)) == 0
    assert leaks(request(f"{ANNA}\n<memory>{BEN}</memory>")) == 1
    learn = "tidemark:learn/1"
    assert leaks(request(f"{BEN}\n{BEN}", system=learn)) == 0
    assert leaks(request(f"{ANNA}\n{BEN}", system=learn)) == 1
    here, there = ("Turn 3 by 901 in 6001: the cargo is tea", "Turn 4 by 901 in 6002: it is oil")
    heard = "Turn 5 by 902 in 6001: the cargo is silk"
    assert leaks(request(f"{here}\n<memory>{heard}</memory>")) == 0
    assert leaks(request(f"{here}\n<memory>{there}</memory>")) == 1
    assert leaks(request(f"{here}\n<memory>{ANNA}</memory>")) == 1
    assert leaks(request(f"{ANNA}\n<memory>{here}</memory>")) == 1


def test_a_soak_that_was_cut_short_tells_what_it_knows(tmp_path: Path) -> None:
    diary = Diary(tmp_path / "samples.jsonl", interrupted=True)
    assert report(diary)["watched"]["files"] == {}
    diary.samples = [dict.fromkeys(WATCHED, files) for files in (40.0, 42.0, 50.0, 58.0)]
    told = report(diary)
    assert told["interrupted"]
    assert told["turns_kept"] == told["broken"] == 0
    assert told["watched"]["files"] == {"least": 40, "most": 58, "first": 41, "second": 54}
