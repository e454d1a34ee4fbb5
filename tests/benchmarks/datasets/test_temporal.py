"""Expressions and the intervals they mean, and the parser's account of them."""

from datetime import datetime

from astrbot_plugin_tidemark.benchmarks.datasets import temporal
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.recall_quality_times import judged

from .conftest import Write

SAID_AT = "2026-08-12T14:30:00"
YESTERDAY = ["2026-08-11T00:00:00", "2026-08-11T23:59:59.999999"]


def item(text: str, meant: object, said_at: object = SAID_AT) -> dict[str, object]:
    return {"reference": said_at, "query": text, "range": meant}


def test_an_expression_is_read_with_its_interval(write: Write, complaints: Complaints) -> None:
    found = temporal.read(
        write("expressions.json", [item("昨天", YESTERDAY), item("上海", None)]), complaints
    )
    assert [each.text for each in found] == ["昨天", "上海"]
    assert found[0].meant == tuple(map(datetime.fromisoformat, YESTERDAY))
    assert found[1].meant is None


def test_what_is_wrong_is_told_apart(write: Write, complaints: Complaints) -> None:
    told = [
        item("昨天", YESTERDAY),
        item("今天", YESTERDAY),
        item("明天", None),
        item("那一天", YESTERDAY),
        item("上海", None),
    ]
    figures = judged(temporal.read(write("expressions.json", told), complaints))
    assert figures["expressions"] == 5
    assert figures["exact"] == 0.4
    assert (figures["false_triggers"], figures["missed"]) == (1, 1)
    assert [each["text"] for each in figures["wrong"]] == ["今天", "明天", "那一天"]
    assert figures["wrong"][0]["understood"][0] == "2026-08-12T00:00:00"
    assert figures["wrong"][1]["meant"] is None
