"""Figures of records, verdicts against the truth, and lines with noise between them."""

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.cdconv import Exchange
from astrbot_plugin_tidemark.benchmarks.datasets.everyday import Change, Told
from astrbot_plugin_tidemark.benchmarks.living.changing import changers
from astrbot_plugin_tidemark.benchmarks.living.figures import auc, bucket, summed_up
from astrbot_plugin_tidemark.benchmarks.living.ledger import LedgerVerdict, Shown, against_truth
from astrbot_plugin_tidemark.benchmarks.living.noise import asked_in_time, with_noise
from astrbot_plugin_tidemark.benchmarks.living.recorded import RecordedModel
from astrbot_plugin_tidemark.benchmarks.living.script import DAY, Line, Need, Part, Recorded
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from hypothesis import given
from hypothesis import strategies as st

from ...samples import turn

ANN = Speaker("ann", "Ann")
CHAT = [Exchange(f"u{n}", "b", f"v{n}", "b", False) for n in range(50)]


def idle(kind: str, silent: bool, memories: int = 30, **more: object) -> dict[str, object]:
    about = {"stage": "grown-x", "life": "x", "what": "idle", "kind": kind, "hand": ""}
    about |= {"language": "en", "spoken": "en"}
    figures = {"silent": silent, "tokens": 0 if silent else 90, "confidence": 0.0 if silent else 1}
    return about | figures | {"live_memories": memories} | more


def test_silence_is_told_by_class_and_by_size() -> None:
    records = [idle("opening", True), idle("opening", False, 2_000), idle("remark", False)]
    figures = summed_up(records)
    assert figures["overall"]["silent_when_nothing_is_needed"]["opening"]["silent"] == 0.5
    assert figures["by_size"]["30"]["silent_when_nothing_is_needed"]["remark"]["silent"] == 0.0
    assert set(figures["by_size"]) == {"30", "3000"}


def test_months_are_no_part_of_the_sizes() -> None:
    figures = summed_up([idle("opening", True, stage="months")])
    assert figures["overall"]["asked"] == 0
    assert figures["months"]["asked"] == 1


@pytest.mark.parametrize(("memories", "size"), [(0, 30), (54, 30), (56, 100), (9_000, 10_000)])
def test_a_size_is_the_nearest_by_ratio(memories: int, size: int) -> None:
    assert bucket(memories) == size


@given(st.lists(st.floats(0, 1), min_size=1), st.lists(st.floats(0, 1), min_size=1))
def test_auc_turns_round_with_its_sides(one: list[float], other: list[float]) -> None:
    forward, backward = auc(one, other), auc(other, one)
    assert forward is not None
    assert backward is not None
    assert forward + backward == pytest.approx(1.0, abs=2e-4)


def test_a_question_in_another_language_is_no_test_of_a_score() -> None:
    need = {
        "stage": "grown-x",
        "life": "x",
        "what": "need",
        "kind": "c",
        "source": "s",
        "language": "en",
        "live_memories": 30,
        "recall@5": 1.0,
        "recall@10": 1.0,
        "served": 1.0,
        "lines": 1,
        "right_lines": 1,
        "tokens": 9,
        "in_reach": True,
        "gone": 0.0,
        "hidden": False,
        "confidence": 0.5,
    }
    easy = idle("unanswerable", True, spoken="zh")
    hard = idle("unanswerable", False)
    assert summed_up([need, easy])["overall"]["auc"]["unanswerable"] is None
    assert summed_up([need, easy, hard])["overall"]["auc"]["unanswerable"] == 0.0


def test_auc_of_nothing_is_none() -> None:
    assert auc([], [1.0]) is None
    assert auc([1.0], [0.0]) == 1.0


def test_verdicts_are_held_against_what_held_the_evidence() -> None:
    shown = [Shown(1, frozenset({"a"}), frozenset({"b"})), Shown(2, frozenset({"c"}), frozenset())]
    said = [
        LedgerVerdict(1, "a", useful=True),
        LedgerVerdict(1, "b", useful=True),
        LedgerVerdict(2, "c", useful=False),
        LedgerVerdict(9, "a", useful=False),
    ]
    counts = against_truth(said, shown)
    assert counts == {
        "useful_right": 1,
        "useful_wrong": 1,
        "useless_right": 0,
        "useless_wrong": 1,
        "shown": 3,
        "shown_right": 2,
    }


def lines(*days: float) -> list[Line]:
    return [Line(day * DAY, ANN, f"day {day}", f"t{day}") for day in days]


def test_noise_comes_in_the_pauses_in_its_proportion_and_in_order() -> None:
    told = lines(0, 1, 1.001, 3, 5, 7)
    mixed = list(with_noise(told, iter(CHAT), 1.0, ANN))
    assert [line.at for line in mixed] == sorted(line.at for line in mixed)
    assert [line for line in mixed if line.life] == told
    within = [line for line in mixed if not line.life and line.at < told[-1].at]
    assert 2 <= len(within) <= len(told)
    assert len(mixed) == len(told) + 2 * len(CHAT)
    assert not any(told[1].at < line.at < told[2].at for line in mixed)


def test_a_need_is_asked_after_the_last_thing_it_needs() -> None:
    told = lines(0, 10)
    both = Need("n", "x", "c", "?", ANN, (Part(frozenset({"t0"})), Part(frozenset({"t10"}))))
    unsaid = Need("m", "x", "c", "?", ANN, (Part(frozenset({"t99"})),))
    asked = asked_in_time([both, unsaid], told)
    (question,) = [line for line in asked if line.need is not None]
    assert question.need is both
    assert question.at > told[-1].at


def change(slot: str, number: int) -> Change:
    told = (Told(90, f"old {number}", "old", False), Told(5, f"new {number}", "new", True))
    asked = (f"now {number}?",)
    return Change(f"c{number}", "a", "en", slot, told, asked, (), ("new",), ("old",), True)


def test_nobody_tells_of_one_slot_twice() -> None:
    told = [change(slot, number) for number, slot in enumerate(("pet", "pet", "job", "pet"))]
    people = changers(told, iter(CHAT))
    assert [len(life.changes) for life in people] == [2, 1, 1]
    assert all(
        [one.at for one in life.lines] == sorted(one.at for one in life.lines) for life in people
    )


async def test_a_recorded_reply_rests_on_the_turns_of_its_episode() -> None:
    recordings = [
        Recorded("Ann keeps bees", frozenset({"x/D1:1"})),
        Recorded("Ann sold her bees", frozenset({"x/D1:1", "x/D1:2"}), "pet", "none"),
        Recorded("Of another day", frozenset({"x/D2:1"})),
    ]
    model = RecordedModel(recordings, episode=[turn(4, "bees"), turn(5, "sold")])
    model.told = {4: "x/D1:1", 5: "x/D1:2"}
    told = model._memories()
    assert [(one["text"], one["turns"]) for one in told] == [
        ("Ann keeps bees", [1]),
        ("Ann sold her bees", [1, 2]),
    ]
    assert told[1]["slot"] == "pet"


async def test_what_nobody_recorded_is_read_by_the_rules() -> None:
    said = [turn(4, "I am allergic to peanuts")]
    recordings = [Recorded("Of another day", frozenset({"x/D2:1"}))]
    model = RecordedModel(recordings, episode=said)
    assert len(model._memories()) == 1
    assert RecordedModel((), rules_too=False, episode=said)._memories() == []
