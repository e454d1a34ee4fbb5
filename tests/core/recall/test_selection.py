"""Which candidates are injected, and the reason for every one that is not."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.languages.markers import is_question
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
from astrbot_plugin_tidemark.core.recall.selection import Context, drop_reason, judge
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg

from ...samples import memory


def found(id: str, relevance: float = 0.9) -> Fused:
    return Fused(id, (Hit(Leg.TEXT, 1, relevance, relevance),), relevance)


def evidence(text: str, turn: int = 1, **changes: object) -> Memory:
    return memory(text, kind=Kind.EVIDENCE, origin=Origin(turns=(turn,)), **changes)


def verdict(record: Memory | None, context: Context | None = None) -> Drop | None:
    records = {} if record is None else {"m1": record}
    (candidate,) = judge([found("m1")], records, context or Context(), 8)
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
    return [c.drop for c in judge([found(id) for id in records], records, Context(), limit)]


def test_the_same_is_told_once_of_two_people_twice_in_order() -> None:
    assert drops("Bees", "ＢＥＥＳ", "Wasps") == [None, Drop.DUPLICATE, None]
    assert drops("Ann keeps bees in Bath", "I keep bees") == [None, Drop.DUPLICATE]
    assert drops("I keep bees", "Ann keeps bees in Bath") == [None, None]
    assert drops("Ann likes tea", "Bob likes coffee", "Ann likes coffee") == [None, None, None]
    assert drops("Ann eats fish", "Ann does not eat fish") == [None, None]
    assert drops("Ann can swim", "Ann can't swim") == [None, None]
    assert drops("安吃鱼", "安不吃鱼") == [None, None]
    for kind, drop in ((ScopeKind.GROUP, None), (ScopeKind.PRIVATE, Drop.DUPLICATE)):
        scope = Scope(kind, "qq", "5000", "default").key
        said = {id: evidence("I keep bees", scope=scope, speaker=Speaker(id, "")) for id in "ab"}
        assert [c.drop for c in judge([found("a"), found("b")], said, Context(), 8)] == [None, drop]
    group = Scope(ScopeKind.GROUP, "qq", "5000", "default").key
    said = {
        "0": memory("I keep bees in Bath", scope=group, speaker=Speaker("1", "Ann")),
        "1": memory("I keep bees here in Bath", scope=group, speaker=Speaker("2", "Ben")),
        "2": memory("I paint", scope=group, speaker=Speaker("2", "Ben")),
    }
    judged = judge([found(id) for id in said], said, Context(), 8)
    assert [each.memory for each in judged] == ["0", "1", "2"]


def test_only_kept_ones_count_and_one_read_anew_is_judged_anew() -> None:
    records = {id: memory(f"number {id}") for id in ("11", "12", "13", "14")}
    records["11"] = memory(standing=Standing(Status.BINNED))
    candidates = [found("11"), found("12"), found("13"), found("14")]
    result = judge(candidates, records, Context(), 2)
    assert [c.drop for c in result] == [Drop.GONE, None, None, Drop.LIMIT]
    context, said = Context(), replace(memory("Ann keeps bees", id="bees"), kind=Kind.EVIDENCE)
    assert drop_reason(said, context) is None
    assert drop_reason(replace(said, text="Do I keep bees?"), context) is Drop.BARE_QUESTION
    assert drop_reason(said, context) is None
