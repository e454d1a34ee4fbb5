"""One forgetting, three ways to carry it out: by the policy, as SQL, and as Chroma's batches."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest_asyncio
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, to_bin
from astrbot_plugin_tidemark.core.forgetting.policy import ToBin
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.memory import Memory, Status
from astrbot_plugin_tidemark.core.ports import DecayCount, Filter, MemoryStore
from astrbot_plugin_tidemark.core.settings import DecayOverride, DecaySettings
from astrbot_plugin_tidemark.storage import open_store
from hypothesis import given
from hypothesis import strategies as st

from .memories import DAY, NOW, populations

BIN = BinPolicy(keep_days=7)
wide = st.floats(-1e12, 1e12)
anything = st.builds(
    DecayOverride,
    enabled=st.just(True),
    tier0_threshold=st.one_of(st.sampled_from([0.0, 3.0]), st.floats(-5, 30), wide),
    tier1_threshold=st.one_of(st.sampled_from([3.0, 10.0]), st.floats(-5, 30), wide),
    consolidate_speed=st.one_of(st.just(2.5), st.floats(0, 20), wide),
    cycle_tier0_days=st.one_of(st.sampled_from([1.0, 3.0, 5.0]), st.floats(0, 50), wide),
    forget_speed=st.one_of(st.sampled_from([0.5, 1.0, 2.0]), st.floats(0, 10), wide),
    tier0_forget_speed=st.one_of(st.just(1.0), st.floats(0, 10), wide),
    useful_boost=st.integers(0, 100),
)
policies = st.builds(
    lambda override, patience: Tmd(DecaySettings(override=override).parameters(), True, patience),
    anything,
    st.one_of(st.sampled_from([1.0, 2.0, 30.0]), st.floats(1, 1_000)),
)
moments = st.one_of(
    st.integers(-30, 60).map(lambda days: NOW + days * DAY),
    st.floats(NOW - 30 * DAY, NOW + 60 * DAY),
)
times_pass = st.tuples(st.just("time"), moments, st.just(frozenset[int]()))
verdicts = st.tuples(
    st.sampled_from(["useful", "useless"]), moments, st.frozensets(st.integers(0, 11))
)
histories = st.lists(st.one_of(times_pass, verdicts), min_size=1, max_size=6)

type Step = tuple[str, float, frozenset[int]]


@dataclass
class ByPolicy:
    """The policy's own fates, carried out."""

    memories: list[Memory]

    def decay(self, now: float, policy: Tmd) -> DecayCount:
        live = [m for m in self.memories if m.standing.status is Status.LIVE]
        fates = Tiered(policy).each(live, now=now)
        faded = {m.id: replace(m, vitality=f.vitality) for m, f in zip(live, fates, strict=True)}
        weakened = sum(faded[m.id] != m for m in live)
        spent = [m.id for m, fate in zip(live, fates, strict=True) if isinstance(fate, ToBin)]
        for id in spent:
            faded[id] = to_bin(faded[id], now=now, reason="decayed", policy=BIN)
        self.memories = [faded.get(m.id, m) for m in self.memories]
        return DecayCount(weakened, len(spent))

    def amend(self, ids: Sequence[str], change: Callable[[Memory], Memory]) -> None:
        self.memories = [change(m) if m.id in ids else m for m in self.memories]


@pytest_asyncio.fixture
async def stores(tmp_path: Path, quick_folder: Path) -> AsyncIterator[list[MemoryStore]]:
    async with AsyncExitStack() as stack:
        opened = [await open_store("sqlite", tmp_path), await open_store("chroma", quick_folder)]
        for store in opened:
            stack.push_async_callback(store.close)
        yield opened


async def content(store: MemoryStore) -> list[Memory]:
    return [m async for m in store.iterate(Filter(status=None))]


async def refill(store: MemoryStore, population: Sequence[Memory]) -> None:
    await store.purge([m.id for m in await content(store)])
    await store.put(population)


@given(populations, policies, histories)
async def test_any_history_leaves_the_same_records_three_ways(
    stores: list[MemoryStore], population: list[Memory], policy: Tmd, history: list[Step]
) -> None:
    reference = ByPolicy(population)
    for store in stores:
        await refill(store, population)
    for turn, (kind, now, which) in enumerate(history):
        if kind == "time":
            expected = reference.decay(now, policy)
            for store in stores:
                assert await store.decay(now, policy.plan, BIN) == expected
        else:
            ids = [population[n].id for n in sorted(which) if n < len(population)]

            def judged(m: Memory, kind: str = kind, now: float = now, turn: int = turn) -> Memory:
                vitality = policy.judge(m.vitality, useful=kind == "useful", turn=turn, now=now)
                return replace(m, vitality=vitality)

            reference.amend(ids, judged)
            for store in stores:
                await store.amend(ids, judged)
        for store in stores:
            assert await content(store) == reference.memories
