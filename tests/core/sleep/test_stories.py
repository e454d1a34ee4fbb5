"""What is near in meaning over some time is a story, without a name in common."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.similarity.measure import Vector
from astrbot_plugin_tidemark.core.sleep.steps.threads import OPEN, PAUSE, Stories, Story

from ...samples import ANN, BEN, memory

POTTERY, SLEEP = np.eye(2, 64, dtype=np.float32)


def said(id: str, day: float, speaker: Speaker = ANN, **changes: Any) -> Memory:
    return memory(
        f"{id} of the pottery course, which goes on for some weeks",
        id=id,
        speaker=speaker,
        happened_at=day * DAY,
        origin=Origin(episode=f"e{id}"),
        **{"kind": Kind.EPISODIC, **changes},
    )


def near(vector: Vector, cosine: float, place: int) -> Vector:
    """A unit vector with this cosine to another, its rest in a direction of its own."""
    other = np.zeros(64, np.float32)
    other[2 + place] = 1.0
    return np.asarray(cosine * vector + np.sqrt(1 - cosine**2) * other, np.float32)


def told(memories: list[Memory], vectors: Mapping[str, Vector]) -> list[Story]:
    stories = Stories()
    for each in memories:
        stories.add(each)
    stories.add_near(vectors)
    return stories.chosen(lambda story: False)


def ids(story: Story) -> list[str]:
    return [each.id for each in story.fragments]


def test_what_is_near_to_the_middle_of_a_story_belongs_to_it_in_any_order() -> None:
    every = [said(f"m{n}", n) for n in range(5)]
    vectors = {f"m{n}": near(POTTERY, 0.8, n) for n in range(4)} | {"m4": SLEEP}
    [story] = told(every, vectors)
    assert ids(story) == ["m0", "m1", "m2", "m3"]
    assert story.label == "m0 of the pottery course, which goes on…"
    every = [said(f"m{n}", n) for n in range(4)]
    vectors = {f"m{n}": near(POTTERY, 0.8, n) for n in range(4)}
    assert told(every, vectors) == told(every[::-1], vectors)


def test_a_long_pause_ends_a_story_and_the_silent_give_way() -> None:
    days = [0, 1, 2, 2 + PAUSE / DAY + 1, 2 + PAUSE / DAY + 2]
    every = [said(f"m{n}", day) for n, day in enumerate(days)]
    [story] = told(every, {f"m{n}": POTTERY for n in range(5)})
    assert ids(story) == ["m0", "m1", "m2"]
    every = [said(f"m{n}", n / 100) for n in range(4)]
    assert told(every, {f"m{n}": POTTERY for n in range(4)}) == []
    assert told([said(f"m{n}", n) for n in range(4)], {}) == []
    every = [said(f"m{n}", n, (ANN, BEN)[n % 2]) for n in range(6)]
    found = told(every, {f"m{n}": POTTERY for n in range(6)})
    assert sorted(map(ids, found)) == [["m0", "m2", "m4"], ["m1", "m3", "m5"]]
    many = [said(f"x{n:04}", n / 1_000) for n in range(OPEN)]
    own = [said("m0", -1.0), said("m1", 2.0), said("m2", 3.0), said("m3", 4.0)]
    width = OPEN + 10
    axes = np.eye(width, dtype=np.float32)
    vectors = {each.id: axes[place + 1] for place, each in enumerate(many)}
    [story] = told([*many, *own], vectors | {each.id: axes[0] for each in own})
    # Forgotten while the others went on, it begins anew.
    assert ids(story) == ["m1", "m2", "m3"]


def test_of_raw_turns_a_style_or_a_word_in_common_makes_no_story() -> None:
    axes = np.eye(96, dtype=np.float32)
    every, vectors = list[Memory](), dict[str, Vector]()
    for n in range(80):
        shouted = Entity("more", "MORE") if n % 20 == 7 else Entity(f"n{n}", f"N{n}")
        every.append(said(f"m{n}", n, kind=Kind.EVIDENCE, entities=(shouted,)))
        # All are written alike; every tenth is of the course, too.
        own = 2 * axes[0] + axes[n + 2] + (2 * axes[1] if n % 10 == 0 else 0 * axes[1])
        vectors[f"m{n}"] = np.asarray(own / np.linalg.norm(own), np.float32)
    [story] = told(every, vectors)
    assert ids(story) == [f"m{n}" for n in range(0, 80, 10)]
