"""Raw turns and what was learnt from them bring each other along, and neither hides the other."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.languages.terms import content_terms
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Origin,
    Standing,
    Status,
    Succession,
    Successor,
)
from astrbot_plugin_tidemark.core.recall.provenance import (
    BEHIND,
    LONGEST_BESIDE,
    says_more,
    with_learnt,
    words_beside,
)
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg

from ...samples import ANN, BOT, memory

NOTHING = frozenset[str]()


def found(id: str, relevance: float = 0.8) -> Fused:
    return Fused(id, (Hit(Leg.TEXT, 1, relevance, relevance),), relevance)


def turn(text: str, seq: int, id: str = "raw") -> Memory:
    return replace(memory(text, id=id), kind=Kind.EVIDENCE, origin=Origin(turns=(seq,)))


def learnt(text: str, *seqs: int, id: str = "fact") -> Memory:
    return replace(memory(text, id=id), origin=Origin(turns=seqs))


def told(candidates: list[Fused]) -> list[tuple[str, str, Drop | None]]:
    return [(each.memory, each.via, each.drop) for each in candidates]


def test_turns_and_what_was_learnt_from_them_share_one_place() -> None:
    records = {"raw": turn("I keep bees", 3), "other": memory("Wasps")}
    result = with_learnt([found("raw"), found("other")], records, {3: ("fact", "plan")}, NOTHING)
    assert told(result) == [
        ("raw", "", Drop.DISTILLED),
        ("fact", "raw", None),
        ("plan", "raw", None),
        ("other", "", None),
    ]
    assert result[1].relevance == result[0].relevance
    dropped = found("raw").dropped(Drop.UNMENTIONED)
    records = {"raw": turn("I keep bees", 3), "fact": learnt("Ann keeps bees", 3)}
    assert with_learnt([dropped], records, {3: ("fact",)}, NOTHING) == [dropped]
    records = {"raw": turn("I keep bees", 3), "fact": learnt("Ann keeps bees", 3)}
    candidates = [found("raw", 0.9), found("fact", 0.1)]
    result = with_learnt(candidates, records, {3: ("fact",)}, NOTHING)
    assert told(result) == [("raw", "", Drop.DISTILLED), ("fact", "raw", None)]
    assert result[1].relevance == 0.9
    records = {"raw": turn("I keep bees", 3), "fact": learnt("Ann keeps bees", 3)}
    result = with_learnt([found("fact"), found("raw")], records, {3: ("fact",)}, NOTHING)
    assert told(result) == [("fact", "", None), ("raw", "", Drop.DISTILLED)]
    candidates = [found("fact")]
    records = {"fact": learnt("Ann keeps bees", 3)}
    assert with_learnt(candidates, records, {3: ("plan",)}, NOTHING) == candidates


@pytest.mark.parametrize("of", [{3: ()}, {4: ("fact",)}, {}])
def test_a_turn_of_which_nothing_was_learnt_stays(of: dict[int, tuple[str, ...]]) -> None:
    candidates = [found("raw")]
    assert with_learnt(candidates, {"raw": turn("I keep bees", 3)}, of, NOTHING) == candidates


def test_a_turn_stands_only_by_what_else_it_says_of_what_is_asked() -> None:
    records = {
        "raw": turn("I keep bees behind the chapel in Lyon", 3),
        "fact": learnt("Ann keeps bees", 3),
    }
    wanted = content_terms("where in Lyon are the bees")
    result = with_learnt([found("raw")], records, {3: ("fact",)}, wanted)
    assert told(result) == [("fact", "raw", None), ("raw", "", None)]
    assert result[1].score == BEHIND * result[0].score
    raw, fact = turn("bees, honey and wax", 1), learnt("bees", 1)
    assert says_more(raw, [fact], content_terms("honey"))
    assert not says_more(raw, [fact], content_terms("bees"))
    assert not says_more(raw, [fact, learnt("honey", 1)], content_terms("honey"))
    assert not says_more(raw, [fact], NOTHING)
    assert says_more(raw, [], content_terms("wax"))


def beside(fact: Memory, *turns: Memory, wanted: str = "", seen: str = "") -> str:
    records = {each.id: each for each in (fact, *turns)}
    said = words_beside(
        [fact],
        records,
        lambda _: [each.id for each in turns],
        content_terms(wanted),
        frozenset({seen}),
    )
    return said.get(fact.id, "")


@pytest.mark.parametrize(
    ("fact", "raw", "shown"),
    [
        ("养了橘猫", "橘猫，今年三岁了", "橘猫，今年三岁了"),
        ("Ann keeps a cat", "My cat Luna turned three", "My cat Luna turned three"),
        ("Ann keeps a cat", "I keep a cat\n↳ How old is the cat?", ""),
        ("Ann is allergic to peanuts", "I am allergic to peanuts!", ""),
        ("用户对花生过敏", "我对花生过敏", ""),
    ],
)
def test_a_memory_stands_for_its_turn_as_far_as_it_says_it(fact: str, raw: str, shown: str) -> None:
    assert beside(learnt(fact, 3), turn(raw, 3)) == shown


def test_what_is_asked_about_of_a_long_turn_or_of_several_stands_beside() -> None:
    filler = "The weather on the coast was grey again that week. " * 6
    raw = turn(f"{filler}Luna the cat turned three on Monday. {filler}", 3)
    shown = beside(learnt("Ann keeps a cat", 3), raw, wanted="how old is Luna?")
    assert "Luna the cat turned three" in shown
    assert len(shown) <= LONGEST_BESIDE
    fact = learnt("Ann keeps a cat", 3, 4)
    turns = [turn("A cat, and goats, hens and ducks", 3), turn("The cat turned three", 4, "t4")]
    assert beside(fact, *turns, wanted="has it turned three?") == "The cat turned three"
    assert beside(fact, *turns) == "A cat, and goats, hens and ducks"


def test_words_of_one_message_stand_beside_the_first_of_its_facts_alone() -> None:
    facts = [replace(learnt(text, 3), id=text) for text in ("Ann keeps a cat", "Ann has a dog")]
    raw = turn("A cat, a dog and three goats", 3)
    said = words_beside(facts, {raw.id: raw}, lambda _: [raw.id], frozenset())
    assert said == {"Ann keeps a cat": raw.text}


def test_words_that_are_gone_another_s_or_seen_anyway_do_not_stand_beside() -> None:
    fact, raw = learnt("Ann keeps a cat", 3), turn("The cat turned three", 3)
    binned = replace(raw, standing=Standing(Status.BINNED))
    corrected = replace(raw, successor=Successor("new", Succession.CORRECTS))
    assert beside(fact, raw)
    assert not beside(fact, binned)
    assert not beside(fact, corrected)
    assert not beside(replace(fact, speaker=ANN), replace(raw, speaker=BOT))
    assert not beside(fact, raw, seen="the cat turned three")
    chosen = words_beside([fact, raw], {"raw": raw}, lambda _: ["raw"], NOTHING)
    assert chosen == {}
