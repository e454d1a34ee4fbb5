"""Who asks only how to do something gets procedures first, and never less than there is."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.recall.legs.ways import ENOUGH
from astrbot_plugin_tidemark.core.recall.trace import Intent, Leg, LegState

from .asked import Shelf, drops, reports, said, texts

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


async def test_enough_procedures_are_all_that_is_read(shelf: Shelf, searches: Searches) -> None:
    await shelf.keep(*procedures(ENOUGH), said(FACT, 1))
    recalled = await shelf.ask(HOW, shelf.dense)
    assert dict(recalled.trace.intents) == {Intent.PROCEDURAL: 1.0}
    assert len(recalled.memories) == ENOUGH
    assert FACT not in drops(recalled)
    assert searches == {frozenset({Kind.PROCEDURAL}): 1}


async def test_with_too_few_of_them_all_is_searched(shelf: Shelf, searches: Searches) -> None:
    await shelf.keep(*procedures(ENOUGH - 1), said(FACT, 1))
    recalled = await shelf.ask(HOW, shelf.dense)
    assert len(recalled.memories) == ENOUGH
    assert searches == {frozenset({Kind.PROCEDURAL}): 1, None: 1}


async def test_procedures_that_have_little_to_do_with_it_are_not_enough(shelf: Shelf) -> None:
    cooking = [
        said(f"To cook {dish}, take " + "salt and water and time " * 4 + "and light the oven", 1)
        for dish in ("rice", "peas", "eggs", "soup")
    ]
    await shelf.keep(*(replace(each, kind=Kind.PROCEDURAL) for each in cooking), said(FACT, 1))
    recalled = await shelf.ask(HOW)
    assert recalled.memories[0].text == FACT


@pytest.mark.parametrize(
    "text",
    [
        "Where did Ann light the smoker of the hives?",
        "Why did Ann light the smoker of the hives?",
        MIXED,
    ],
)
async def test_other_intents_search_all_once(shelf: Shelf, searches: Searches, text: str) -> None:
    await shelf.keep(*procedures(ENOUGH), said(FACT, 1))
    recalled = await shelf.ask(text, shelf.dense)
    assert searches == {None: 1}
    assert FACT in {record.text for record in recalled.memories}


async def test_every_intent_at_once_has_every_leg(shelf: Shelf) -> None:
    await shelf.keep(*procedures(2), said(FACT, 1))
    recalled = await shelf.ask(MIXED, shelf.dense)
    wanted = {Intent.CAUSAL, Intent.TEMPORAL, Intent.PROCEDURAL, Intent.FACTUAL}
    assert wanted <= set(dict(recalled.trace.intents))
    legs = {Leg.TEXT, Leg.SEMANTIC, Leg.PROSPECTIVE, Leg.TIME, Leg.CAUSAL}
    assert legs <= set(reports(recalled))


READS = {
    Leg.TEXT: "search_text",
    Leg.SEMANTIC: "search_vector",
    Leg.PROSPECTIVE: "search_vector",
    Leg.ENTITY: "known_entities",
    Leg.TIME: "page",
    Leg.CAUSAL: "ancestors",
}


@pytest.mark.parametrize("leg", list(Leg))
async def test_each_leg_may_fail(shelf: Shelf, leg: Leg, monkeypatch: pytest.MonkeyPatch) -> None:
    await shelf.keep(*procedures(2), said(FACT, 1))
    without = await shelf.ask(MIXED, shelf.dense, without=frozenset({leg}))
    read = getattr(type(shelf.store), READS[leg])

    async def broken(*args: object, **more: Any) -> object:
        if leg is Leg.PROSPECTIVE and not more.get("kinds"):
            return await read(*args, **more)
        raise StorageError("the disk is gone")

    monkeypatch.setattr(type(shelf.store), READS[leg], broken)
    failing = await shelf.ask(MIXED, shelf.dense)
    assert reports(without)[leg].state is LegState.OFF
    assert reports(failing)[leg].state is LegState.FAILED
    for recalled in (without, failing):
        assert FACT in texts(recalled)
        assert leg not in {hit.leg for c in recalled.trace.candidates for hit in c.hits}
