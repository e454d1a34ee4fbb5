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
    assert found["contradicting"] == {"pairs": 2, "taken": 1, "taken_share": 0.5}
    assert found["consistent"] == {"pairs": 1, "taken": 0, "taken_share": 0.0}
    assert [each["contradicting"] for each in found["found"]] == [True]


def test_what_a_judge_would_be_asked_is_counted_by_how_near_the_two_are() -> None:
    two = [
        exchange("我最爱看悬疑电影", "悬疑片没意思", contradicts=True),
        exchange("我住在海边", "我最近在学吉他", contradicts=False),
    ]
    found = figures(two, [0.8, 0.1])
    assert (found["contradicting"]["asked"], found["consistent"]["asked"]) == (1, 0)
