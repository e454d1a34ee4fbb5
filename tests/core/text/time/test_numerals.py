"""Written numbers are read as they are counted."""

import pytest
from astrbot_plugin_tidemark.core.languages.en.numerals import english_number
from astrbot_plugin_tidemark.core.languages.han_numerals import chinese_number
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("零", 0),
        ("两", 2),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("廿三", 23),
        ("一百零三", 103),
        ("三百六十五", 365),
        ("两千", 2_000),
        ("一百万", 1_000_000),
        ("二〇二四", 2_024),
        ("42", 42),
    ],
)
def test_chinese_numbers(text: str, value: int) -> None:
    assert chinese_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("a", 1), ("a couple of", 2), ("twelve", 12), ("twenty-one", 21), ("ninety", 90), ("7", 7)],
)
def test_english_numbers(text: str, value: int) -> None:
    assert english_number(text) == value


@pytest.mark.parametrize("text", ["many", "twenty-zero", "twenty-twenty", ""])
def test_what_is_no_english_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no number"):
        english_number(text)


def test_what_is_no_chinese_number_is_refused() -> None:
    with pytest.raises(ValueError, match="no number"):
        chinese_number("三天")


@settings(deadline=None)
@given(st.integers(1, 9_999))
def test_every_number_is_read_back(value: int) -> None:
    digits = "零一二三四五六七八九"
    written, gap = "", False
    for power, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // power % 10
        if digit:
            written += ("零" if gap and written else "") + digits[digit] + name
        gap = not digit
    assert chinese_number(written) == value
