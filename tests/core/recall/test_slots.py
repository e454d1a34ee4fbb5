"""Of a slot what holds is shown, the newest first; the past when it is asked for."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.recall.legs.slot import place_of
from astrbot_plugin_tidemark.core.recall.slots import (
    asks_for_past,
    ends_of_turns,
    in_their_place,
    newest_first,
    turns_of_the_past,
    values_before,
)
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused

from ...samples import ANNS, memory

DAY = 86_400.0


def claim(value: str, since: float, until: float | None = None, slot: str = "residence") -> Memory:
    claimed = Claim("@", slot, value, since * DAY, None if until is None else until * DAY)
    return memory(value, id=value, created_at=since * DAY, claim=claimed)


def found(*ids: str) -> list[Fused]:
    return [Fused(id, (), 1.0 - n / 10) for n, id in enumerate(ids)]


LYON, OSLO = claim("Lyon", 1, 5), claim("Oslo", 5)
SLOT = (ANNS.key, "residence\n@")


def by_id(*memories: Memory) -> dict[str, Memory]:
    return {each.id: each for each in memories}


def test_what_holds_takes_the_place_of_what_held() -> None:
    placed = in_their_place(found("Lyon", "x"), by_id(LYON, OSLO), {SLOT: [OSLO]})
    assert [each.memory for each in placed] == ["Oslo", "Lyon", "x"]
    assert placed[1].drop is Drop.SUPERSEDED
    assert placed[1].behind == "Oslo"
    again = in_their_place(found("Oslo", "Lyon"), by_id(LYON, OSLO), {SLOT: [OSLO]})
    assert [(each.memory, each.drop) for each in again] == [
        ("Oslo", None),
        ("Lyon", Drop.SUPERSEDED),
    ]


def test_what_nothing_has_taken_the_place_of_stays() -> None:
    (placed,) = in_their_place(found("Lyon"), by_id(LYON), {})
    assert placed.drop is None


def test_claims_of_one_slot_come_newest_first_in_their_own_places() -> None:
    records = by_id(claim("tea", 1, slot="like"), claim("cats", 9, slot="like"), OSLO)
    ordered = newest_first(found("tea", "Oslo", "cats"), records)
    assert [each.memory for each in ordered] == ["cats", "Oslo", "tea"]
    dropped = [each.dropped(Drop.LIMIT) for each in found("tea", "cats")]
    assert newest_first(dropped, records) == dropped


def no_more(value: str, since: float, slot: str = "residence") -> Memory:
    claimed = Claim("@", slot, value, since * DAY, denied=True)
    return memory(f"no more: {value}", id=f"not {value}", created_at=since * DAY, claim=claimed)


def test_what_is_so_comes_before_what_is_not_however_lately_that_was_said() -> None:
    """ "We used to live in Karachi", told after "we bought in Toronto", was taken for a move."""
    story = no_more("Karachi", 9)
    records = by_id(OSLO, story)
    told = found("not Karachi", "Oslo")
    assert [each.memory for each in newest_first(told, records)] == ["Oslo", "not Karachi"]
    asked = newest_first(told, records, past=True)
    assert [each.memory for each in asked] == ["not Karachi", "Oslo"]
    assert values_before([OSLO, story], records, now=30 * DAY) == {"not Karachi": "Karachi"}


def test_who_asks_for_the_past_is_told_first_what_was_so() -> None:
    """Bug: "where did I use to live?" was answered first with where the asker lives now."""
    oldest, older = claim("Rome", 1, 3), claim("Paris", 3, 5)
    records = by_id(oldest, older, OSLO)
    ordered = newest_first(found("Oslo", "Rome", "Paris"), records, past=True)
    assert [each.memory for each in ordered] == ["Paris", "Rome", "Oslo"]
    assert sorted((OSLO, oldest, older), key=lambda each: place_of(each, past=True)) == [
        older,
        oldest,
        OSLO,
    ]


def test_what_is_disliked_is_a_taste_like_another() -> None:
    tea, coffee = claim("tea", 1, slot="like"), no_more("coffee", 9, "like")
    ordered = newest_first(found("tea", "not coffee"), by_id(tea, coffee))
    assert [each.memory for each in ordered] == ["not coffee", "tea"]
    assert values_before([tea, coffee], by_id(tea, coffee), now=30 * DAY) == {}


def test_of_several_at_once_what_is_no_more_tells_nothing_of_the_others() -> None:
    cat, hamster = claim("cat", 1, slot="pet"), no_more("hamster", 9, "pet")
    assert values_before([cat, hamster], by_id(cat, hamster), now=30 * DAY) == {}


def test_a_turn_is_of_the_past_when_all_that_was_learnt_from_it_is() -> None:
    told = [replace(each, origin=Origin(turns=(7,))) for each in (LYON, no_more("Rome", 9))]
    assert turns_of_the_past(by_id(*told)) == {7}
    now = replace(OSLO, origin=Origin(turns=(7,)))
    assert turns_of_the_past(by_id(*told, now)) == frozenset()


def test_what_held_until_lately_is_told_beside_what_holds() -> None:
    assert values_before([OSLO], by_id(LYON, OSLO), now=30 * DAY) == {"Oslo": "Lyon"}
    assert values_before([OSLO], by_id(LYON, OSLO), now=99 * DAY) == {}
    never = claim("Paris", 4, 4)
    assert values_before([OSLO], by_id(never, OSLO), now=30 * DAY) == {}


def test_a_raw_turn_is_over_when_all_that_was_learnt_from_it_is() -> None:
    raw = memory("raw", id="raw", kind=Kind.EVIDENCE, origin=Origin(turns=(7,)))
    over = memory("a", id="a", claim=LYON.claim, origin=Origin(turns=(7,)))
    holds = memory("b", id="b", origin=Origin(turns=(7,)))
    assert ends_of_turns([raw], by_id(raw, over)) == {"raw": 5 * DAY}
    assert ends_of_turns([raw], by_id(raw, over, holds)) == {}


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("我以前住在哪", True),
        ("我住在哪", False),
        ("where did I use to live", True),
        ("where do I live", False),
        ("what was my job before that", True),
        ("我当年在哪上班", True),
        ("where did we live when I was a child", True),
    ],
)
def test_the_past_is_asked_for_in_words(text: str, past: bool) -> None:
    assert asks_for_past(text) is past


def test_what_a_denial_denies_is_not_told_again_as_what_held_before() -> None:
    """The hamster's death was shown with "before: hamster"."""
    had = claim("hamster", 1, 5, "pet")
    gone = Claim("@", "pet", "hamster", 5 * DAY, denied=True)
    no_more = memory("gone", id="gone", created_at=5 * DAY, claim=gone)
    assert values_before([no_more], by_id(had, no_more), now=30 * DAY) == {}
    any_pet = memory("none", id="none", claim=Claim("@", "pet", "", 5 * DAY, denied=True))
    assert values_before([any_pet], by_id(had, any_pet), now=30 * DAY) == {"none": "hamster"}
