"""What holds of the claims of a slot: by validity, not by arrival, and by nothing but the slot."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from astrbot_plugin_tidemark.core.capture.settling import settled, slots_ending
from astrbot_plugin_tidemark.core.conflict.slots import canonical, ended_with, own, same_value
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS, CORROBORATES, linked
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, slot_of
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Stated
from astrbot_plugin_tidemark.core.model.memory import Memory, Origin, Source, Succession
from astrbot_plugin_tidemark.core.records.learnt import claim_of
from hypothesis import example, given
from hypothesis import strategies as st

from ...samples import ANNS, DAY, memory


def claim(
    value: str, day: float, attribute: str = "residence", *, denied: bool = False, **changes: object
) -> Memory:
    """A memory that claims a value, said on a day; the turn has the number of the day."""
    since = changes.pop("since", day * DAY)
    turns = changes.pop("turns", (int(day),))
    assert isinstance(since, float)
    assert isinstance(turns, tuple)
    return memory(
        value,
        id=f"{value or 'none'}@{day}",
        created_at=day * DAY,
        claim=Claim("@", attribute, value, since, None, denied),
        origin=Origin(turns=turns),
        **changes,
    )


def after(memories: Sequence[Memory]) -> dict[str, Memory]:
    """The memories once they are settled, until nothing changes any more."""
    settlement = settled(memories)
    return {each.id: settlement.applied(each) for each in memories}


def holding(memories: Sequence[Memory]) -> list[str]:
    """The values that hold in the end, however they arrive."""
    results: set[tuple[str, ...]] = set()
    for arrival in permutations(memories):
        known: dict[str, Memory] = {}
        for each in arrival:
            known = after([*known.values(), each])
            assert after(list(known.values())) == known
        values = (m.claim.value for m in known.values() if m.claim and m.holds and m.recallable)
        results.add(tuple(sorted(values)))
    (result,) = results
    return list(result)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([claim("Lyon", 1), claim("Paris", 5)], ["Paris"]),
        ([claim("Lyon", 1), claim("Paris", 5), claim("Oslo", 9)], ["Oslo"]),
        ([claim("Lyon", 1), claim("Lyon, near the river", 5)], ["Lyon", "Lyon, near the river"]),
        ([claim("Paris", 5), claim("Lyon", 9, since=2 * DAY)], ["Lyon"]),
        ([claim("Lyon", 1), claim("Lyon", 5, denied=True)], ["Lyon"]),
        ([claim("Lyon", 1), claim("", 5, denied=True)], [""]),
        ([claim("Lyon", 1), claim("", 5, denied=True), claim("Oslo", 5)], ["Oslo"]),
        ([claim("Lyon", 5), claim("Lyon", 5.0, denied=True)], ["Lyon", "Lyon"]),
        ([claim("Lyon", 1), claim("Oslo", 5, denied=True)], ["Lyon", "Oslo"]),
        ([claim("Lyon", 1), claim("", 5, denied=True), claim("Oslo", 9)], ["Oslo"]),
        ([claim("baker", 1, "job"), claim("", 5, "workplace", denied=True)], [""]),
        ([claim("baker", 9, "job"), claim("", 5, "workplace", denied=True)], ["", "baker"]),
        ([claim("baker", 1, "job"), claim("Acme", 5, "workplace", denied=True)], ["Acme", "baker"]),
        ([claim("baker", 1, "job"), claim("", 5, "school", denied=True)], ["", "baker"]),
        ([claim("cat", 1, "pet"), claim("dog", 5, "pet")], ["cat", "dog"]),
        ([claim("cat", 1, "pet"), claim("cat", 5, "pet", denied=True)], ["cat"]),
        ([claim("30", 1, "age"), claim("130", 5, "age")], ["130"]),
    ],
)
def test_the_same_holds_in_whatever_order(told: list[Memory], expected: list[str]) -> None:
    assert holding(told) == expected


def test_what_is_denied_or_over_ends_and_begins_to_age_when_that_is_said() -> None:
    known = after([claim("Lyon", 1), claim("Lyon", 5, denied=True)])
    over = known["Lyon@1"]
    assert over.claim.valid_to == 5 * DAY
    assert over.successor.how is Succession.UPDATES
    assert over.recallable
    known = after([claim("Lyon", 1), claim("Paris", 400, since=100 * DAY)])
    over = known["Lyon@1"]
    assert over.claim.valid_to == 100 * DAY
    assert over.vitality.last_decay_at == over.vitality.settled_at == 400 * DAY


def test_a_correction_was_always_so_and_what_it_corrects_never() -> None:
    wrong, right = claim("Lyon", 1), claim("Paris", 5, source=Source.CORRECTION)
    known = after([claim("Oslo", 0), wrong, right])
    over = known[wrong.id]
    assert not over.recallable
    assert over.feedback.accurate is False
    assert over.claim.valid_to == over.claim.valid_from
    assert after(list(known.values())) == known


def test_equal_values_corroborate_and_values_of_one_moment_contradict_each_other() -> None:
    known = after([claim("Lyon", 1), claim("lyon", 5)])
    assert linked(known["Lyon@1"], CORROBORATES) == {"lyon@5"}
    known = after([claim("Lyon", 1), claim("Paris", 1)])
    assert linked(known["Lyon@1"], CONTRADICTS) == {"Paris@1"}
    assert all(each.holds for each in known.values())


def test_the_last_said_holds_by_number_not_by_a_set_clock() -> None:
    earlier = claim("Lyon", 9, turns=(1,))
    later = claim("Paris", 2, turns=(2,))
    assert holding([earlier, later]) == ["Paris"]
    over = after([earlier, later])[earlier.id]
    assert over.claim.valid_to == 9 * DAY
    told = [claim("Lyon", 1), claim("Paris", 2), claim("Lyon", 3), claim("Paris", 4)]
    for order in permutations(told):
        known = after(order)
        assert [id for id, each in known.items() if each.holds] == ["Paris@4"]
        ends = {id: each.claim and each.claim.valid_to for id, each in known.items()}
        assert ends == {"Lyon@1": 2 * DAY, "Paris@2": 3 * DAY, "Lyon@3": 4 * DAY, "Paris@4": None}


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("allergy", "no penicillin allergy", ("penicillin allergy", True)),
        ("pet", "no pets any more", ("", True)),
        ("pet", "没有宠物了", ("", True)),
        ("allergy", "不再对花生过敏", ("花生过敏", True)),
        ("pet", "Nora the cat", ("Nora the cat", False)),
        ("favourite:game", "No Man's Sky", ("No Man's Sky", False)),
        ("favourite:drink", "无糖可乐", ("无糖可乐", False)),
        ("residence", "no fixed home", ("no fixed home", False)),
    ],
)
def test_a_value_of_none_denies(key: str, value: str, expected: tuple[str, bool]) -> None:
    told = claim_of(
        Candidate("x", "x", (1,), claim=Stated(key, value)), Speaker("u", "Ann"), ANNS.key, 1.0
    )
    assert (told.value, told.denied) == expected


def test_only_what_was_denied_itself_ends() -> None:
    nuts, fish = claim("peanuts", 1, "allergy"), claim("shellfish", 2, "allergy")
    none = claim("peanut allergy at all", 9, "allergy", denied=True)
    known = after([claim("peanut", 1, "allergy"), fish, none])
    assert not known["peanut@1"].holds
    assert known[fish.id].holds
    cats = after([claim("cat", 1, "like"), claim("cat food", 5, "like", denied=True)])
    assert cats["cat@1"].holds
    assert after([nuts, fish])[nuts.id].holds
    assert own("901") == "@901"
    assert own("901", "my mum") == own("901", "妈") == "@901/mother"
    assert own("901", "uncle") != own("901", "cousin")


attributes = st.sampled_from(["residence", "pet", "like"])
stories = st.lists(
    st.tuples(st.text(max_size=8), st.floats(-1e11, 1e11), st.booleans(), st.integers(0, 9)),
    max_size=6,
)


@given(stories, attributes)
def test_absurd_claims_are_settled_once_and_for_all(
    story: list[tuple[str, float, bool, int]], attribute: str
) -> None:
    told = [
        memory(
            "x",
            id=f"m{number}",
            created_at=at,
            claim=Claim("@", attribute, value, at, None, denied),
            origin=Origin(turns=(turn,)),
        )
        for number, (value, at, denied, turn) in enumerate(story)
    ]
    once = after(told)
    assert after(list(once.values())) == once
    for each in once.values():
        assert each.claim.valid_to is None or each.claim.valid_to >= each.claim.valid_from


@example([("", 1.0, False, 0), ("", 0.0, False, 0), ("", 0.0, True, 1)], "residence", 0)
@given(stories, attributes, st.integers(0, 5))
def test_without_a_memory_that_is_gone_the_same_holds_as_if_it_had_never_been(
    story: list[tuple[str, float, bool, int]], attribute: str, which: int
) -> None:
    # What one turn says is said at one time.
    times: dict[int, float] = {}
    told = [
        memory(
            "x",
            id=f"m{number}",
            created_at=times.setdefault(turn, at),
            claim=Claim("@", attribute, value, times[turn], None, denied),
            origin=Origin(turns=(turn,)),
        )
        for number, (value, at, denied, turn) in enumerate(story)
    ]
    gone = f"m{which % max(1, len(told))}"
    rest = [each for id, each in after(told).items() if id != gone]
    settlement = settled(rest, {gone})
    left = {each.id: settlement.applied(each) for each in rest}
    never = after([each for each in told if each.id != gone])
    assert {id for id, each in left.items() if each.holds} == {
        id for id, each in never.items() if each.holds
    }
    again = settled(list(left.values()), {gone})
    assert {id: again.applied(each) for id, each in left.items()} == left


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("Home", "residence"),
        ("favorite food", "favourite:food"),
        ("favourite_singer", "favourite:singer"),
        ("Occupation", "job"),
        ("device:phone", "device:phone"),
        ("ringtone", "ringtone"),
        ("fact", ""),
        ("  ", ""),
    ],
)
def test_a_key_stands_for_one_attribute_whoever_gives_it(key: str, name: str) -> None:
    assert canonical(key) == name


@pytest.mark.parametrize(
    ("key", "subject", "attribute"),
    [
        ("mother_residence", "@/mother", "residence"),
        ("best_mate_job", "@/friend", "job"),
        ("little_lad_age", "@/son", "age"),
        ("garden_plan", "@", "garden_plan"),
        ("_", None, None),
    ],
)
def test_a_relatives_key_is_theirs(key: str, subject: str | None, attribute: str | None) -> None:
    candidate = Candidate("x", "x", (1,), claim=Stated(key, "y"))
    told = claim_of(candidate, Speaker("u", "Ann"), ANNS.key, 1.0)
    assert (told and told.subject, told and told.attribute) == (subject, attribute)


@pytest.mark.parametrize(
    ("text", "key", "subject"),
    [
        ("Ann's friend is allergic to cats", "allergy", "@/friend"),
        ("Ann的猫对鸡肉过敏", "allergy", "@/cat"),
        ("Ann的男朋友住在成都", "residence", "@/partner"),
        ("Ann's mother-in-law lives in Rome", "residence", "@/mother_in_law"),
        ("Ann's partner is Tom", "partner", "@"),
        ("Ann's dog is a corgi", "pet", "@"),
        ("Ann's favourite colour is blue", "colour", "@"),
        ("Ann的生日是5月3日", "birthday", "@"),
        ("Ann is allergic to cats", "allergy", "@"),
    ],
)
def test_what_a_sentence_tells_of_somebodys_friend_is_theirs(
    text: str, key: str, subject: str
) -> None:
    """Told of Ann by a small model, a friend's allergy stood on her page."""
    candidate = Candidate(text, text, (1,), about=("Ann",), claim=Stated(key, "y"))
    told = claim_of(candidate, Speaker("u", "Ann"), ANNS.key, 1.0)
    assert told.subject == subject


@pytest.mark.parametrize(
    ("attribute", "one", "other", "same"),
    [
        ("residence", "Leeds", "a flat in Leeds", True),
        ("residence", "上海", "上海浦东", True),
        ("residence", "上海", "杭州", False),
        ("age", "25岁", "26岁", False),
        ("like", "喝咖啡", "咖啡", True),
        ("like", "cats", "cat food", False),
        ("workplace", "", "Acme", False),
    ],
)
def test_values_are_the_same_or_open(attribute: str, one: str, other: str, same: bool) -> None:
    assert same_value(attribute, one, other) is same
    assert same_value(attribute, other, one) is same


@pytest.mark.parametrize(
    ("kin", "held"), [("dog", ["旺财", "来福"]), ("son", ["Ben", "Tom"]), ("partner", ["Tom"])]
)
def test_of_whom_one_has_several_a_second_name_is_another_ones(kin: str, held: list[str]) -> None:
    """The second cat that was told of took the name of the first."""
    names = ["旺财", "来福"] if kin == "dog" else ["Ben", "Tom"]
    told = [
        replace(claim(name, day), claim=Claim(own("", kin), "name", name, day * DAY))
        for day, name in enumerate(names, start=1)
    ]
    assert [each.text for each in after(told).values() if each.holds] == held


@pytest.mark.parametrize(("value", "over"), [("单身", True), ("single", True), ("已婚", False)])
def test_with_the_bond_ends_what_is_kept_of_the_partner(value: str, over: bool) -> None:
    """阿哲, from whom she had parted, was still her boyfriend's name."""
    name = replace(claim("阿哲", 1), claim=Claim(own("", "partner"), "name", "阿哲", DAY))
    told = [name, claim(value, 9, "marital")]
    assert after(told)[name.id].holds is not over
    slot = name.claim.slot if name.claim else ""
    assert (slot in ended_with(Claim("@", "marital", value, 0.0))) is over
    assert slot_of("marital", "@") in slots_ending(slot)
