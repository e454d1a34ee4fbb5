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


async def test_raw_turns_and_what_is_learnt_of_them_have_one_event_and_others_their_own(
    rig: Rig,
) -> None:
    await rig.say(ANNS, "I bought a red bike yesterday")
    await rig.say(ANNS, "I caught a cold")
    await rig.say(BENS, "I bought a red bike yesterday")
    await rig.learn(learnt())
    told = await events_of(rig)
    bikes = [event for text, event in told if "bike" in text]
    assert {event.type for event in bikes} == {EventType.PURCHASE}
    (cold,) = {event for text, event in told if "cold" in text}
    assert cold.type == EventType.ILLNESS
    scopes = {m.event.id: m.scope for m in await rig.memories() if m.event is not None}
    assert len({event.id for event in bikes}) == 2
    assert {scopes[event.id] for event in bikes} == {ANNS.key, BENS.key}


async def test_done_again_it_is_the_same_event(rig: Rig) -> None:
    first = await rig.keep("I bought a red bike", ANNS, kind=Kind.EPISODIC)
    events = Events(rig.store, rig.journal.id)
    once, again = await events.told(first), await events.told(first)
    assert once == again
    assert await events.told(once) == once


async def test_what_a_model_names_is_kept_and_joined_to_what_was_said(rig: Rig) -> None:
    said = "The red bike I bought has arrived with its helmet, I want to sing"
    await rig.say(ANNS, said)
    reply = learnt(
        item("Ann owns a red bike now", kind="episodic", event="purchase"),
        item("Ann wants to sing", kind="procedural", event="trip"),
        item("Ann owns a helmet", kind="episodic", event="nonsense"),
    )
    await rig.learn(reply)
    told = dict(await events_of(rig))
    assert "Ann wants to sing" not in told
    assert "Ann owns a helmet" not in told
    assert told["Ann owns a red bike now"] == told[said]
