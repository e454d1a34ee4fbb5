"""Failures are counted by place, with the last words."""

from astrbot_plugin_tidemark.core.model.incidents import Incident, Incidents


def test_failures_at_one_place_are_counted_with_the_last_words() -> None:
    incidents = Incidents()
    incidents.record("learn", ValueError("first"), 1.0)
    incidents.record("recall", "slow", 2.0)
    assert incidents.record("learn", KeyError("second"), 3.0).count == 2
    assert incidents.snapshot() == {
        "learn": Incident(2, 3.0, "KeyError: 'second'"),
        "recall": Incident(1, 2.0, "slow"),
    }
    assert list(incidents.snapshot()) == ["learn", "recall"]


def test_long_words_are_cut() -> None:
    assert len(Incidents().record("x", ValueError("y" * 9_000), 0.0).text) == 300


def test_a_snapshot_does_not_change_afterwards() -> None:
    incidents = Incidents()
    before = incidents.snapshot()
    incidents.record("x", "y", 0.0)
    assert before == {}
