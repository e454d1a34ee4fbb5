"""The benchmark of coverage tells lost turns from covered ones, and what is read in vain."""

from astrbot_plugin_tidemark.benchmarks.coverage_run import Judged, figures


def test_lost_turns_count_where_they_are_read_again() -> None:
    read = Judged(
        4, frozenset("ab"), frozenset("c"), {"a": 0.0, "b": 0.1, "c": 0.9}, frozenset("a")
    )
    left = Judged(4, frozenset("d"), frozenset("e"), {"d": 0.2, "e": 0.2}, frozenset())
    found = figures([read, left])
    assert (found["held"], found["reread"], found["read"]) == (0.3333, 0.5, 0.125)
    # Of six pairs one is a tie.
    assert found["auc"] == round(5.5 / 6, 4)
