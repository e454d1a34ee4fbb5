"""Events of what is said and learnt: one id for one event, in one scope."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.capture.events import Events
from astrbot_plugin_tidemark.core.model.knowledge import Event, EventType
from astrbot_plugin_tidemark.core.model.memory import Kind

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS

BENS = replace(ANNS, subject="902")


async def events_of(rig: Rig) -> list[tuple[str, Event]]:
    every = [m for m in await rig.memories() if m.event is not None]
    return [(m.text, m.event) for m in sorted(every, key=lambda m: m.created_at) if m.event]


async def test_what_is_learnt_of_one_event_at_two_times_has_one_type(rig: Rig) -> None:
    bike = item("Ann bought a red bike yesterday", kind="episodic", event="purchase")
    cold = item("Ann caught a cold", kind="episodic", event="illness")
    await rig.say(ANNS, "I bought a red bike yesterday, and caught a cold")
    await rig.learn(learnt(bike, cold))
    await rig.say(ANNS, "The red bike I bought yesterday is fast")
    again = item("The red bike Ann bought yesterday is fast", kind="episodic", event="purchase")
    await rig.learn(learnt(again))
    await rig.say(BENS, "I bought a red bike yesterday")
    await rig.learn(
        learnt(item("Ben bought a red bike yesterday", kind="episodic", event="purchase"))
    )
    told = await events_of(rig)
    bikes = {text: event for text, event in told if "bike" in text}
    assert {event.type for event in bikes.values()} == {EventType.PURCHASE}
    assert len(bikes) == 3
    assert len({event.id for event in bikes.values()}) == 2
    (sick,) = {event for text, event in told if "cold" in text}
    assert sick.type == EventType.ILLNESS


async def test_done_again_it_is_the_same_event(rig: Rig) -> None:
    bought = Event("", EventType.PURCHASE)
    first = await rig.keep("I bought a red bike", ANNS, kind=Kind.EPISODIC, event=bought)
    events = Events(rig.store, rig.journal.id)
    once, again = await events.told(first), await events.told(first)
    assert once == again
    assert await events.told(once) == once


async def test_a_type_a_model_names_is_kept_if_it_is_known_and_fits(rig: Rig) -> None:
    await rig.say(ANNS, "The red bike I bought has arrived with its helmet, I want to sing")
    reply = learnt(
        item("Ann owns a red bike now", kind="episodic", event="purchase"),
        item("Ann wants to sing", kind="procedural", event="trip"),
        item("Ann owns a helmet", kind="episodic", event="nonsense"),
    )
    await rig.learn(reply)
    assert [text for text, _ in await events_of(rig)] == ["Ann owns a red bike now"]
