"""Records of a life: each judged, summed up, and compared with another run."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.comparing.asking import told
from astrbot_plugin_tidemark.benchmarks.comparing.catalogue import made
from astrbot_plugin_tidemark.benchmarks.comparing.gate import compared
from astrbot_plugin_tidemark.benchmarks.comparing.system import Question
from astrbot_plugin_tidemark.benchmarks.datasets.reading import NoData
from astrbot_plugin_tidemark.benchmarks.living.figures import summed_up
from astrbot_plugin_tidemark.benchmarks.living.judging import Seen, judged_change, judged_need
from astrbot_plugin_tidemark.benchmarks.living.ledger import LedgerVerdict, Shown, against_truth
from astrbot_plugin_tidemark.benchmarks.living.recorded import RecordedModel
from astrbot_plugin_tidemark.benchmarks.living.script import (
    DAY,
    Asked,
    Life,
    Line,
    Need,
    Part,
    Recorded,
)
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Recalled, Trace

from ...samples import memory, turn

ANN = Speaker("ann", "Ann")


def need(*parts: Part, source: str = "locomo", answer: str = "") -> Need:
    return Need("n", source, "c", "?", ANN, parts, answer=answer)


def seen(*shown: tuple[Memory, str, Drop | None]) -> Seen:
    """Memories with the label they rest on, in their order, and why one is not shown."""
    candidates = tuple(
        Fused(each.id, (), 1.0 - rank / 100, drop=drop, number=None if drop else rank + 1)
        for rank, (each, _, drop) in enumerate(shown)
    )
    served = tuple(each for each, _, drop in shown if drop is None)
    trace = Trace("?", (), (), candidates, tokens=50)
    return Seen(
        Recalled(served, "", trace),
        {each.id: each for each, _, _ in shown},
        {each.id: frozenset({label}) for each, label, _ in shown},
    )


def said(text: str, name: str) -> Memory:
    return memory(text, id=name)


PARROT, CAT = said("a parrot", "m1"), said("a ginger cat, three years old", "m2")
PET = need(Part(frozenset({"t1"})), Part(frozenset({"t2"})))


def test_what_is_shown_is_counted_and_a_wrong_line_is_wrong() -> None:
    figures = judged_need(
        PET, seen((PARROT, "t1", None), (CAT, "t2", Drop.IRRELEVANT)), frozenset(), Random(1)
    )
    assert (figures["recall@5"], figures["served"]) == (1.0, 0.5)
    assert (figures["lines"], figures["right_lines"], figures["in_reach"]) == (1, 1, True)
    figures = judged_need(PET, seen((PARROT, "t9", None)), frozenset({"0"}), Random(1))
    assert (figures["lines"], figures["right_lines"], figures["gone"]) == (1, 0, 0.5)
    figures = judged_change(MOVED, block(("住在杭州（此前：成都）", "2024-05-01")))
    assert (figures["stale_shown"], figures["current_first"]) == (False, True)


MOVED = Asked("c", "a", "zh", True, "我住哪", False, ("杭州",), ("成都",))


def block(*lines: tuple[str, str]) -> Recalled:
    """A block of lines, each beside its memory's own words."""
    memories = [said(text, f"m{number}") for number, (text, _) in enumerate(lines)]
    candidates = tuple(Fused(m.id, (), 1.0, number=n) for n, m in enumerate(memories, start=1))
    shown = [f"[{n}] ({beside}) {text}" for n, (text, beside) in enumerate(lines, start=1)]
    return Recalled(tuple(memories), "\n".join(shown), Trace("?", (), (), candidates))


def test_a_stale_line_is_seen_first_and_silence_told_by_class() -> None:
    figures = judged_change(MOVED, block(("我住成都", "2024-01-01"), ("搬到杭州", "2024-05-01")))
    names = ("current_shown", "stale_shown", "stale_unmarked", "current_first", "stale_first")
    assert figures == dict.fromkeys(names, True) | {"current_first": False}
    records = [idle("opening", True), idle("opening", False), idle("remark", False)]
    silent = summed_up(records)["months"]["silent_when_nothing_is_needed"]
    assert (silent["opening"]["silent"], silent["remark"]["silent"]) == (0.5, 0.0)


def idle(kind: str, silent: bool) -> dict[str, object]:
    about = {"life": "x", "what": "idle", "kind": kind, "hand": ""}
    about |= {"language": "en", "spoken": "en"}
    figures = {"silent": silent, "tokens": 0 if silent else 90, "confidence": 0.0 if silent else 1}
    return about | figures | {"live_memories": 30}


def test_verdicts_are_held_against_what_held_the_evidence() -> None:
    shown = [Shown(1, frozenset({"a"}), frozenset({"b"})), Shown(2, frozenset({"c"}), frozenset())]
    judged = ((1, "a", True), (1, "b", True), (2, "c", False), (9, "a", False))
    counts = against_truth([LedgerVerdict(*each) for each in judged], shown)
    once = dict.fromkeys(("useful_right", "useful_wrong", "useless_wrong"), 1)
    assert counts == once | {"useless_right": 0, "shown": 3, "shown_right": 2}


def lines(*days: float) -> list[Line]:
    return [Line(day * DAY, ANN, f"day {day}", f"t{day}") for day in days]


async def test_a_recorded_reply_rests_on_the_turns_of_its_episode() -> None:
    recordings = [
        Recorded("Ann keeps bees", frozenset({"x/D1:1"})),
        Recorded("Ann sold her bees", frozenset({"x/D1:1", "x/D1:2"}), "pet", "none"),
        Recorded("Of another day", frozenset({"x/D2:1"})),
    ]
    model = RecordedModel(recordings, episode=[turn(4, "bees"), turn(5, "sold")])
    model.told = {4: "x/D1:1", 5: "x/D1:2"}
    told = model._memories()
    turns = [(one["text"], one["turns"]) for one in told]
    assert turns == [("Ann keeps bees", [1]), ("Ann sold her bees", [1, 2])]
    assert told[1]["slot"] == "pet"


async def test_what_nobody_recorded_is_read_by_the_rules() -> None:
    said = [turn(4, "I am allergic to peanuts")]
    recordings = [Recorded("Of another day", frozenset({"x/D2:1"}))]
    model = RecordedModel(recordings, episode=said)
    assert len(model._memories()) == 1
    assert RecordedModel((), rules_too=False, episode=said)._memories() == []


def run(**values: float) -> dict[str, Any]:
    axes = {
        axis.replace("_at_", "@"): {"n": 9, "value": value, "low": value - 0.1, "high": value + 0.1}
        for axis, value in values.items()
    }
    systems = {"tidemark": {"axes": axes}, "words": {"axes": axes}}
    return {"fast": True, "seed": 1, "sets": {"locomo": systems}, "changes": {}}


def test_what_stays_in_its_interval_has_not_moved_and_other_samples_are_not_compared() -> None:
    told = compared(run(evidence_at_5=0.55), run(evidence_at_5=0.5))
    assert told == {"moved": [], "worse": []}
    with pytest.raises(NoData):
        compared(run() | {"seed": 2}, run())


@pytest.mark.parametrize(
    ("axis", "before", "after", "worse"),
    [
        ("evidence_at_5", 0.5, 0.7, False),
        ("evidence_at_5", 0.5, 0.3, True),
        ("silent_though_found", 0.1, 0.4, True),
        ("tokens_when_idle", 90.0, 20.0, False),
        ("silent_when_idle", 0.9, 0.6, True),
    ],
)
def test_what_moves_or_worsens_is_told(axis: str, before: float, after: float, worse: bool) -> None:
    told = compared(run(**{axis: after}), run(**{axis: before}))
    moved = f"locomo, tidemark, {axis.replace('_at_', '@')}"
    assert [line.partition(":")[0] for line in told["moved"]] == [moved]
    assert bool(told["worse"]) is worse


BEGINNING = 1_640_995_200.0
NOW = "I live in Wells, near the cathedral"
BEFORE = "When I still lived in Bath I swam every day"


async def test_the_home_of_a_story_of_the_past_replaces_none_that_holds(tmp_path: Path) -> None:
    life = Life(
        "ann",
        "en",
        Scope(ScopeKind.PRIVATE, "life", "ann"),
        (Line(BEGINNING, ANN, NOW, "now"), Line(BEGINNING + 20 * DAY, ANN, BEFORE, "before")),
        recorded=(
            Recorded("Ann lives in Wells", frozenset({"now"}), "home", "Wells"),
            Recorded("Ann lived in Bath", frozenset({"before"}), "home", "Bath", over=True),
        ),
    )
    system, learns = made("tidemark-recorded", tmp_path, None, life, Random(1))
    assert learns
    await told(life, system, learns=True, step=lambda: None)
    answer = await system.block(Question("Where do I live now, in Wells?", "ann"))
    await system.close()
    lines = {each.text: each.line for each in answer.shown}
    assert "Ann lives in Wells" in lines
    assert not any("before that: Wells" in line for line in lines.values())
