"""A contradiction among what is recalled: found in the background, told from the next recall on."""

from typing import Any, NoReturn

import pytest
from astrbot_plugin_tidemark.core.conflict import verdict
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS, linked
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import Erasure, WorkKind
from astrbot_plugin_tidemark.core.recall.trace import Recalled
from astrbot_plugin_tidemark.core.sleep import reconciliation

from ...rig import Rig

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
QUESTION = "In which city does Ann live, Berlin or Munich?"


async def moved(rig: Rig, other: Scope = ANN, kind: Kind = Kind.SEMANTIC) -> None:
    await rig.keep("Ann lives in Berlin", ANN, id="old", kind=kind)
    rig.clock.at += 86_400.0
    await rig.keep("Ann lives in Munich", other, id="new", kind=kind)


async def queued(rig: Rig) -> list[str]:
    kinds = frozenset({WorkKind.RECONCILE})
    due = await rig.journal.due(rig.clock.at, kinds=kinds, limit=9, skip=frozenset())
    return [work.key for work in due]


async def turned(rig: Rig) -> Recalled:
    return await rig.ask(ANN, QUESTION, turn=await rig.say(ANN, QUESTION))


async def test_a_recall_compares_no_texts(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(*_: object) -> NoReturn:
        raise AssertionError("compared in the turn")

    await rig.engine.stop()
    await moved(rig)
    for module in (verdict, reconciliation):
        monkeypatch.setattr(module, "judged", compared)
    monkeypatch.setattr(reconciliation, "compared", compared)
    recalled = await turned(rig)
    assert len(recalled.memories) == 2
    assert all(each.behind == "" for each in recalled.trace.candidates)


async def test_once_linked_the_newer_is_shown_first_and_the_trace_says_why(rig: Rig) -> None:
    await moved(rig)
    await turned(rig)
    await rig.settle()
    recalled = await rig.ask(ANN, QUESTION)
    assert [memory.id for memory in recalled.memories][:2] == ["new", "old"]
    behind = {each.memory: each.behind for each in recalled.trace.candidates}
    assert (behind["new"], behind["old"]) == ("", "new")


async def test_what_has_been_compared_is_not_compared_in_every_turn(rig: Rig) -> None:
    await moved(rig)
    await rig.keep("Ann likes tea in Munich and in Berlin", ANN, id="tea")
    await turned(rig)
    await rig.settle()
    await rig.engine.stop()
    await turned(rig)
    assert await queued(rig) == []


async def test_the_pair_is_linked_in_the_background(rig: Rig) -> None:
    await moved(rig)
    await turned(rig)
    await rig.settle()
    assert linked(await rig.store.get("old"), CONTRADICTS) == {"new"}
    assert linked(await rig.store.get("new"), CONTRADICTS) == {"old"}


async def test_what_was_said_raw_is_left_alone(rig: Rig) -> None:
    await moved(rig, kind=Kind.EVIDENCE)
    recalled = await turned(rig)
    await rig.settle()
    assert len(recalled.memories) == 2
    assert linked(await rig.store.get("old"), CONTRADICTS) == frozenset()


async def test_a_search_by_hand_queues_nothing(rig: Rig) -> None:
    await moved(rig)
    await rig.engine.search(frozenset({ANN.key}), QUESTION, limit=5)
    assert await queued(rig) == []


async def test_a_memory_shared_into_a_group_is_not_compared_with_the_group_s(rig: Rig) -> None:
    await moved(rig, other=GROUP)
    both = frozenset({ANN.key, GROUP.key})
    recalled = await rig.engine.search(both, QUESTION, limit=5)
    assert len(recalled.memories) == 2
    await rig.engine.reconciliation.queue(1, recalled.memories)
    assert await queued(rig) == []


async def test_the_journal_forgets_a_comparison_with_the_memory(rig: Rig) -> None:
    await rig.engine.stop()
    await moved(rig)
    await turned(rig)
    assert len(await queued(rig)) == 1
    await rig.journal.erase(Erasure(memories=frozenset({"old"})))
    assert await queued(rig) == []


async def test_the_journal_forgets_what_earlier_versions_have_compared(rig: Rig) -> None:
    pair: dict[str, Any] = {"memories": ["new", "old"]}
    key = "reconcile:new:old"
    for _ in range(2):
        assert await rig.journal.enqueue(WorkKind.RECONCILE, key, pair)
        await rig.settle()
        assert not await rig.journal.enqueue(WorkKind.RECONCILE, key, pair)
        await rig.journal.erase(Erasure(memories=frozenset({"old"})))
