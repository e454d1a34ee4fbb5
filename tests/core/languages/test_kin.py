"""What somebody is to the speaker, in both scripts, and who only has a relative's word as title."""

import pytest
from astrbot_plugin_tidemark.core.conflict.clauses import Clause
from astrbot_plugin_tidemark.core.languages.kin import kin_of


@pytest.mark.parametrize(
    ("words", "kin"),
    [
        ("我媽", "mother"),
        ("我姊姊", "sister"),
        ("貓咪", "cat"),
        ("外孙", "grandson"),
        ("外孫女", "granddaughter"),
        ("老伴", "partner"),
        ("嫂子", "sister_in_law"),
        ("姐夫", "brother_in_law"),
        ("女婿", "son_in_law"),
        ("我婆婆", "mother_in_law"),
        ("my grandson", "grandson"),
        ("my mother-in-law", "mother_in_law"),
        ("mother_in_law", "mother_in_law"),
        ("niece", "niece"),
        ("刘姐", ""),
        ("godson", ""),
    ],
)
def test_a_relative_goes_by_one_name(words: str, kin: str) -> None:
    """我媽住台南 gave the speaker her home: 媽 was nobody, for it is written otherwise than 妈."""
    assert kin_of(words) == kin


@pytest.mark.parametrize("text", ["刘姐不吃香菜", "王哥来了", "劉姐對花生過敏", "陈叔在楼下"])
def test_a_title_after_a_family_name_is_no_relative(text: str) -> None:
    assert Clause(text).others == frozenset()
