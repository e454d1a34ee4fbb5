"""The numbers of a turn's candidates, and of the turn."""

from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.recall.columns import FAR, Numbers, footing, numbers
from astrbot_plugin_tidemark.core.recall.pipeline import understand
from astrbot_plugin_tidemark.core.recall.question import Meaning, Question
from astrbot_plugin_tidemark.core.recall.selection import Context
from astrbot_plugin_tidemark.core.recall.trace import Fused, Hit, Leg
from astrbot_plugin_tidemark.core.scoring.columns import NATS, PLACES, Column, TurnColumn, telling
from astrbot_plugin_tidemark.core.scoring.decision import Coefficients, Footing, ranks
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.similarity.calibration import Centre, Frame
from astrbot_plugin_tidemark.core.text import bm25

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


def test_bm25_counts_as_a_share_of_the_best_which_is_a_number_of_the_turn() -> None:
    found = told((memory("bees", id="a"), words(6.0, 0.9)), (memory("bee", id="b"), words(3.0)))
    assert column(found, Column.WORDS) == [1.0, 0.5]
    assert found.turn[TurnColumn.NATS] == pytest.approx(6.0 / NATS)
    found = told((memory("bees", id="a"), words(6.0, 0.9)), (memory("bee", id="b"), words(3.0)))
    assert found.ranks.tolist() == ranks(found.sheet, MODEL).tolist()
    assert found.turn[TurnColumn.TOP] == found.ranks.max()


def test_what_could_not_be_shown_says_nothing_of_the_turn() -> None:
    raw = memory("bees", id="a", kind=Kind.EVIDENCE, origin=Origin(turns=(7,)))
    seen = replace(QUESTION, context=Context(turn=7))
    found = told((raw, words(6.0)), (memory("bee", id="b"), words(3.0)), question=seen)
    assert found.turn[TurnColumn.NATS] == pytest.approx(3.0 / NATS)
    assert found.turn[TurnColumn.TOP] == found.ranks[1]
    assert told((raw, words(6.0)), question=seen).turn == {}


@pytest.mark.parametrize("best_is_in_sight", [False, True])
def test_what_is_far_behind_the_best_that_could_be_shown_is_told(best_is_in_sight: bool) -> None:
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
    assert found.turn[TurnColumn.FIVE] == pytest.approx(2.2 / 3)
    found = told((memory("bees", id="a"), words(6.0)))
    assert column(found, Column.MEANING) == [0.0]
    assert found.turn[TurnColumn.FIVE] == 0.0


def test_a_word_is_as_rare_as_in_the_scope_where_it_was_found() -> None:
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


@pytest.mark.parametrize(("centred", "expected"), [(True, Footing.DENSE), (False, Footing.HASHED)])
def test_the_embedder_decides_how_a_turn_is_weighed(centred: bool, expected: Footing) -> None:
    vector = np.ones(1, np.float32)
    centre = Centre(vector, vector, 0.0, 1.0) if centred else None
    frame = Frame(0.0, raw=centre, learnt=centre)
    assert footing(Meaning(vector, vector, "e", frame)) is expected
    assert footing(None) is Footing.WORDS
