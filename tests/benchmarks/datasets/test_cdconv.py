"""CDConv's files: chit-chat, beside turns that do need a memory."""

from astrbot_plugin_tidemark.benchmarks.datasets import cdconv
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints

from .conftest import Write


def row(opening: str) -> str:
    return f"{opening}\t是啊\t真的吗\t嗯\t0\n"


def openings(worlds: list[cdconv.World]) -> list[str]:
    probes = (probe for world in worlds for probe in world.probes)
    return [probe.text for probe in probes if probe.category == cdconv.CHIT_CHAT]


def test_every_opening_is_asked_once_wanting_nothing(write: Write, complaints: Complaints) -> None:
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


def test_exchanges_keep_both_turns_with_their_answers(write: Write, complaints: Complaints) -> None:
    rows = "你多大\t20\t你几岁\t25\t1\n" + row("你好呀") + "嗯\t嗯\t~~\t嗯\t0\n"
    first, second = cdconv.exchanges(write("a.tsv", rows), complaints)
    assert first == cdconv.Exchange("你多大", "20", "你几岁", "25", contradicts=True)
    assert (second.opening, second.contradicts) == ("你好呀", False)
