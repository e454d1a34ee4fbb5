"""Costs in tokens: never underestimated grossly, exact where a tokenizer is at hand."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.text.token_count import best_counter, estimate_tokens
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(deadline=None)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("bees", 1),
        ("honeybees", 3),
        ("2026", 2),
        ("潮痕记忆", 4),
        ("a, b", 3),
        ("Ann养蜂2024年", 6),
    ],
)
def test_letters_digits_and_other_characters_have_their_price(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@quick
@given(st.text(max_size=80), st.text(max_size=80))
def test_a_text_costs_no_less_than_its_parts_apart_by_a_line(one: str, two: str) -> None:
    assert estimate_tokens(f"{one}\n{two}") == estimate_tokens(one) + estimate_tokens(two)


def test_without_a_cached_vocabulary_nothing_is_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    count, name = best_counter()
    assert count is estimate_tokens
    assert name == "estimate"
