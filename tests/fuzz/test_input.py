"""What the fuzz types: the same for the same seed, and of every kind there is."""

import json
import unicodedata

from astrbot_plugin_tidemark.core.model.errors import ReplyMalformed
from astrbot_plugin_tidemark.core.prompts import learn
from astrbot_plugin_tidemark.core.settings import Settings, parse
from astrbot_plugin_tidemark.scripts.fuzzing import config, replies
from astrbot_plugin_tidemark.scripts.fuzzing.documents import (
    DEEP,
    any_value,
    as_text,
    broken,
    disturbed,
    nested,
)
from astrbot_plugin_tidemark.scripts.fuzzing.findings import chance_of
from astrbot_plugin_tidemark.scripts.fuzzing.text import MEGABYTE, hostile_text, misspelt


def texts(count: int) -> list[str]:
    return [hostile_text(chance_of(1, "text", case)) for case in range(count)]


def test_the_same_seed_types_the_same() -> None:
    assert texts(50) == texts(50)
    one, same = (as_text(any_value(chance_of(1, "value", 4))) for _ in range(2))
    assert one == same


def test_texts_have_every_plane_surrogates_controls_and_now_and_then_a_megabyte() -> None:
    every = texts(2_000)
    characters = set("".join(text for text in every if len(text) < 1_000))
    assert {ord(c) >> 16 for c in characters} >= {0, 1, 2, 15, 16}
    assert {unicodedata.category(c) for c in characters} >= {"Cs", "Cc", "Cf", "Lo", "Mn", "So"}
    assert "" in every
    assert any(len(text) >= MEGABYTE for text in every)


def test_a_misspelt_name_differs_by_about_a_character() -> None:
    for case in range(50):
        assert abs(len(misspelt(chance_of(1, "name", case), "search")) - 6) <= 1


def test_nothing_is_disturbed_at_the_rate_zero() -> None:
    document = {"memories": [{"turns": [1, 2]}], "useful": None}
    assert disturbed(chance_of(1, "rate", 0), document, 0.0) == document
    assert disturbed(chance_of(1, "rate", 0), document, 1.0) != document


def test_a_value_too_deep_to_write_becomes_text_of_that_depth() -> None:
    assert as_text(nested(DEEP * 10)).startswith("[" * DEEP)
    assert json.loads(as_text([1.5, None])) == [1.5, None]


def test_a_broken_text_is_rarely_the_text() -> None:
    text = as_text({"memories": [], "summary": "lantern"})
    same = [broken(chance_of(1, "broken", case), text) == text for case in range(100)]
    assert sum(same) < 10


def test_many_replies_fit_the_contract_and_many_do_not() -> None:
    fits = 0
    for number in range(100):
        reply = replies.case_of(chance_of(1, "fits", number), number).first
        try:
            fits += bool(learn.parse(reply))
        except ReplyMalformed:
            pass
    assert 10 <= fits <= 90


def test_many_documents_change_settings_and_many_name_problems() -> None:
    read = [parse(config.config_document(chance_of(1, "read", case))) for case in range(200)]
    assert sum(settings != Settings() for settings, _ in read) > 50
    assert sum(bool(problems) for _, problems in read) > 50
