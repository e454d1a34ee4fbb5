"""Memories and populations for the tests of the stores."""

from dataclasses import replace
from typing import Any

import numpy as np
from astrbot_plugin_tidemark.core.forgetting.tmd import TmdParameters
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import (
    Claim,
    Enrichment,
    Entity,
    Event,
    Intention,
    IntentionStatus,
    IntentionType,
    Media,
    MediaType,
    Relation,
)
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Community,
    Extractor,
    Facet,
    Kind,
    Memory,
    Mood,
    Origin,
    Part,
    Sentiment,
    Source,
    Standing,
    Status,
    Succession,
    Successor,
    UserFeedback,
    Vitality,
    Wording,
)
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, Vector
from hypothesis import strategies as st

DAY = 86_400.0
NOW = 1_800_000_000.0
ANNA = "private/test/anna/*"
BEN = "private/test/ben/*"


def memory(id: str, text: str = "", **changes: Any) -> Memory:
    """A live semantic memory of Anna, created at NOW."""
    plain = Memory(
        id=id,
        scope=ANNA,
        kind=Kind.SEMANTIC,
        text=text,
        summary="",
        created_at=NOW,
        happened_at=NOW,
        vitality=Vitality(strength=6),
        access=Access(NOW, NOW),
        source=Source.USER,
        extractor=Extractor.RULES,
    )
    return replace(plain, **changes)


def complete(id: str) -> Memory:
    """A memory with no field at its default."""
    return memory(
        id,
        "喝 tea",
        summary="tea",
        scope=BEN,
        kind=Kind.PROCEDURAL,
        vitality=Vitality(7, 2, 5.0, True, NOW + 1, NOW + 2, (3, 9), NOW + 11, 12.5, 4.5, True),
        access=Access(NOW, NOW + 3, 4),
        standing=Standing(Status.BINNED, NOW + 4, "decayed", NOW + 5),
        facet=Facet.WORKFLOW,
        importance=0.9,
        confidence=0.8,
        trust=0.7,
        speaker=Speaker("42", "Ben"),
        about=("42",),
        cues=("what does Ben drink",),
        tags=("drinks", "茶"),
        sentiment=Sentiment(Mood.POSITIVE, 0.4),
        feedback=UserFeedback(True, True, "green tea"),
        community=Community("c1", NOW),
        event=Event("e1", "habit"),
        entities=(Entity("t", "tea", "drink", "object"),),
        relations=(Relation("ben", "drinks", "tea"),),
        media=(Media("m", MediaType.IMAGE, "file:///tea.png", "a cup", "tea.png", "/9j/4AAQ"),),
        origin=Origin("s", "c", "e", (11, 12)),
        successor=Successor("other", Succession.UPDATES),
        claim=Claim("@42", "favourite:drink", "tea", NOW, NOW + 6, True),
        intention=Intention(
            IntentionType.IDEA,
            IntentionStatus.CLOSED,
            NOW + 7,
            NOW + 8,
            2,
            NOW + 9,
            NOW + 10,
            "r",
            True,
        ),
        parts=(Part(("a",), (11,), NOW, NOW, ("t",), ("Ben",)),),
        wording=Wording("tea", "0123456789abcdef"),
        enrichment=Enrichment("0123456789abcdef", ("01234567",)),
    )


def with_status(base: Memory, status: Status, *, since: float = NOW) -> Memory:
    """The memory in another status; a binned one may be purged 30 days later."""
    purge_at = since + 30 * DAY if status is Status.BINNED else None
    return replace(base, standing=Standing(status, since, "test", purge_at))


def vector(*direction: float) -> Vector:
    """A vector of any length."""
    return np.array(direction, dtype=np.float32)


def with_strength(strength: int, **changes: Any) -> Vitality:
    """A vitality of this strength."""
    return replace(Vitality(strength), **changes)


times = st.one_of(
    st.just(0.0),
    st.floats(NOW - 400 * DAY, NOW + 40 * DAY, allow_nan=False),
    st.integers(0, 400).map(lambda days: NOW - days * DAY),
)
vitalities = st.builds(
    Vitality,
    strength=st.integers(0, 12),
    useful_count=st.integers(0, 5),
    useful_score=st.one_of(st.sampled_from([0.0, 3.0, 10.0]), st.floats(0, 30)),
    pinned=st.booleans(),
    last_recalled_at=times,
    last_decay_at=times,
    sole=st.booleans(),
)
successors = st.one_of(
    st.none(), st.builds(Successor, st.just("newer"), st.sampled_from(Succession))
)
claims = st.one_of(
    st.none(),
    st.builds(
        Claim,
        st.sampled_from(["@", "@/mother", "ben"]),
        st.sampled_from(["residence", "pet"]),
        st.just("x"),
        times,
        st.one_of(st.none(), times),
    ),
)
intentions = st.one_of(
    st.none(),
    st.builds(
        Intention, status=st.sampled_from(IntentionStatus), due_at=st.one_of(st.none(), times)
    ),
)
populations = st.lists(
    st.builds(
        lambda vitality, created, kind, status, important, successor, claim, intention: {
            "vitality": vitality,
            "created_at": created,
            "kind": kind,
            "standing": with_status(memory("x"), status).standing,
            "feedback": UserFeedback(important=important),
            "successor": successor,
            "claim": claim,
            "intention": intention,
        },
        vitalities,
        times,
        st.sampled_from(Kind),
        st.sampled_from([Status.LIVE, Status.LIVE, Status.LIVE, *Status]),
        st.sampled_from([None, None, False, True]),
        successors,
        claims,
        intentions,
    ),
    min_size=1,
    max_size=12,
).map(lambda every: [memory(f"m{n:02}", "tea", **one) for n, one in enumerate(every)])

parameters = st.builds(
    TmdParameters,
    tier0_threshold=st.sampled_from([0.0, 3.0, 12.0]),
    tier1_threshold=st.sampled_from([3.0, 10.0]),
    cycle_tier0_days=st.floats(1, 9),
    forget_speed=st.sampled_from([0.1, 1.0, 2.0, 7.0]),
    tier0_forget_speed=st.sampled_from([0.5, 1.0]),
)


async def ids_of(store: MemoryStore, where: Filter) -> list[str]:
    """The ids that a page, an iteration and a count agree on."""
    found = sorted(m.id for m in await store.page(where))
    assert [m.id async for m in store.iterate(where)] == found
    assert await store.count(where) == len(found)
    return found
