"""The numbers by which candidates are ranked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.embedding.calibrator import READ
from astrbot_plugin_tidemark.core.embedding.local.model import IDENTITY
from astrbot_plugin_tidemark.core.graph.communities import CAUSED_BY
from astrbot_plugin_tidemark.core.languages.entities import named
from astrbot_plugin_tidemark.core.languages.times import Interval, without_times
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Event, Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Succession, Successor
from astrbot_plugin_tidemark.core.recall.columns import (
    FAR,
    MOST_NODES,
    TOUCHING,
    Numbers,
    asked_about,
    closeness,
    footing,
    graph_closeness,
    near_named,
    nearness,
    numbers,
    sides,
)
from astrbot_plugin_tidemark.core.recall.pipeline import understand
from astrbot_plugin_tidemark.core.recall.question import Meaning, Question
from astrbot_plugin_tidemark.core.recall.selection import Context
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg
from astrbot_plugin_tidemark.core.recall.weighing import without_strangers
from astrbot_plugin_tidemark.core.scoring.decision import (
    NATS,
    PLACES,
    SURE,
    Coefficients,
    Column,
    Footing,
    TurnColumn,
    ranks,
    telling,
)
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.similarity.calibration import Centre, Frame, Scales, VectorScale
from astrbot_plugin_tidemark.core.text import bm25
from hypothesis import example, given
from hypothesis import strategies as st

from ...samples import memory
from .test_pipeline import QUESTION

MODEL = FITTED[Footing.DENSE]


def told(
    *found: tuple[Memory, Hit],
    question: Question = QUESTION,
    meaning: Meaning | None = None,
    model: Coefficients = MODEL,
) -> Numbers:
    candidates = [Fused(each.id, (hit,), 1.0) for each, hit in found]
    records = {each.id: each for each, _ in found}
    counts = dict.fromkeys({each.scope for each, _ in found}, 300)
    return numbers(candidates, records, understand(question), meaning, counts, {}, model)


def words(nats: float, share: float = 0.5, rarest: float = 0.5) -> Hit:
    return Hit(Leg.TEXT, 1, share, share, rarest=rarest, nats=nats)


def column(numbers: Numbers, which: Column) -> list[float]:
    return [round(float(value), 4) for value in numbers.sheet[:, PLACES[which]]]


def test_only_what_could_be_shown_where_it_was_found_counts() -> None:
    found = told((memory("bees", id="a"), words(6.0, 0.9)), (memory("bee", id="b"), words(3.0)))
    assert column(found, Column.WORDS) == [1.0, 0.5]
    assert found.turn[TurnColumn.NATS] == pytest.approx(6.0 / NATS)
    found = told((memory("bees", id="a"), words(6.0, 0.9)), (memory("bee", id="b"), words(3.0)))
    assert found.ranks.tolist() == ranks(found.sheet, MODEL).tolist()
    assert found.turn[TurnColumn.TOP] == found.ranks.max()
    raw = memory("bees", id="a", kind=Kind.EVIDENCE, origin=Origin(turns=(7,)))
    seen = replace(QUESTION, context=Context(turn=7))
    found = told((raw, words(6.0)), (memory("bee", id="b"), words(3.0)), question=seen)
    assert found.turn[TurnColumn.NATS] == pytest.approx(3.0 / NATS)
    assert found.turn[TurnColumn.TOP] == found.ranks[1]
    assert told((raw, words(6.0)), question=seen).turn == {}
    own, other = memory("Ann keeps bees", id="own"), memory("Bees", id="other", scope="other")
    rarity = {"own": bm25.rarity(1, 1), "other": bm25.rarity(400, 1)}
    hits = {id: (Hit(Leg.TEXT, 1, 1.0, 1.0, rarest=rare),) for id, rare in rarity.items()}
    candidates = [Fused(id, found, 1.0) for id, found in hits.items()]
    memories = {own.scope: 1, other.scope: 400}
    records = {"own": own, "other": other}
    found = numbers(candidates, records, understand(QUESTION), None, memories, {}, MODEL)
    first, second = found.sheet[:, PLACES[Column.RAREST]]
    assert first == pytest.approx(telling(bm25.rarity(30, 1), 30), abs=1e-5)
    assert second == pytest.approx(telling(rarity["other"], 400), abs=1e-5)


@pytest.mark.parametrize("best_is_in_sight", [False, True])
def test_what_is_far_behind_the_best_is_told(best_is_in_sight: bool) -> None:
    # The words alone of the first tell more than all that the last one has.
    model = replace(MODEL, ranking={Column.WORDS: FAR + 1.0})
    raw = memory("bees", id="raw", kind=Kind.EVIDENCE, origin=Origin(turns=(7,)))
    found = (raw, words(6.0)), (memory("bee", id="near"), words(1.0)), (memory(id="no"), words(0.0))
    asked = replace(QUESTION, context=Context(turn=7 if best_is_in_sight else None))
    assert told(*found, question=asked, model=model).far == (
        {"no"} if not best_is_in_sight else frozenset()
    )


def test_what_was_said_at_a_time_that_is_asked_about_is_never_far() -> None:
    model = replace(MODEL, ranking={Column.WORDS: FAR + 1.0})
    asked = replace(QUESTION, text="what of bees on 3 May 2025", now=1_750_000_000.0)
    that_day = memory(id="then", created_at=1_746_273_600.0, happened_at=1_746_273_600.0)
    found = (
        (memory("bees", id="a"), words(6.0)),
        (that_day, words(0.0)),
        (memory(id="no"), words(0.0)),
    )
    assert told(*found, question=asked, model=model).far == {"no"}


def test_a_memory_without_a_vector_is_as_far_as_the_furthest_with_one() -> None:
    one, other = np.array([1.0, 0.0], np.float32), np.array([0.6, 0.8], np.float32)
    meaning = Meaning(one, one, "e", Frame(0.0))
    meaning.known.update({"a": one, "b": other})
    found = told(*((memory(id=id), words(1.0)) for id in "abc"), meaning=meaning)
    assert column(found, Column.MEANING) == [1.0, 0.6, 0.6]
    found = told((memory("bees", id="a"), words(6.0)))
    assert column(found, Column.MEANING) == [0.0]


@pytest.mark.parametrize(
    ("centred", "space", "expected"),
    [
        (True, FITTED[Footing.LOCAL].space, Footing.LOCAL),
        (True, "host@bge:m3:1024", Footing.DENSE),
        (False, "hashed:1", Footing.HASHED),
    ],
)
def test_the_embedder_decides_by_which_numbers_a_turn_is_weighed(
    centred: bool, space: str, expected: Footing
) -> None:
    vector = np.ones(1, np.float32)
    centre = Centre(vector, vector, 0.0, 1.0) if centred else None
    frame = Frame(0.0, raw=centre, learnt=centre)
    assert footing(Meaning(vector, vector, space, frame), FITTED) is expected
    assert footing(None, FITTED) is Footing.WORDS


def test_questions_are_weighed_by_the_local_models_or_own_numbers() -> None:
    local = FITTED[Footing.LOCAL]
    assert local.space == IDENTITY.fingerprint
    assert {len(scale) for scale in local.scales} == {IDENTITY.dimension + 1}
    vector = np.zeros(IDENTITY.dimension, np.float32)
    vector[0] = 1.0
    read = READ[local.space]
    for scale, told in zip(
        (read.asking, read.lasting, read.unkept, read.standing), local.scales, strict=True
    ):
        assert scale.logit(vector) == pytest.approx(told[0] + told[-1], abs=1e-6)


def test_what_the_vector_of_the_turn_says_is_a_number_of_it_where_scales_are_known() -> None:
    vector = np.array([1.0, 0.0], np.float32)
    asking = VectorScale(np.array([2.0, 0.0], np.float32), -0.5)
    for scales, said in ((Scales(asking, asking, asking, asking), 1.5), (None, 0.0)):
        meaning = Meaning(vector, vector, "e", Frame(0.0, scales=scales))
        found = told((memory(id="a"), words(1.0)), meaning=meaning)
        assert found.turn[TurnColumn.ASKS] == said


def test_a_memory_tells_by_its_vector_whether_it_lasts_and_one_without_says_neither() -> None:
    one, other = np.eye(2, dtype=np.float32)
    lasting = VectorScale(np.array([2.0, -9.0], np.float32), 0.0)
    frame = Frame(0.0, scales=Scales(lasting, lasting, lasting, lasting))
    meaning = Meaning(one, one, "e", frame, {"a": one, "b": other})
    found = told(*((memory(id=id), words(1.0)) for id in "abc"), meaning=meaning)
    assert found.sheet[:, PLACES[Column.LASTS]].tolist() == [2.0 / SURE, -1.0, 0.0]


def test_what_says_nothing_of_the_question_is_dropped_however_long_it_lasts() -> None:
    lasts = tuple(float(column is Column.LASTS) for column in Column)
    (dropped,) = without_strangers([Fused("a", (), 0.0, columns=lasts)])
    assert dropped.drop is Drop.IRRELEVANT


def test_of_somebody_named_is_on_one_side_and_of_others_then_on_the_other() -> None:
    bens = memory(id="ben", speaker=Speaker("2", "Ben"))
    anns = memory(id="ann", speaker=Speaker("1", "Ann"))
    assert of(bens, anns, asked="what does ann keep?") == {"ben": -1, "ann": 1}
    ann = memory(id="ann", speaker=Speaker("1", "Ann"))
    assert of(memory(id="ben"), ann, asked="zoe?") == {"ben": 0, "ann": 0}
    goat = memory(id="goat", entities=(Entity("rosa", "Rosa"),))
    assert of(memory(id="other"), goat, asked="is rosa a goat?") == {"other": 0, "goat": 1}


def of(*records: Memory, asked: str) -> dict[str, int]:
    return sides({record.id: record for record in records}, asked)


@pytest.mark.parametrize(
    ("name", "asked", "is_named"),
    [
        ("Ann", "where does ann live", True),
        ("Ann", "the annex is open", False),
        ("小雨", "小雨放假了吗", True),
        ("雨", "今天下雨", False),
        ("the", "the bees", False),
        ("我们", "我们走吧", False),
        ("", "bees", False),
        ("C++", "c++ or rust", True),
    ],
)
def test_a_name_is_a_whole_word_and_no_function_word(name: str, asked: str, is_named: bool) -> None:
    assert named(name, asked) is is_named


NAMES = ("rosa", "otto", "mill", "🦊", ".*", "the")


def naming(id: str, *names: str, **changes: object) -> Memory:
    return memory(id=id, entities=tuple(Entity(name, name) for name in names), **changes)


def close(*memories: Memory, to: str = "rosa") -> dict[str, float]:
    return graph_closeness({record.id: record for record in memories}, [to])


def test_what_mentions_it_by_any_name_is_closer_than_its_company() -> None:
    found = close(naming("with", "rosa", "otto"), naming("beside", "otto"), naming("apart", "mill"))
    assert found["with"] > found["beside"] > found["apart"] == 0.0
    assert close(naming("m1", "otto"), to="rosa") == {}
    assert graph_closeness({}, ["rosa"]) == {}
    records = {
        record.id: record for record in (naming("near", "rosa", "otto"), naming("far", "mill"))
    }
    found = near_named("Who sings with Rosie?", records, {"rosa": ["rosie"], "rosie": ["rosa"]})
    assert found["near"] > found["far"]
    assert near_named("Who sings?", records, {}) == {}


@pytest.mark.parametrize(
    "changes",
    [
        {"successor": Successor("old", Succession.UPDATES)},
        {"relations": (Relation("new", CAUSED_BY, "old"),)},
        {"relations": (Relation("rosa", "lives_with", "otto"),)},
    ],
    ids=["successor", "cause", "relation of entities"],
)
def test_what_a_memory_states_connects(changes: dict[str, object]) -> None:
    older = naming("old", "otto")
    assert close(naming("new", "rosa", **changes), older)["old"] > 0.0
    assert close(naming("new", "rosa"), older)["old"] == 0.0


def test_company_of_one_event_is_connected_a_hub_gives_little() -> None:
    first = naming("first", "rosa", event=Event("wedding"))
    assert close(first, naming("second", event=Event("wedding")))["second"] > 0.0
    hub = [naming(f"x{number}", "rosa") for number in range(2 * MOST_NODES)]
    found = close(naming("m1", "rosa", "otto"), naming("m2", "otto"), *hub)
    assert 0.0 < found["m2"] < found["m1"] <= 1.0
    itself = Relation("rosa", "is", "rosa")
    ring = [
        naming("m1", "rosa", relations=(itself, Relation("m1", CAUSED_BY, "m2"))),
        naming("m2", relations=(Relation("m2", CAUSED_BY, "m1"),)),
    ]
    found = close(*ring)
    assert 0.0 < found["m2"] < found["m1"] <= 1.0


@given(
    st.lists(st.lists(st.sampled_from(NAMES), max_size=4), max_size=8),
    st.lists(st.sampled_from(NAMES), max_size=3),
)
def test_closeness_is_within_0_and_1_of_the_pool(pool: list[list[str]], named: list[str]) -> None:
    records = {f"m{at}": naming(f"m{at}", *names) for at, names in enumerate(pool)}
    found = graph_closeness(records, named)
    assert found.keys() <= records.keys()
    assert all(0.0 <= each <= 1.0 for each in found.values())


NOW = datetime(2026, 8, 12, 14, 30, tzinfo=UTC)
times = st.floats(-1e11, 1e11)
lengths = st.floats(0, 1e8)
intervals = st.builds(lambda start, length: Interval(start, start + length), times, lengths)


def said_ago(text: str, days_ago: float, *, happened: float | None = None) -> Memory:
    at = (NOW - timedelta(days=days_ago)).timestamp()
    after = at if happened is None else (NOW - timedelta(days=happened)).timestamp()
    return memory(text, created_at=at, happened_at=after)


def near(question: str, record: Memory) -> float:
    return nearness(asked_about(question, NOW.timestamp(), UTC), record, UTC)


def test_what_was_said_or_is_told_of_the_time_is_nearest_unless_vague() -> None:
    assert near("上周聊了什么", said_ago("我买了帐篷", 6)) == 1.0
    assert near("What did we do last week?", said_ago("I bought a tent", 6)) == 1.0
    assert near("上周日做了什么", said_ago("昨天去爬山了", 2)) == 1.0
    assert near("上周日做了什么", said_ago("下周末去爬山", 10)) < 1.0
    assert near("去年国庆去了哪里", said_ago("在青岛看海", 20, happened=315)) == 1.0
    last, coming = said_ago("考试", 5), said_ago("考试", 1, happened=-2)
    assert near("周五有什么", last) == near("周五有什么", coming) == 1.0
    exact, vague = said_ago("2025年3月5日搬了家", 1), said_ago("去年搬了家", 1)
    assert TOUCHING < near("2025年3月我在做什么", vague) < near("2025年3月我在做什么", exact) == 1.0
    found = [near("昨天怎么样", said_ago("下雨", days)) for days in (1, 2, 4, 8, 400)]
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.001
    assert asked_about("你好呀", NOW.timestamp(), UTC) == ()
    assert near("你好呀", said_ago("昨天去爬山了", 1)) == 0.0


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("上周五我们聊了什么", "我们聊了什么"),
        ("What did I eat last night?", "What did I eat ?"),
        ("昨天", ""),
        ("你好呀", "你好呀"),
    ],
)
def test_expressions_of_time_are_taken_out_of_a_question(text: str, rest: str) -> None:
    assert without_times(text, NOW.timestamp(), UTC) == rest


@given(intervals, intervals)
def test_closeness_is_a_share(asked: Interval, told: Interval) -> None:
    assert 0.0 <= closeness(asked, told) <= 1.0


@given(intervals, times, st.floats(0, 1e9))
def test_closeness_never_rises_with_distance(asked: Interval, at: float, more: float) -> None:
    away = at + more if at >= asked.end else at - more
    if at >= asked.end or at <= asked.start:
        assert closeness(asked, Interval(away, away)) <= closeness(asked, Interval(at, at))


@given(intervals)
@example(Interval(0.0, 5e-324))
def test_a_time_is_closest_to_itself(asked: Interval) -> None:
    assert closeness(asked, asked) == pytest.approx(1.0)
