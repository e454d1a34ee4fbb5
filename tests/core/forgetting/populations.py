"""Random memories and policies for the properties that hold for all of them."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.forgetting.activation import Actr, BaseLevel, ReflectionSummary
from astrbot_plugin_tidemark.core.forgetting.caches import Lru, RandomDrop
from astrbot_plugin_tidemark.core.forgetting.curves import (
    DecayScore,
    Differential,
    Ebbinghaus,
    Hybrid,
    Priority,
)
from astrbot_plugin_tidemark.core.forgetting.fsrs import FsrsParameters
from astrbot_plugin_tidemark.core.forgetting.policy import ForgettingPolicy
from astrbot_plugin_tidemark.core.forgetting.retention_value import Curve, CurvePolicy
from astrbot_plugin_tidemark.core.forgetting.tiered import Paces, Tiered, TmdExtensions
from astrbot_plugin_tidemark.core.forgetting.tmd import DAY, Tmd, TmdParameters
from astrbot_plugin_tidemark.core.model.memory import (
    Access,
    Facet,
    Kind,
    Memory,
    Standing,
    Status,
    UserFeedback,
    Vitality,
)
from hypothesis import strategies as st

from ...samples import memory

NOW = 1_750_000_000.0

days = st.one_of(st.integers(0, 800).map(float), st.floats(0, 4_000))
shares = st.floats(0, 1)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """A memory whose past makes sense: nothing happened to it before it was created."""
    created = NOW - draw(days) * DAY

    def since(moment: float) -> float:
        return moment + draw(shares) * (NOW - moment)

    recalls = draw(st.integers(0, 60))
    useful = draw(st.integers(0, recalls))
    recalled_at = since(created) if recalls else created
    used_at = created + draw(shares) * (recalled_at - created) if useful else 0.0
    reviewed = useful > 0 and draw(st.booleans())
    vitality = Vitality(
        strength=draw(st.integers(0, 30)),
        useful_count=useful,
        useful_score=draw(st.one_of(st.floats(0, 12), st.sampled_from([0.0, 3.0, 10.0]))),
        pinned=draw(st.integers(0, 9)) == 0,
        last_recalled_at=used_at,
        last_decay_at=draw(st.sampled_from([0.0, since(created)])),
        settled_at=draw(st.sampled_from([0.0, 0.0, since(created)])),
        stability=draw(st.floats(0.001, 3_000)) if reviewed else 0.0,
        difficulty=draw(st.floats(1, 10)) if reviewed else 0.0,
    )
    return memory(
        id=str(draw(st.uuids())),
        created_at=created,
        kind=draw(st.sampled_from(Kind)),
        facet=draw(st.none() | st.sampled_from(Facet)),
        importance=draw(shares),
        trust=draw(shares),
        access=Access(created, recalled_at, recalls + 1),
        feedback=UserFeedback(important=draw(st.sampled_from([None, None, None, True, False]))),
        vitality=vitality,
    )


def archived(kept: Memory) -> Memory:
    return replace(kept, standing=Standing(Status.ARCHIVED, NOW, "policy decay_score"))


def differentials[C: Differential](kind: type[C]) -> st.SearchStrategy[C]:
    return st.builds(
        kind,
        instruction=st.floats(0.0001, 10),
        preference=st.floats(0.0001, 10),
        workflow=st.floats(0.0001, 10),
        episodic=st.floats(0.0001, 10),
        bin_below=st.floats(0.0001, 0.99),
    )


paces = st.builds(Paces, *[st.floats(0.1, 200)] * 5)
beyonds = st.builds(
    TmdExtensions,
    demote_after_days=st.sampled_from([0.0, 1.0, 30.0, 365.5]),
    target_population=st.sampled_from([0, 1, 50]),
    paces=st.none() | paces,
)


def activations(policy: type[Actr]) -> st.SearchStrategy[Actr]:
    return st.builds(
        policy,
        exponent=st.floats(0.1, 0.9),
        noise=st.sampled_from([0.0, 0.25, 2.0]),
        bin_below=st.floats(-6, 2),
    )


curves: dict[str, st.SearchStrategy[Curve]] = {
    "ebbinghaus": st.builds(
        Ebbinghaus,
        decay_rate=st.floats(0.0001, 1),
        beta_short=st.floats(1, 2),
        beta_long=st.floats(0.1, 1),
        promote_at=st.floats(0.5, 2),
        demote_at=st.floats(0.01, 0.5),
        bin_below=st.floats(0.0001, 0.99),
        least_days=st.floats(0, 365),
    ),
    "actr": activations(Actr),
    "actr_base_level": activations(BaseLevel),
    "differential": differentials(Differential),
    "decay_score": st.builds(
        DecayScore,
        archive_above=st.floats(0.1, 400),
        bin_above=st.floats(400, 10_000),
        semantic_factor=st.floats(0.01, 1),
    ),
    "priority": differentials(Priority),
    "reflection_summary": st.builds(ReflectionSummary, bin_below=st.floats(-6, 2)),
    "lru": st.builds(Lru, st.integers(1, 20)),
    "random_drop": st.builds(RandomDrop, st.floats(0.0001, 0.9), st.integers(0, 999)),
    "hybrid": differentials(Hybrid),
}
bookkeeping = st.builds(
    TmdParameters,
    consolidate_speed=st.floats(0.01, 20),
    cycle_tier0_days=st.floats(1, 60),
    forget_speed=st.floats(0.1, 10),
    tier1_threshold=st.sampled_from([3.0, 10.0]),
).map(Tmd)


def policies(name: str) -> st.SearchStrategy[ForgettingPolicy]:
    """That policy with any parameters in range."""
    match name:
        case "tmd" | "tmd+":
            return st.builds(Tiered, bookkeeping, beyonds, st.just(name))
        case "fsrs":
            floors = st.floats(0.1, 0.95)
            return st.builds(
                lambda floor, tmd: FsrsParameters(floor).policy(tmd, 0), floors, bookkeeping
            )
        case _:
            return st.builds(CurvePolicy, curves[name], bookkeeping)
