"""Who asks only how to do something gets procedures first, and never less than there is."""

from collections import Counter
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.recall.legs.leg import ENOUGH
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question
from astrbot_plugin_tidemark.core.recall.trace import Intent, Leg

from ....deciding import showing
from ....kit import FakeEmbedder
from .asked import drops, reports, said
from .conftest import Keep

HOW = "How do I light the smoker of the hives?"
MIXED = "How do I light the smoker of the hives, as last week, and why, what is it all about?"
FACT = "Ann did light the smoker of the hives"

type Searches = Counter[frozenset[Kind] | None]


@pytest.fixture
def searches(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> Searches:
    """How often words were searched for, by kinds."""
    counted: Searches = Counter()
    search = type(store).search_text

    async def counting(self: object, *args: object, kinds: frozenset[Kind] | None = None, **more):
        counted[kinds] += 1
        return await search(self, *args, kinds=kinds, **more)

    monkeypatch.setattr(type(store), "search_text", counting)
    return counted


def procedures(count: int):
    ways = ["with straw", "with burlap", "on wet days", "in a hurry"]
    return [
        said(f"To light the smoker of the hives {way}", 1, kind=Kind.PROCEDURAL)
        for way in ways[:count]
    ]


async def test_enough_procedures_are_all_that_is_looked_at(
    store: MemoryStore, embedder: FakeEmbedder, keep: Keep, question: Question, searches: Searches
) -> None:
    await keep(*procedures(ENOUGH), said(FACT, 1))
    recalled = await recall(replace(question, text=HOW), showing(store, embedder))
    assert dict(recalled.trace.intents) == {Intent.PROCEDURAL: 1.0}
    assert len(recalled.memories) == ENOUGH
    assert FACT not in drops(recalled)
    assert searches == {frozenset({Kind.PROCEDURAL}): 1}


async def test_with_too_few_of_them_everything_is_searched(
    store: MemoryStore, embedder: FakeEmbedder, keep: Keep, question: Question, searches: Searches
) -> None:
    await keep(*procedures(ENOUGH - 1), said(FACT, 1))
    recalled = await recall(replace(question, text=HOW), showing(store, embedder))
    assert len(recalled.memories) == ENOUGH
    assert searches == {frozenset({Kind.PROCEDURAL}): 1, None: 1}


async def test_procedures_that_have_little_to_do_with_it_are_not_enough(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    cooking = [
        said(f"To cook {dish}, take " + "salt and water and time " * 4 + "and light the oven", 1)
        for dish in ("rice", "peas", "eggs", "soup")
    ]
    await keep(*(replace(each, kind=Kind.PROCEDURAL) for each in cooking), said(FACT, 1))
    recalled = await recall(replace(question, text=HOW), showing(store))
    assert recalled.memories[0].text == FACT


@pytest.mark.parametrize(
    "text",
    [
        "Where did Ann light the smoker of the hives?",
        "Why did Ann light the smoker of the hives?",
        MIXED,
    ],
)
async def test_other_and_mixed_intents_search_everything_once(
    store: MemoryStore,
    embedder: FakeEmbedder,
    keep: Keep,
    question: Question,
    searches: Searches,
    text: str,
) -> None:
    await keep(*procedures(ENOUGH), said(FACT, 1))
    recalled = await recall(replace(question, text=text), showing(store, embedder))
    assert searches == {None: 1}
    assert FACT in {record.text for record in recalled.memories}


async def test_every_intent_at_once_has_every_leg(
    store: MemoryStore, embedder: FakeEmbedder, keep: Keep, question: Question
) -> None:
    await keep(*procedures(2), said(FACT, 1))
    recalled = await recall(replace(question, text=MIXED), showing(store, embedder))
    wanted = {Intent.CAUSAL, Intent.TEMPORAL, Intent.PROCEDURAL, Intent.FACTUAL}
    assert wanted <= set(dict(recalled.trace.intents))
    legs = {Leg.TEXT, Leg.SEMANTIC, Leg.PROSPECTIVE, Leg.TIME, Leg.CAUSAL}
    assert legs <= set(reports(recalled))


@pytest.mark.parametrize("left_out", list(Leg))
async def test_any_leg_can_be_left_out(
    store: MemoryStore, embedder: FakeEmbedder, keep: Keep, question: Question, left_out: Leg
) -> None:
    await keep(*procedures(2), said(FACT, 1))
    asked = replace(question, text=MIXED, without=frozenset({left_out}))
    recalled = await recall(asked, showing(store, embedder))
    assert FACT in {record.text for record in recalled.memories}
    assert left_out not in {hit.leg for c in recalled.trace.candidates for hit in c.hits}
