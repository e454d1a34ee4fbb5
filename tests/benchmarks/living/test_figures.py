"""Figures of records, verdicts against the truth, and lines with noise between them."""

from astrbot_plugin_tidemark.benchmarks.living.figures import summed_up
from astrbot_plugin_tidemark.benchmarks.living.ledger import LedgerVerdict, Shown, against_truth
from astrbot_plugin_tidemark.benchmarks.living.recorded import RecordedModel
from astrbot_plugin_tidemark.benchmarks.living.script import DAY, Line, Recorded
from astrbot_plugin_tidemark.core.model.conversation import Speaker

from ...samples import turn

ANN = Speaker("ann", "Ann")


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
