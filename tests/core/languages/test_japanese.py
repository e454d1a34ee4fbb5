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

from ...samples import turn

NOW = datetime(2026, 8, 12, 14, 30, tzinfo=UTC).timestamp()


def codes(text: str) -> list[str]:
    return [language.code for language in languages_in(text)]


def test_every_folder_is_a_language_of_its_own() -> None:
    assert [language.code for language in languages()] == ["ja", "zh", "en"]
    assert content_terms("これ、どこ、です。") == set()
    assert "ます" not in content_terms("お茶を飲みます")
    told = without_denials("誕生日は覚えていません。猫の名前はミケです。")
    assert told == "猫の名前はミケです\n"
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
    assert times_in(text, NOW, UTC) == ()
