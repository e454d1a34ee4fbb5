"""What is shown of a life is judged, recorded replies are told, and runs compared."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.changes import main
from astrbot_plugin_tidemark.benchmarks.comparing.asking import told
from astrbot_plugin_tidemark.benchmarks.comparing.catalogue import made
from astrbot_plugin_tidemark.benchmarks.comparing.system import Question
from astrbot_plugin_tidemark.benchmarks.datasets.reading import NoData
from astrbot_plugin_tidemark.benchmarks.gate import compared
from astrbot_plugin_tidemark.benchmarks.living.judging import judged_change
from astrbot_plugin_tidemark.benchmarks.living.recorded import RecordedModel
from astrbot_plugin_tidemark.benchmarks.living.script import DAY, Asked, Life, Line, Recorded
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.trace import Fused, Recalled, Trace

from ...samples import memory, turn
from ..conftest import documented, keys
from ..datasets.test_readers import CHANGE, lines

ANN = Speaker("ann", "Ann")


def said(text: str, name: str) -> Memory:
    return memory(text, id=name)


MOVED = Asked("c", "a", "zh", True, "我住哪", False, ("杭州",), ("成都",))


def block(*lines: tuple[str, str]) -> Recalled:
    """A block of lines, each beside its memory's own words."""
    memories = [said(text, f"m{number}") for number, (text, _) in enumerate(lines)]
    candidates = tuple(Fused(m.id, (), 1.0, number=n) for n, m in enumerate(memories, start=1))
    shown = [f"[{n}] ({beside}) {text}" for n, (text, beside) in enumerate(lines, start=1)]
    return Recalled(tuple(memories), "\n".join(shown), Trace("?", (), (), candidates))


def test_a_stale_line_is_seen_first_and_one_with_its_history_is_none() -> None:
    figures = judged_change(MOVED, block(("我住成都", "2024-01-01"), ("搬到杭州", "2024-05-01")))
    names = ("current_shown", "stale_shown", "stale_unmarked", "current_first", "stale_first")
    assert figures == dict.fromkeys(names, True) | {"current_first": False}
    figures = judged_change(MOVED, block(("住在杭州（此前：成都）", "2024-05-01")))
    assert (figures["stale_shown"], figures["current_first"]) == (False, True)


def test_people_tell_what_changes_and_are_asked_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "changes_a.jsonl").write_text(lines(CHANGE), "utf-8")
    asked = ("--learning", "recorded", "--embedder", "none", "--written", str(tmp_path), "--json")
    assert main(asked) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["now"]["all"]["n"], result["now"]["all"]["current_first"]) == (1, 1.0)
    groups = {*result["now"], *result["past"]} - {"all"}
    assert keys(result) - groups - {"all"} <= documented("changes")


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
    await told(life, system, learns=True)
    answer = await system.block(Question("Where do I live now, in Wells?", "ann"))
    await system.close()
    lines = {each.text: each.line for each in answer.shown}
    assert "Ann lives in Wells" in lines
    assert not any("before that: Wells" in line for line in lines.values())
