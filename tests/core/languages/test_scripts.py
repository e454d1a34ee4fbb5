"""One language in two scripts, and which language a text is in."""

import re
from datetime import UTC, datetime

import pytest
from astrbot_plugin_tidemark.core.capture.statements import extract
from astrbot_plugin_tidemark.core.embedding.backfill import embedding_texts
from astrbot_plugin_tidemark.core.languages.entities import named
from astrbot_plugin_tidemark.core.languages.markers import is_first_person, without_denials
from astrbot_plugin_tidemark.core.languages.registry import block_wording, languages
from astrbot_plugin_tidemark.core.languages.scripts import UNDETERMINED, in_one_script, language_of
from astrbot_plugin_tidemark.core.languages.terms import content_terms, terms
from astrbot_plugin_tidemark.core.languages.times import times_in
from astrbot_plugin_tidemark.core.recall.pipeline import intents_of
from astrbot_plugin_tidemark.core.text.quoting import entity_id, folded
from astrbot_plugin_tidemark.core.text.traditional import SIMPLIFIED

from ...samples import memory, turn

NOW = datetime(2026, 8, 12, 14, 30, tzinfo=UTC).timestamp()

SAID = [
    ("为什么我们上周没去", "為什麼我們上週沒去"),
    ("你还记得我女儿几岁吗", "你還記得我女兒幾歲嗎"),
    ("什么时候去过台湾", "什麼時候去過臺灣"),
    ("怎么做红烧肉", "怎麼做紅燒肉"),
    ("关于我的电脑", "關於我的電腦"),
    ("给我介绍一下里面的东西", "給我介紹一下裡面的東西"),
    ("爲什么后来没说", "為什麼後來沒說"),
]


@pytest.mark.parametrize(("simplified", "traditional"), SAID)
def test_both_scripts_are_found_by_the_same_terms(simplified: str, traditional: str) -> None:
    assert terms(simplified) == terms(traditional)
    assert content_terms(simplified) == content_terms(traditional)


@pytest.mark.parametrize(("simplified", "traditional"), SAID)
def test_both_scripts_have_the_same_intents(simplified: str, traditional: str) -> None:
    assert intents_of(simplified) == intents_of(traditional)


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        ("上个礼拜五聊了什么", "上個禮拜五聊了什麼"),
        ("国庆前后", "國慶前後"),
        ("去年这个时候", "去年這個時候"),
        ("近半年", "近半年"),
        ("圣诞节那天", "聖誕節那天"),
        ("三个月以来", "三個月以來"),
        ("前几天晚上", "前幾天晚上"),
        ("明天下午三点半", "明天下午三點半"),
    ],
)
def test_both_scripts_tell_the_same_times_in_place(simplified: str, traditional: str) -> None:
    assert times_in(simplified, NOW, UTC) == times_in(traditional, NOW, UTC) != ()


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        ("我對花生過敏", "Ann对花生过敏"),
        ("我養了一隻貓，叫咪咪", "Ann养了貓"),
        ("我在一家出版社上班", "Ann在一家出版社工作"),
    ],
)
def test_the_rules_read_it_and_it_is_kept_as_said(said: str, remembered: str) -> None:
    (first, *_) = extract([turn(1, said)]).candidates
    assert first.text == remembered


@pytest.mark.parametrize(
    "said", ["幫我翻譯：我對花生過敏", "如果我對花生過敏怎麼辦", "他說我對花生過敏嗎"]
)
def test_what_is_no_statement_is_none_in_either_script(said: str) -> None:
    assert extract([turn(1, said)]).candidates == ()


def test_both_scripts_match_a_pattern_and_read_names_as_one() -> None:
    assert entity_id("王曉明") == entity_id("王晓明")
    assert named("張麗華", folded("张丽华最近怎么样"))
    assert is_first_person("這是我的書")
    assert without_denials("我不記得這件事。明天見。").strip() == "明天見"
    told = memory("我養了一隻貓")
    assert embedding_texts(told) == ("我养了一只猫",)
    assert told.text == "我養了一隻貓"
    assert not set(SIMPLIFIED) & set(SIMPLIFIED.values())
    assert all(re.match(r"[\u3400-\u9fff]", chr(of)) for of in SIMPLIFIED.values())


@pytest.mark.parametrize("text", ["電話の予定を覚えている", "I like tea", "계획이 있어요"])
def test_other_languages_keep_their_characters_for_an_embedder(text: str) -> None:
    assert in_one_script(text) == text


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我养蜂", "zh"),
        ("I keep bees", "en"),
        ("我 love 蜂", "zh"),
        ("讲 English please", "en"),
        ("私はお茶が好きです", "ja"),
        ("昨日は東京駅で会議がありました", "ja"),
        ("今日はPythonを勉強した", "ja"),
        ("我喜欢看ワンピース", "zh"),
        ("나는 차를 좋아해요", UNDETERMINED),
        ("я люблю Java и чай", UNDETERMINED),
        ("मुझे चाय पसंद है", UNDETERMINED),
        ("I said Привет", "en"),
    ],
)
def test_a_text_is_in_the_language_it_has_more_of(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_text_without_words_is_in_the_default_one() -> None:
    assert language_of("123 !?") == UNDETERMINED
    assert language_of("123 !?", "en") == "en"
    assert language_of("Привет", "en") == UNDETERMINED
    assert [language_of(word) for word in ("お茶", "茶", "tea")] == [
        language.code for language in languages()
    ]


@pytest.mark.parametrize("code", ["ja", "ko", UNDETERMINED])
def test_a_block_in_a_language_without_words_for_it_is_not_in_chinese(code: str) -> None:
    assert block_wording(code) == block_wording("en") != block_wording("zh")
