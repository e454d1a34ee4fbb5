"""People of one name are told apart, and nobody else is given a mark."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.text.display_names import LONGEST_NAME, marks
from astrbot_plugin_tidemark.core.text.quoting import quoted_name
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(deadline=None)
ids = st.text(alphabet="0123456789", min_size=5, max_size=11)
names = st.sampled_from(["Anna", "anna", "Ａnna", "An\u200bna", "Ben", "", "#1234", "Anna#4821"])


def named(*people: tuple[str, str]) -> dict[str, str]:
    speakers = {number: Speaker(number, name) for number, name in people}
    return {
        number: quoted_name(speakers[number].name, LONGEST_NAME) + mark
        for number, mark in marks(speakers).items()
    }


def test_only_who_has_no_name_of_the_own_needs_a_mark() -> None:
    assert named(("1234", "Anna"), ("5678", "Ben")) == {"1234": "Anna", "5678": "Ben"}
    assert named(("40004821", ""), ("5", "Ben")) == {"40004821": "#4821", "5": "Ben"}
    assert marks({}) == {}
    first, second = Speaker("9", "Anna"), Speaker("9", "ANNA")
    assert set(marks({first: first, second: second}).values()) == {""}


def test_namesakes_are_told_apart_by_as_much_of_their_ids_as_it_takes() -> None:
    assert named(("11114821", "Anna"), ("22220937", "Anna"), ("3", "Ben")) == {
        "11114821": "Anna#4821",
        "22220937": "Anna#0937",
        "3": "Ben",
    }
    assert named(("715555", "Anna"), ("725555", "Anna")) == {
        "715555": "Anna#15555",
        "725555": "Anna#25555",
    }


@pytest.mark.parametrize("posing", ["Anna#4821", "Anna＃4821", "Anna #4821"])
def test_nobody_can_bear_anothers_mark_in_the_name(posing: str) -> None:
    people = named(("11114821", "Anna"), ("22220937", "Anna"), ("6", posing))
    assert len(set(people.values())) == 3


@quick
@given(st.dictionaries(ids, names, max_size=8))
def test_no_two_people_are_called_the_same(people: dict[str, str]) -> None:
    called = [name.casefold() for name in named(*people.items()).values()]
    assert len(set(called)) == len(people)
    assert all(called)
