"""How close memories are to what a question names."""

import pytest
from astrbot_plugin_tidemark.core.graph.links import CAUSED_BY
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Event, Relation
from astrbot_plugin_tidemark.core.model.memory import Memory, Succession, Successor
from astrbot_plugin_tidemark.core.recall.graph_proximity import MOST_NODES, closeness, near_named
from hypothesis import given, settings
from hypothesis import strategies as st

from ...samples import memory

quick = settings(deadline=None)
NAMES = ("rosa", "otto", "mill", "🦊", ".*", "the")


def of(id: str, *names: str, **changes: object) -> Memory:
    return memory(id=id, entities=tuple(Entity(name, name) for name in names), **changes)


def close(*memories: Memory, to: str = "rosa") -> dict[str, float]:
    return closeness({record.id: record for record in memories}, [to])


def test_what_mentions_it_by_any_name_is_closer_than_its_company() -> None:
    found = close(of("with", "rosa", "otto"), of("beside", "otto"), of("apart", "mill"))
    assert found["with"] > found["beside"] > found["apart"] == 0.0
    assert close(of("m1", "otto"), to="rosa") == {}
    assert closeness({}, ["rosa"]) == {}
    records = {record.id: record for record in (of("near", "rosa", "otto"), of("far", "mill"))}
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
    older = of("old", "otto")
    assert close(of("new", "rosa", **changes), older)["old"] > 0.0
    assert close(of("new", "rosa"), older)["old"] == 0.0


def test_memories_of_one_event_are_connected() -> None:
    first = of("first", "rosa", event=Event("wedding"))
    assert close(first, of("second", event=Event("wedding")))["second"] > 0.0


def test_a_giant_hub_gives_little_and_a_cycle_does_no_harm() -> None:
    hub = [of(f"x{number}", "rosa") for number in range(2 * MOST_NODES)]
    found = close(of("m1", "rosa", "otto"), of("m2", "otto"), *hub)
    assert 0.0 < found["m2"] < found["m1"] <= 1.0
    itself = Relation("rosa", "is", "rosa")
    ring = [
        of("m1", "rosa", relations=(itself, Relation("m1", CAUSED_BY, "m2"))),
        of("m2", relations=(Relation("m2", CAUSED_BY, "m1"),)),
    ]
    found = close(*ring)
    assert 0.0 < found["m2"] < found["m1"] <= 1.0


@quick
@given(
    st.lists(st.lists(st.sampled_from(NAMES), max_size=4), max_size=8),
    st.lists(st.sampled_from(NAMES), max_size=3),
)
def test_closeness_is_within_0_and_1_of_the_pool(pool: list[list[str]], named: list[str]) -> None:
    records = {f"m{at}": of(f"m{at}", *names) for at, names in enumerate(pool)}
    found = closeness(records, named)
    assert found.keys() <= records.keys()
    assert all(0.0 <= each <= 1.0 for each in found.values())
