"""Findings are counted once each, and shrunk."""

from astrbot_plugin_tidemark.scripts.fuzzing.documents import nested
from astrbot_plugin_tidemark.scripts.fuzzing.findings import (
    LONGEST_SHOWN,
    Findings,
    chance_of,
    failure,
    shortened,
    shrunk,
    smaller,
)
from hypothesis import given
from hypothesis import strategies as st

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def size(value: object) -> int:
    match value:
        case str():
            return len(value)
        case dict():
            return sum(1 + size(member) for member in value.values())
        case list():
            return sum(1 + size(member) for member in value)
        case _:
            return 0


@given(json_values)
def test_every_smaller_input_is_smaller(value: object) -> None:
    assert all(size(less) < size(value) for less in smaller(value))


async def test_a_text_is_shrunk_to_what_fails() -> None:
    async def fails(text: str) -> bool:
        return "\0" in text

    assert await shrunk("lantern \0 festival", fails) == "\0"


async def test_a_document_keeps_only_the_member_that_fails() -> None:
    async def fails(document: dict[str, object]) -> bool:
        return "b" in document

    assert await shrunk({"a": [1, 2], "b": [3, "x"], "c": {}}, fails) == {"b": []}


async def test_what_never_fails_when_smaller_stays_as_it_is() -> None:
    async def fails(text: str) -> bool:
        return text == "whole"

    assert await shrunk("whole", fails) == "whole"


def test_a_problem_seen_again_is_counted_not_listed_twice() -> None:
    findings = Findings()
    assert not findings.repeated("show raised ValueError")
    findings.add("show raised ValueError", 7, "show \0")
    assert findings.repeated("show raised ValueError")
    assert findings.listed() == [
        {"problem": "show raised ValueError", "case": 7, "input": "'show \\x00'", "seen": 2}
    ]


def test_findings_are_listed_in_the_order_of_their_cases() -> None:
    findings = Findings()
    findings.add("second", 9, "")
    findings.add("first", 3, "")
    assert [finding["problem"] for finding in findings.listed()] == ["first", "second"]


def test_a_long_input_is_shown_by_its_ends() -> None:
    shown = shortened("a" + "x" * 1_000_000 + "z")
    assert len(shown) <= LONGEST_SHOWN + 40
    assert shown.startswith("'ax")
    assert shown.endswith("xz'")


def test_what_python_cannot_print_is_still_described() -> None:
    assert shortened(nested(100_000)) == "a list nested too deeply to show"
    assert shortened([10**5_000]) == "a list with a number too long to show"


def test_an_exception_is_named_by_the_line_of_ours_it_came_from() -> None:
    try:
        chance_of(1, "x", 1).sample((), 2)
    except ValueError as error:
        named = failure(error)
    assert named.startswith("ValueError in test_findings.py, test_an_exception")


def test_chance_depends_on_seed_kind_and_case_alone() -> None:
    drawn = [
        chance_of(*key).random() for key in [(1, "a", 1), (1, "a", 1), (2, "a", 1), (1, "b", 1)]
    ]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 3
