"""What contradicts each other in a recall is queued, compared again, and linked."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.conflict.verdict import Stance
from astrbot_plugin_tidemark.core.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.embedding.calibrator import Calibrator
from astrbot_plugin_tidemark.core.knowledge import Relation
from astrbot_plugin_tidemark.core.memory import Memory, Standing, Status
from astrbot_plugin_tidemark.core.ports import WorkKind
from astrbot_plugin_tidemark.core.recall.trace import Fused, Trace
from astrbot_plugin_tidemark.core.reconciliation import (
    Reconciliation,
    queue_contradictions,
    reconciliation_key,
)
from astrbot_plugin_tidemark.core.trust import CONTRADICTS, CORROBORATES, linked, trust_of
from astrbot_plugin_tidemark.storage import open_journal
from astrbot_plugin_tidemark.storage.ephemeral import EphemeralStore

from ..kit import FakeEmbedder
from ..samples import memory

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default").key
BERLIN = memory("Ann lives in Berlin", id="old", created_at=1.0)
MUNICH = memory("Ann lives in Munich", id="new", created_at=2.0)


class Desk:
    """A store, and two memories of it compared."""

    def __init__(self, embedder: FakeEmbedder) -> None:
        self.store = EphemeralStore()
        self.calibrator = Calibrator(self.store)
        self.reconciliation = Reconciliation(self.store, embedder, self.calibrator)

    async def compare(self, *pair: Memory) -> Stance:
        await self.store.put(pair)
        return await self.reconciliation.reconcile(pair[0].id, pair[1].id)

    async def memory(self, id: str) -> Memory:
        return await self.store.get(id)


@pytest.fixture(params=["no embedder", "an unlearnt one", "one that is down"])
def desk(request: pytest.FixtureRequest) -> Desk:
    return Desk(
        FakeEmbedder(
            present=request.param != "no embedder", down=request.param == "one that is down"
        )
    )


async def test_both_of_a_contradictory_pair_name_each_other_and_lose_trust(desk: Desk) -> None:
    assert await desk.compare(BERLIN, MUNICH) is Stance.CONTRADICTS
    old, new = await desk.memory("old"), await desk.memory("new")
    assert linked(old, CONTRADICTS) == {"new"}
    assert linked(new, CONTRADICTS) == {"old"}
    assert trust_of(old, 2.0) < trust_of(BERLIN, 2.0)
    assert trust_of(new, 2.0) < trust_of(MUNICH, 2.0)


async def test_nothing_that_is_remembered_changes(desk: Desk) -> None:
    await desk.compare(BERLIN, MUNICH)
    for before in (BERLIN, MUNICH):
        after = await desk.memory(before.id)
        assert (after.text, after.standing, after.successor, after.vitality) == (
            before.text,
            before.standing,
            before.successor,
            before.vitality,
        )


async def test_what_agrees_after_all_gains_trust(desk: Desk) -> None:
    again = memory("Ann lives in Berlin Mitte", id="new", created_at=2.0)
    assert await desk.compare(BERLIN, again) is Stance.CORROBORATES
    old = await desk.memory("old")
    assert linked(old, CORROBORATES) == {"new"}
    assert trust_of(old, 2.0) > trust_of(BERLIN, 2.0)


async def test_doing_it_twice_changes_nothing_more(desk: Desk) -> None:
    await desk.compare(BERLIN, MUNICH)
    once = await desk.memory("old")
    await desk.compare(BERLIN, MUNICH)
    assert await desk.memory("old") == once


async def test_what_contradicted_and_now_agrees_is_linked_anew(desk: Desk) -> None:
    other = Relation("ann", "lives in", "berlin")
    before = memory(
        "Ann lives in Berlin", id="old", relations=(other, Relation("old", CONTRADICTS, "new"))
    )
    await desk.compare(before, memory("Ann lives in Berlin Mitte", id="new"))
    after = await desk.memory("old")
    assert after.relations == (other, Relation("old", CORROBORATES, "new"))


async def test_what_has_nothing_to_do_with_each_other_is_not_linked(desk: Desk) -> None:
    assert await desk.compare(BERLIN, memory("Ann likes tea", id="new")) is Stance.UNRELATED
    assert (await desk.memory("old")).relations == ()


@pytest.mark.parametrize(
    "other",
    [
        memory("Ann lives in Munich", id="new", scope=GROUP),
        memory("Ann lives in Munich", id="new", standing=Standing(Status.BINNED)),
    ],
    ids=["another scope", "in the bin"],
)
async def test_what_is_out_of_reach_is_not_linked(desk: Desk, other: Memory) -> None:
    assert await desk.compare(BERLIN, other) is Stance.UNRELATED
    assert (await desk.memory("old")).relations == (await desk.memory("new")).relations == ()


async def test_what_has_been_erased_meanwhile_is_not_missed(desk: Desk) -> None:
    await desk.store.put([BERLIN])
    assert await desk.reconciliation.reconcile("old", "gone") is Stance.UNRELATED


async def test_a_learnt_embedder_is_asked_by_its_vectors() -> None:
    embedder = FakeEmbedder()
    desk = Desk(embedder)
    await desk.calibrator.learn(embedder)
    await desk.store.put([BERLIN, MUNICH])
    vectors = await embedder.embed_documents([BERLIN.text, MUNICH.text])
    fingerprint = (await embedder.identity()).fingerprint
    await desk.store.set_vectors(fingerprint, dict(zip(("old", "new"), vectors, strict=True)))
    assert await desk.reconciliation.reconcile("new", "old") is Stance.CONTRADICTS


async def test_a_pair_is_queued_once_for_ever_whichever_comes_first(tmp_path: Path) -> None:
    journal = await open_journal(tmp_path)
    try:
        for first, second in (("old", "new"), ("new", "old")):
            found = (Fused(first, (), 0.5), Fused(second, (), 0.4, behind=first))
            await queue_contradictions(Trace("q", (), (), found), journal)
        (work,) = await journal.due(
            0.0, kinds=frozenset({WorkKind.RECONCILE}), limit=9, skip=frozenset()
        )
        assert work.key == reconciliation_key("old", "new")
        assert work.payload == {"memories": ["new", "old"]}
    finally:
        await journal.close()
