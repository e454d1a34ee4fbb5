"""CDConv's files: chit-chat, beside turns that do need a memory."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets import cdconv
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints, NoData

from .conftest import Write
from .test_madial import asked, told


def row(opening: str) -> str:
    return f"{opening}\t是啊\t真的吗\t嗯\t0\n"


def openings(worlds: list[cdconv.World]) -> list[str]:
    probes = (probe for world in worlds for probe in world.probes)
    return [probe.text for probe in probes if probe.category == cdconv.CHIT_CHAT]


def test_every_opening_is_asked_once_and_wants_nothing(
    write: Write, complaints: Complaints
) -> None:
    write("a.tsv", row("你好呀") + row("吃了吗") + row("你好呀"))
    worlds = cdconv.read(write("b.tsv", row("下雨了")), None, 0, 1, complaints)
    assert openings(worlds) == ["你好呀", "吃了吗", "下雨了"]
    assert all(
        probe.gold == frozenset()
        for world in worlds
        for probe in world.probes
        if probe.category == cdconv.CHIT_CHAT
    )


def test_the_made_up_life_answers_its_own_questions(write: Write, complaints: Complaints) -> None:
    (world,) = cdconv.read(write("a.tsv", row("你好呀")), None, 0, 1, complaints)
    known = {memory.id for memory in world.memories}
    true = [probe for probe in world.probes if probe.category == cdconv.TRUE]
    assert len(true) > len(known) > 20
    assert set().union(*(probe.gold for probe in true)) == known


def test_a_sample_is_drawn_by_its_seed(write: Write, complaints: Complaints) -> None:
    folder = write("a.tsv", "".join(row(f"第{number}句") for number in range(50)))
    drawn = [openings(cdconv.read(folder, None, 10, seed, complaints)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert {len(each) for each in drawn} == {10}


def test_with_other_memories_chit_chat_is_shared_out_among_their_owners(
    write: Write, complaints: Complaints, tmp_path: Path
) -> None:
    write("memories.jsonl", "\n".join([told("1", "a"), told("2", "b", user=2)]))
    write("dialogues.jsonl", "\n".join([asked(1), asked(2, user=2)]))
    folder = write("a.tsv", "".join(row(f"第{number}句") for number in range(5)))
    worlds = cdconv.read(folder, tmp_path, 0, 1, complaints)
    assert [len(openings([world])) for world in worlds] == [3, 2]
    assert [probe.text for world in worlds for probe in world.probes if probe.gold] == [
        "可以养在家里吗？",
        "可以养在家里吗？",
    ]


def test_a_row_of_other_columns_is_named(write: Write, complaints: Complaints) -> None:
    folder = write("a.tsv", "只有一列\n" + row("你好呀") + "\n" + row('"引号'))
    assert openings(cdconv.read(folder, None, 0, 1, complaints)) == ["你好呀", '"引号']
    assert complaints.found == ["a.tsv:1: 1 columns, not 5"]


@pytest.mark.parametrize("content", ["", "\n\n", "one\ttwo\n"])
def test_a_folder_without_a_row_is_no_data(
    write: Write, complaints: Complaints, content: str
) -> None:
    folder = write("a.tsv", content)
    with pytest.raises(NoData, match="no row"):
        cdconv.read(folder, None, 0, 1, complaints)


def test_exchanges_keep_both_turns_with_their_answers(write: Write, complaints: Complaints) -> None:
    rows = "你多大\t20\t你几岁\t25\t1\n" + row("你好呀") + "嗯\t嗯\t~~\t嗯\t0\n"
    first, second = cdconv.exchanges(write("a.tsv", rows), complaints)
    assert first == cdconv.Exchange("你多大", "20", "你几岁", "25", contradicts=True)
    assert (second.opening, second.contradicts) == ("你好呀", False)
