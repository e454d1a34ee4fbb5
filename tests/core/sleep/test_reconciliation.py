"""What a turn showed together is queued, compared in the background, and linked."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS, CORROBORATES, linked, trust_of
from astrbot_plugin_tidemark.core.conflict.verdict import Stance
from astrbot_plugin_tidemark.core.embedding.calibrator import Calibrator
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status
from astrbot_plugin_tidemark.core.ports import Journal, Work, WorkKind
from astrbot_plugin_tidemark.core.sleep.reconciliation import Reconciliation, claims, work_key
from astrbot_plugin_tidemark.storage import open_journal
from astrbot_plugin_tidemark.storage.ephemeral import EphemeralStore

from ...kit import FakeEmbedder
from ...samples import memory

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default").key
BERLIN = memory("Ann lives in Berlin", id="old", created_at=1.0)
MUNICH = memory("Ann lives in Munich", id="new", created_at=2.0)


class Rig:
    """A store and a journal, and memories of it compared."""

    def __init__(self, embedder: FakeEmbedder, journal: Journal) -> None:
        self.store = EphemeralStore()
        self.journal = journal
        self.calibrator = Calibrator(self.store)
        self.reconciliation = Reconciliation(self.store, journal, embedder, self.calibrator)

    async def compare(self, *pair: Memory) -> Stance | None:
        """What they are to each other; None if that was not asked."""
        await self.store.put(pair)
        found = await self.reconciliation.reconcile([each.id for each in pair])
        assert len(found) <= 1
        return next(iter(found.values()), None)

    async def memory(self, id: str) -> Memory:
        return await self.store.get(id)

    async def queued(self) -> list[Work]:
        kinds = frozenset({WorkKind.RECONCILE})
        return await self.journal.due(0.0, kinds=kinds, limit=9, skip=frozenset())


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    opened = await open_journal(tmp_path)
    yield opened
    await opened.close()


@pytest.fixture(params=["no embedder", "an unlearnt one", "one that is down"])
def rig(request: pytest.FixtureRequest, journal: Journal) -> Rig:
    embedder = FakeEmbedder(
        present=request.param != "no embedder", down=request.param == "one that is down"
    )
    return Rig(embedder, journal)


async def test_both_of_a_contradictory_pair_name_each_other_and_lose_trust(rig: Rig) -> None:
    assert await rig.compare(BERLIN, MUNICH) is Stance.CONTRADICTS
    old, new = await rig.memory("old"), await rig.memory("new")
    assert linked(old, CONTRADICTS) == {"new"}
    assert linked(new, CONTRADICTS) == {"old"}
    assert trust_of(old, 2.0) < trust_of(BERLIN, 2.0)
    assert trust_of(new, 2.0) < trust_of(MUNICH, 2.0)


async def test_nothing_that_is_remembered_changes(rig: Rig) -> None:
    await rig.compare(BERLIN, MUNICH)
    for before in (BERLIN, MUNICH):
        after = await rig.memory(before.id)
        assert (after.text, after.standing, after.successor, after.vitality) == (
            before.text,
            before.standing,
            before.successor,
            before.vitality,
        )


async def test_what_agrees_after_all_gains_trust(rig: Rig) -> None:
    again = memory("Ann lives in Berlin Mitte", id="new", created_at=2.0)
    assert await rig.compare(BERLIN, again) is Stance.CORROBORATES
    old = await rig.memory("old")
    assert linked(old, CORROBORATES) == {"new"}
    assert trust_of(old, 2.0) > trust_of(BERLIN, 2.0)


async def test_doing_it_twice_changes_nothing_more(rig: Rig) -> None:
    await rig.compare(BERLIN, MUNICH)
    once = await rig.memory("old")
    await rig.compare(BERLIN, MUNICH)
    assert await rig.memory("old") == once


async def test_what_contradicted_and_now_agrees_is_linked_anew(rig: Rig) -> None:
    other = Relation("ann", "lives in", "berlin")
    before = memory(
        "Ann lives in Berlin", id="old", relations=(other, Relation("old", CONTRADICTS, "new"))
    )
    await rig.compare(before, memory("Ann lives in Berlin Mitte", id="new"))
    after = await rig.memory("old")
    assert after.relations == (other, Relation("old", CORROBORATES, "new"))


async def test_what_has_nothing_to_do_with_each_other_is_not_linked(rig: Rig) -> None:
    assert await rig.compare(BERLIN, memory("Ann likes tea", id="new")) is Stance.UNRELATED
    assert (await rig.memory("old")).relations == ()


@pytest.mark.parametrize(
    "other",
    [
        memory("Ann lives in Munich", id="new", scope=GROUP),
        memory("Ann lives in Munich", id="new", standing=Standing(Status.BINNED)),
    ],
    ids=["another scope", "in the bin"],
)
async def test_what_is_out_of_reach_is_not_linked(rig: Rig, other: Memory) -> None:
    assert await rig.compare(BERLIN, other) is None
    assert (await rig.memory("old")).relations == (await rig.memory("new")).relations == ()


async def test_what_has_been_erased_meanwhile_is_not_missed(rig: Rig) -> None:
    await rig.store.put([BERLIN])
    assert await rig.reconciliation.reconcile(["old", "gone"]) == {}


async def test_of_many_each_pair_is_looked_at(rig: Rig) -> None:
    tea = memory("Ann likes tea", id="tea", created_at=3.0)
    await rig.store.put([BERLIN, tea, MUNICH])
    found = await rig.reconciliation.reconcile(["old", "tea", "new"])
    assert found == {
        ("new", "old"): Stance.CONTRADICTS,
        ("new", "tea"): Stance.UNRELATED,
        ("old", "tea"): Stance.UNRELATED,
    }
    assert (await rig.memory("tea")).relations == ()


async def test_a_learnt_embedder_is_asked_by_its_vectors(journal: Journal) -> None:
    embedder = FakeEmbedder()
    rig = Rig(embedder, journal)
    await rig.calibrator.learn(embedder)
    await rig.store.put([BERLIN, MUNICH])
    vectors = await embedder.embed_documents([BERLIN.text, MUNICH.text])
    fingerprint = (await embedder.identity()).fingerprint
    await rig.store.set_vectors(fingerprint, dict(zip(("old", "new"), vectors, strict=True)))
    found = await rig.reconciliation.reconcile(["new", "old"])
    assert found == {("new", "old"): Stance.CONTRADICTS}


@pytest.mark.parametrize("kind", [Kind.EVIDENCE, Kind.PROSPECTIVE, Kind.NARRATIVE])
def test_what_claims_nothing_is_not_compared(kind: Kind) -> None:
    assert claims([BERLIN, memory("Ann lives in Munich", id="new", kind=kind)]) == []


def test_claims_are_compared_within_their_scope_alone() -> None:
    group = memory("Ann lives in Munich", id="group", scope=GROUP)
    assert claims([BERLIN, group]) == []
    assert claims([BERLIN, group, MUNICH]) == [[BERLIN, MUNICH]]


async def test_what_a_turn_showed_is_queued_as_one_piece_of_work(rig: Rig) -> None:
    await rig.reconciliation.queue(7, [MUNICH, BERLIN])
    (work,) = await rig.queued()
    assert work.key == work_key(7)
    assert work.payload == {"memories": ["new", "old"]}


async def test_a_memory_alone_queues_nothing(rig: Rig) -> None:
    await rig.reconciliation.queue(7, [BERLIN])
    assert await rig.queued() == []


async def test_what_has_been_compared_or_linked_is_not_queued_again(rig: Rig) -> None:
    tea = memory("Ann likes tea", id="tea")
    await rig.store.put([BERLIN, MUNICH, tea])
    await rig.reconciliation.reconcile(["old", "tea"])
    await rig.reconciliation.queue(7, [tea, BERLIN])
    linked_ = [replace(BERLIN, relations=(Relation("old", CONTRADICTS, "new"),)), MUNICH]
    await rig.reconciliation.queue(8, linked_)
    assert await rig.queued() == []
    await rig.reconciliation.queue(9, [tea, MUNICH])
    assert [work.key for work in await rig.queued()] == [work_key(9)]
