"""How people of a full name are called among friends."""

import pytest
from astrbot_plugin_tidemark.core.languages.registry import called_by_name


@pytest.mark.parametrize(
    ("name", "given"),
    [("林小满", "小满"), ("林小滿", "小滿"), ("欧阳娜娜", "娜娜"), ("Ruth Miller", "Ruth")],
)
def test_a_full_name_has_a_given_name(name: str, given: str) -> None:
    assert called_by_name(name) == (name, given)


@pytest.mark.parametrize(
    "name",
    ["陈默", "小军", "团子", "王老师", "李阿姨", "黄小姐", "Dora", "Dr Amin", "St Anne", "", "a b"],
)
def test_other_names_have_none(name: str) -> None:
    assert called_by_name(name) == (name,)
