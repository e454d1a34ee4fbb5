"""Numbers as they are counted and dated."""

import pytest
from astrbot_plugin_tidemark.core.conflict.numbers import in_digits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("二十八岁", "28岁"),
        ("五月三号", "5月3日"),
        ("twenty-one cats", "21 cats"),
        ("一个人", "一个人"),
    ],
)
def test_counted_numbers_are_written_in_digits(text: str, expected: str) -> None:
    assert in_digits(text) == expected
