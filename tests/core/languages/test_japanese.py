"""Japanese is a folder of its own: its texts are read by its rules, and not by Chinese ones."""

from datetime import UTC, datetime

import pytest
from astrbot_plugin_tidemark.core.capture.statements import extract
from astrbot_plugin_tidemark.core.languages.markers import without_denials
from astrbot_plugin_tidemark.core.languages.registry import languages, languages_in
from astrbot_plugin_tidemark.core.languages.terms import content_terms
from astrbot_plugin_tidemark.core.languages.times import times_in
from astrbot_plugin_tidemark.core.recall.pipeline import intents_of
from astrbot_plugin_tidemark.core.recall.trace import Intent
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning

from ...samples import turn

NOW = datetime(2026, 8, 12, 14, 30, tzinfo=UTC)
"""A Wednesday."""


def read(text: str, leaning: Leaning = Leaning.PAST) -> list[str]:
    found = times_in(text, NOW.timestamp(), UTC, leaning=leaning)
    ends = [
        [datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") for at in (t.start, t.end)]
        for t in (told.interval for told in found)
    ]
    return [first if first == last else f"{first}..{last}" for first, last in ends]


def codes(text: str) -> list[str]:
    return [language.code for language in languages_in(text)]


def test_every_folder_is_a_language_of_its_own() -> None:
    assert [language.code for language in languages()] == ["ja", "zh", "en"]
    assert content_terms("これ、どこ、です。") == set()
    assert "ます" not in content_terms("お茶を飲みます")
    told = without_denials("誕生日は覚えていません。猫の名前はミケです。")
    assert told == "猫の名前はミケです\n"
    assert read("金曜日に行く", Leaning.FUTURE) == ["2026-08-14"]
    said = turn(1, "私はお茶が好きです。覚えておいて：私の誕生日は三月です。")
    assert extract([said]).candidates == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("昨日は何をしましたか", ["ja"]),
        ("明日テストがあります", ["ja"]),
        ("我喜欢看ワンピース", ["zh"]),
        ("美の味好吃", ["zh"]),
        ("我在学ありがとう这个词", ["zh"]),
        ("ありがとう and goodbye", ["ja", "en"]),
        ("今天用Python写代码", ["zh", "en"]),
        ("나는 차를 좋아해요", []),
        ("я люблю чай", []),
        ("2024-03-03", []),
    ],
)
def test_the_script_tells_the_language(text: str, found: list[str]) -> None:
    assert codes(text) == found


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("昨日は雨だった", "2026-08-11"),
        ("おとといから寒い", "2026-08-10"),
        ("一昨日の話です", "2026-08-10"),
        ("明後日に会おう", "2026-08-14"),
        ("先週は忙しかった", "2026-08-03..2026-08-09"),
        ("先々週の話", "2026-07-27..2026-08-02"),
        ("来週の金曜日に会う", "2026-08-21"),
        ("先週の週末に行った", "2026-08-08..2026-08-09"),
        ("先月の三日に買った", "2026-07-03"),
        ("再来月はどう", "2026-10-01..2026-10-31"),
        ("去年の三月に引っ越した", "2025-03-01..2025-03-31"),
        ("2024年3月5日に生まれた", "2024-03-05"),
        ("３月５日に結婚した", "2026-03-05"),
        ("三日前に会った", "2026-08-09"),
        ("2週間後に行く", "2026-08-26"),
        ("2か月前に始めた", "2026-06-12"),
        ("月曜日から水曜日まで休んだ", "2026-08-10..2026-08-12"),
        ("2024-03-03に書いた", "2024-03-03"),
    ],
)
def test_days_weeks_and_dates(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    "text", ["毎週金曜日に泳ぐ", "日本が好きです", "二月三十一日です", "明るい部屋です"]
)
def test_what_is_no_time_is_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("なぜ引っ越したの", Intent.CAUSAL),
        ("いつ会ったっけ", Intent.TEMPORAL),
        ("どうやって作るの", Intent.PROCEDURAL),
        ("うちの猫について", Intent.EXPLORATORY),
        ("私の猫は誰がくれた", Intent.FACTUAL),
        ("猫がまた吐いた", Intent.GENERAL),
    ],
)
def test_a_marker_gives_the_intent(text: str, intent: Intent) -> None:
    assert intents_of(text) == {intent: 1.0}


@pytest.mark.parametrize("text", ["나는 어제 차를 마셨어요?", "Вчера я пил чай?", "हम कल मिले थे?"])
def test_a_text_in_an_unknown_language_has_no_markers_and_no_times(text: str) -> None:
    assert intents_of(text) == {Intent.GENERAL: 1.0}
    assert read(text) == []
