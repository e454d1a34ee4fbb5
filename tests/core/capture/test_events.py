"""Events: which memories tell of the same one."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.capture.events import same_event
from astrbot_plugin_tidemark.core.model.knowledge import Entity, EventType
from astrbot_plugin_tidemark.core.model.memory import Memory

from ...samples import memory

DAY = 86_400.0


def telling(text: str, days: float = 0.0, *names: str) -> Memory:
    entities = tuple(Entity(name, name) for name in names)
    return replace(memory(text), happened_at=days * DAY, entities=entities)


@pytest.mark.parametrize(
    ("one", "other", "type", "same"),
    [
        (("I bought a red bike", 0), ("The red bike I bought is fast", 2), "purchase", True),
        (("I bought a red bike", 0), ("I bought red shoes", 2), "purchase", False),
        (("I bought a red bike", 0), ("The red bike I bought is fast", 90), "purchase", False),
        (("去大阪旅行", 0, "大阪"), ("订了大阪的酒店", 5, "大阪"), "trip", True),
        (("去大阪旅行", 0, "大阪"), ("去成都旅行", 5, "成都"), "trip", False),
        (("旅行", 0), ("去旅行了", 0), "trip", False),
    ],
)
def test_the_same_is_told_of_near_in_time_and_of_the_same_things(
    one: tuple[str, float], other: tuple[str, float], type: str, same: bool
) -> None:
    assert same_event(telling(*one), telling(*other), EventType(type)) is same
