"""Which candidates are injected, and the reason for every one that is not."""

from dataclasses import replace

import pytest
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
from astrbot_plugin_tidemark.core.recall.selection import (
    Context,
    asks_for_nothing,
    drop_reason,
    is_question,
    judge,
    only_asks,
)
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


def test_a_relevant_memory_is_kept() -> None:
    assert verdict(memory()) is None


def test_what_has_too_small_a_share_of_the_first_s_odds_is_irrelevant() -> None:
    records = {"a": memory("bees"), "b": memory("wasps"), "c": memory("ants")}
    scored = [found("a", 0.8), found("b", 0.5), found("c", 0.4)]
    judged = judge(scored, records, Context(), 8, 0.2)
    assert [each.drop for each in judged] == [None, None, Drop.IRRELEVANT]


def test_what_cannot_be_shown_sets_no_measure() -> None:
    records = {"a": memory(standing=Standing(Status.BINNED)), "b": memory("wasps")}
    judged = judge([found("a", 0.99), found("b", 0.1)], records, Context(), 8, 0.5)
    assert [each.drop for each in judged] == [Drop.GONE, None]


def test_what_the_model_sees_anyway_sets_no_measure() -> None:
    """A conversation is about one topic: nearly everything that was needed in it was silent."""
    said = evidence("We have lemon cake", turn=3)
    records = {"said": said, "fact": memory(id="fact")}
    seen = Context(history=frozenset({"we have lemon cake"}))
    first, second = judge([found("said", 0.9), found("fact", 0.3)], records, seen, 8, 0.5)
    assert (first.drop, second.drop) == (Drop.IN_CONTEXT, None)


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


def test_an_updated_memory_stays() -> None:
    assert verdict(memory(successor=Successor("m2", Succession.UPDATES))) is None


def test_the_turn_being_answered_is_in_context() -> None:
    assert verdict(evidence("I keep bees", turn=7), Context(turn=7)) is Drop.IN_CONTEXT
    assert verdict(evidence("I keep bees", turn=6), Context(turn=7)) is None


def test_a_turn_of_the_model_s_history_is_in_context_with_or_without_its_reply() -> None:
    context = Context(frozenset({"i keep bees"}))
    assert verdict(evidence("I keep BEES"), context) is Drop.IN_CONTEXT
    assert verdict(evidence("I keep bees\n↳ How many hives?"), context) is Drop.IN_CONTEXT


def test_a_learnt_memory_is_not_hidden_by_the_history() -> None:
    assert verdict(memory("I keep bees"), Context(frozenset({"i keep bees"}))) is None


def test_a_question_nobody_answered_says_nothing() -> None:
    assert verdict(evidence("Do I keep bees?")) is Drop.BARE_QUESTION
    assert verdict(evidence("Do I keep bees?\n↳ Yes, two hives")) is None
    assert verdict(evidence("Do I keep bees?\n↳ I don't know.")) is Drop.BARE_QUESTION
    assert verdict(memory("Do I keep bees?")) is None


@pytest.mark.parametrize("text", ["你养蜂吗", "真的？", "why?", "然后呢。", "what?! ", "是么~"])
def test_a_question_is_known_by_its_end(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "我的牙医是谁",
        "我现在住在哪里",
        "where is my kayak",
        "So how many hives do we have",
        "am I late",
    ],
)
def test_a_question_without_its_mark_is_known_by_its_words(text: str) -> None:
    assert is_question(text)
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    ["喷嚏连着打十几个", "When I was young I sang", "What I do is teach", "我在哪儿都能睡"],
)
def test_words_that_may_ask_do_not_make_a_question(text: str) -> None:
    assert not is_question(text)


@pytest.mark.parametrize("text", ["我养蜂。", "I asked why? Nobody knew", "", "吗啡是药"])
def test_a_statement_is_no_question(text: str) -> None:
    assert not is_question(text)


def drops(*texts: str, limit: int = 8) -> list[Drop | None]:
    records = {str(n): memory(text) for n, text in enumerate(texts)}
    return [c.drop for c in judge([found(id) for id in records], records, Context(), limit)]


def test_the_same_words_are_told_once() -> None:
    assert drops("Bees", "ＢＥＥＳ", "Wasps") == [None, Drop.DUPLICATE, None]


def test_two_people_who_say_nearly_the_same_are_both_heard_in_order() -> None:
    group = Scope(ScopeKind.GROUP, "qq", "5000", "default").key
    said = {
        "0": memory("I keep bees in Bath", scope=group, speaker=Speaker("1", "Ann")),
        "1": memory("I keep bees here in Bath", scope=group, speaker=Speaker("2", "Ben")),
        "2": memory("I paint", scope=group, speaker=Speaker("2", "Ben")),
    }
    judged = judge([found(id) for id in said], said, Context(), 8)
    assert [each.memory for each in judged] == ["0", "1", "2"]


def test_what_one_memory_says_in_more_words_is_told_once() -> None:
    assert drops("Ann keeps bees in Bath", "I keep bees") == [None, Drop.DUPLICATE]
    assert drops("I keep bees", "Ann keeps bees in Bath") == [None, None]


def test_words_that_two_memories_share_out_do_not_make_a_third_one_a_repetition() -> None:
    assert drops("Ann likes tea", "Bob likes coffee", "Ann likes coffee") == [None, None, None]


def test_the_same_words_of_another_member_of_a_group_are_no_repetition() -> None:
    for kind, drop in ((ScopeKind.GROUP, None), (ScopeKind.PRIVATE, Drop.DUPLICATE)):
        scope = Scope(kind, "qq", "5000", "default").key
        said = {id: evidence("I keep bees", scope=scope, speaker=Speaker(id, "")) for id in "ab"}
        assert [c.drop for c in judge([found("a"), found("b")], said, Context(), 8)] == [None, drop]


def test_a_denial_is_no_repetition_of_what_it_denies() -> None:
    assert drops("Ann eats fish", "Ann does not eat fish") == [None, None]
    assert drops("Ann can swim", "Ann can't swim") == [None, None]
    assert drops("安吃鱼", "安不吃鱼") == [None, None]


def test_only_kept_memories_count_towards_the_limit() -> None:
    records = {id: memory(f"number {id}") for id in ("11", "12", "13", "14")}
    records["11"] = memory(standing=Standing(Status.BINNED))
    candidates = [found("11"), found("12"), found("13"), found("14")]
    result = judge(candidates, records, Context(), 2)
    assert [c.drop for c in result] == [Drop.GONE, None, None, Drop.LIMIT]


@pytest.mark.parametrize("text", ["hi", "Thanks!", "Good night~", "你好", "晚安。", "在吗？"])
def test_a_greeting_asks_for_nothing(text: str) -> None:
    assert asks_for_nothing(text)


@pytest.mark.parametrize("text", ["我叫什么？", "who am I?", "good coffee", "你好像忘了我的名字"])
def test_a_question_of_function_words_still_asks(text: str) -> None:
    assert not asks_for_nothing(text)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("What do you do?", True),
        ("Wow! Really? What then?", True),
        ("I paint landscapes every weekend. And you?", False),
        ("我上周在喀什摔断了手腕。你呢？", False),
        ("好的。你叫什么？", True),
        ("I paint landscapes every weekend.", False),
        ("", False),
    ],
)
def test_a_turn_that_tells_something_before_it_asks_is_no_bare_question(
    text: str, asks: bool
) -> None:
    assert only_asks(text) is asks


def test_a_memory_that_was_read_anew_is_judged_anew() -> None:
    context, said = Context(), replace(memory("Ann keeps bees", id="bees"), kind=Kind.EVIDENCE)
    assert drop_reason(said, context) is None
    assert drop_reason(replace(said, text="Do I keep bees?"), context) is Drop.BARE_QUESTION
    assert drop_reason(said, context) is None


@pytest.mark.parametrize("text", ["我开什么车", "我住哪", "我几岁"])
def test_a_question_of_words_that_are_not_indexed_is_no_greeting(text: str) -> None:
    """The car was told, and the question for it met silence."""
    assert not asks_for_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "老李现在吃的啥药",
        "谁还欠我钱",
        "我欠胖子多少钱",
        "小七不能吃啥",
        "誰去不了",
        "旺财怎么样了",
        "我女婿干啥的",
    ],
)
def test_a_question_of_a_chat_that_has_neither_mark_nor_particle_only_asks(text: str) -> None:
    """我欠谁钱 was answered with the same question of somebody else."""
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "什么都行",
        "谁都不在",
        "不知道买啥",
        "哪都不想去",
        "随便吃点啥",
        "我哪有钱",
        "谁让我是班长",
        "那个什么展挺好看的",
        "几点下班都行",
        "没什么事",
    ],
)
def test_a_word_that_asks_of_nothing_in_particular_makes_no_question(text: str) -> None:
    assert not is_question(text)
