"""Turns and what was learnt from them share a place; what is left out, and why."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.languages.markers import is_question
from astrbot_plugin_tidemark.core.languages.terms import content_terms
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
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
from astrbot_plugin_tidemark.core.recall.selection import Context, drop_reason, judge
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


def fused(id: str, relevance: float = 0.9) -> Fused:
    return Fused(id, (Hit(Leg.TEXT, 1, relevance, relevance),), relevance)


def evidence(text: str, turn: int = 1, **changes: object) -> Memory:
    return memory(text, kind=Kind.EVIDENCE, origin=Origin(turns=(turn,)), **changes)


def verdict(record: Memory | None, context: Context | None = None) -> Drop | None:
    records = {} if record is None else {"m1": record}
    (candidate,) = judge([fused("m1")], records, context or Context(), 8)
    return candidate.drop


def test_what_the_history_shows_is_in_context_and_a_learnt_memory_is_kept() -> None:
    assert verdict(memory()) is None
    assert verdict(memory(successor=Successor("m2", Succession.UPDATES))) is None
    assert verdict(evidence("I keep bees", turn=7), Context(turn=7)) is Drop.IN_CONTEXT
    assert verdict(evidence("I keep bees", turn=6), Context(turn=7)) is None
    context = Context(frozenset({"i keep bees"}))
    assert verdict(evidence("I keep BEES"), context) is Drop.IN_CONTEXT
    assert verdict(evidence("I keep bees\n↳ How many hives?"), context) is Drop.IN_CONTEXT
    assert verdict(memory("I keep bees"), Context(frozenset({"i keep bees"}))) is None


@pytest.mark.parametrize(
    "record",
    [
        None,
        memory(standing=Standing(Status.BINNED)),
        memory(standing=Standing(Status.ARCHIVED)),
        memory(successor=Successor("m2", Succession.CORRECTS)),
        memory(successor=Successor("m2", Succession.SUPERSEDES)),
    ],
    ids=["purged", "binned", "archived", "corrected", "superseded"],
)
def test_what_is_no_longer_recallable_is_gone(record: Memory | None) -> None:
    assert verdict(record) is Drop.GONE


def test_a_question_nobody_answered_says_nothing() -> None:
    assert verdict(evidence("Do I keep bees?")) is Drop.BARE_QUESTION
    assert verdict(evidence("Do I keep bees?\n↳ Yes, two hives")) is None
    assert verdict(evidence("Do I keep bees?\n↳ I don't know.")) is Drop.BARE_QUESTION
    assert verdict(memory("Do I keep bees?")) is None
    assert verdict(evidence("我上周在喀什摔断了手腕。你呢？")) is None
    assert verdict(evidence("I paint landscapes every weekend. And you?")) is None


@pytest.mark.parametrize("text", ["你养蜂吗", "真的？", "why?", "然后呢？", "what?! ", "是吗~"])
def test_a_question_is_known_by_its_end(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    ["我养蜂。", "I asked why? Nobody knew", "", "吗啡是药", "我表姐在深圳上班呢。", "没什么"],
)
def test_a_statement_is_no_question(text: str) -> None:
    assert not is_question(text)


def drops(*texts: str, limit: int = 8) -> list[Drop | None]:
    records = {str(n): memory(text) for n, text in enumerate(texts)}
    return [c.drop for c in judge([fused(id) for id in records], records, Context(), limit)]


def test_the_same_is_told_once_of_two_people_twice_in_order() -> None:
    assert drops("Bees", "ＢＥＥＳ", "Wasps") == [None, Drop.DUPLICATE, None]
    assert drops("I keep bees in Bath", "No, in Bath we keep bees") == [None, None]
    assert drops("I keep bees in Bath", "in Bath I do keep bees") == [None, Drop.DUPLICATE]
    assert drops("I keep bees in Bath", "I keep bees") == [None, None]
    assert drops("Ann likes tea", "Bob likes coffee", "Ann likes coffee") == [None, None, None]
    assert drops("Ann eats fish", "Ann does not eat fish") == [None, None]
    assert drops("Ann can swim", "Ann can't swim") == [None, None]
    assert drops("安吃鱼", "安不吃鱼") == [None, None]
    for kind, drop in ((ScopeKind.GROUP, None), (ScopeKind.PRIVATE, Drop.DUPLICATE)):
        scope = Scope(kind, "qq", "5000", "default").key
        said = {id: evidence("I keep bees", scope=scope, speaker=Speaker(id, "")) for id in "ab"}
        assert [c.drop for c in judge([fused("a"), fused("b")], said, Context(), 8)] == [None, drop]
    group = Scope(ScopeKind.GROUP, "qq", "5000", "default").key
    said = {
        "0": memory("I keep bees in Bath", scope=group, speaker=Speaker("1", "Ann")),
        "1": memory("I keep bees here in Bath", scope=group, speaker=Speaker("2", "Ben")),
        "2": memory("I paint", scope=group, speaker=Speaker("2", "Ben")),
    }
    judged = judge([fused(id) for id in said], said, Context(), 8)
    assert [each.memory for each in judged] == ["0", "1", "2"]


def test_only_kept_ones_count_and_one_read_anew_is_judged_anew() -> None:
    records = {id: memory(f"number {id}") for id in ("11", "12", "13", "14")}
    records["11"] = memory(standing=Standing(Status.BINNED))
    candidates = [fused("11"), fused("12"), fused("13"), fused("14")]
    result = judge(candidates, records, Context(), 2)
    assert [c.drop for c in result] == [Drop.GONE, None, None, Drop.LIMIT]
    context, said = Context(), replace(memory("Ann keeps bees", id="bees"), kind=Kind.EVIDENCE)
    assert drop_reason(said, context) is None
    assert drop_reason(replace(said, text="Do I keep bees?"), context) is Drop.BARE_QUESTION
    assert drop_reason(said, context) is None
