"""The benchmark of contradictions counts what is taken for a denial, by what it is."""

from astrbot_plugin_tidemark.benchmarks.contradictions_run import figures
from astrbot_plugin_tidemark.benchmarks.datasets.cdconv import Exchange


def exchange(answer: str, second: str, *, contradicts: bool) -> Exchange:
    return Exchange("?", answer, "?", second, contradicts)


def test_denials_are_counted_among_pairs_that_contradict_and_that_do_not() -> None:
    found = figures(
        [
            exchange("我喜欢鸳鸯锅", "鸳鸯锅我不喜欢", contradicts=True),
            exchange("我喜欢鸳鸯锅", "我喜欢骑马", contradicts=True),
            exchange("我喜欢鸳鸯锅", "鸳鸯锅我也喜欢", contradicts=False),
        ]
    )
    assert found["contradicting"] == {"pairs": 2, "taken": 1, "share": 0.5}
    assert found["consistent"] == {"pairs": 1, "taken": 0, "share": 0.0}
    assert [each["contradicting"] for each in found["found"]] == [True]
