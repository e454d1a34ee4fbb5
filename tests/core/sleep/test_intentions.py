"""What sleep makes of intentions, once each, and that each can be undone."""

from dataclasses import replace
from uuid import NAMESPACE_URL, uuid5

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.knowledge import (
    Intention,
    IntentionStatus,
    IntentionType,
    Relation,
)
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Status,
    Succession,
    Successor,
    Vitality,
)
from astrbot_plugin_tidemark.core.model.sleeping import Decided, Deed, Undone
from astrbot_plugin_tidemark.core.ports import AuditEntry

from ...kit import learnt
from ...rig import Rig
from ...samples import ANNS


async def intend(rig: Rig, text: str, intention: Intention, **more: object) -> Memory:
    id = str(uuid5(NAMESPACE_URL, text))
    changes = {"id": id, "kind": Kind.PROSPECTIVE, "intention": intention, **more}
    return await rig.keep(text, ANNS, **changes)


async def slept(rig: Rig) -> list[Decided]:
    before = {sleep.id for sleep in await rig.journal.reports([ANNS.key])}
    rig.model.answers = [learnt()]
    await rig.sleep(patience=20.0)
    after = await rig.journal.reports([ANNS.key])
    new = [sleep.id for sleep in after if sleep.id not in before]
    return [each for id in new for each in await rig.journal.decisions(id)]


def deeds(decided: list[Decided]) -> list[Deed]:
    return sorted(each.decision.deed for each in decided)


async def test_a_plan_not_heard_of_is_archived_and_one_gone_stays_gone(rig: Rig) -> None:
    plan = await intend(rig, "Ann plans to learn Greek", Intention())
    rig.clock.at += 89 * DAY
    assert await slept(rig) == []
    rig.clock.at += DAY
    [decided] = await slept(rig)
    assert decided.decision.deed is Deed.INTENTION_STALE
    left = await rig.store.get(plan.id)
    assert (left.standing.status, left.standing.reason) == (Status.ARCHIVED, "stale")
    assert left.intention.status is IntentionStatus.STALE
    assert await slept(rig) == []
    assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    back = await rig.store.get(plan.id)
    assert back.recallable
    assert back.intention.pending
    assert await slept(rig) == []
    rig.clock.at += 100 * DAY
    [decided] = await slept(rig)
    await rig.store.purge([plan.id])
    assert await rig.engine.pipeline.undo(decided.id) is Undone.GONE


@pytest.mark.parametrize(
    "kept",
    [
        {"intention": Intention(referenced_at=1_750_000_000.0 + 50 * DAY)},
        {"intention": Intention(due_at=1_750_000_000.0 + 50 * DAY)},
        {"vitality": Vitality(6, pinned=True)},
    ],
    ids=["referenced", "due", "pinned"],
)
async def test_a_plan_heard_of_or_kept_for_good_stays(rig: Rig, kept: dict[str, object]) -> None:
    await intend(rig, "Ann plans to learn Greek", Intention())
    await rig.store.amend(
        [str(uuid5(NAMESPACE_URL, "Ann plans to learn Greek"))], lambda m: replace(m, **kept)
    )
    rig.clock.at += 100 * DAY
    assert await slept(rig) == []


async def test_what_has_been_over_for_long_is_archived_as_it_is(rig: Rig) -> None:
    over = Intention(status=IntentionStatus.CLOSED, closed_at=rig.clock.at + DAY)
    plan = await intend(rig, "Ann plans to learn Greek", over)
    rig.clock.at += 92 * DAY
    [decided] = await slept(rig)
    assert decided.decision.deed is Deed.ARCHIVED
    left = await rig.store.get(plan.id)
    assert (left.standing.reason, left.intention) == ("over", over)
    await rig.engine.pipeline.undo(decided.id)
    assert (await rig.store.get(plan.id)).recallable
    assert await slept(rig) == []


async def test_an_idea_confirmed_three_times_becomes_a_fact(rig: Rig) -> None:
    twice = Intention(IntentionType.IDEA, IntentionStatus.REFERENCED, confirmed=2)
    idea = await intend(rig, "bandits beat heuristics", twice)
    assert await slept(rig) == []
    await rig.store.amend([idea.id], lambda m: replace(m, intention=replace(twice, confirmed=3)))
    [decided] = await slept(rig)
    old, fresh = await rig.store.find(decided.decision.memories)
    assert (fresh.kind, fresh.text, fresh.intention) == (Kind.SEMANTIC, idea.text, None)
    assert Relation(fresh.id, "supersedes", idea.id) in fresh.relations
    assert old.successor == Successor(fresh.id, Succession.SUPERSEDES)
    assert await slept(rig) == []
    assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    assert (await rig.store.get(idea.id)).recallable
    assert not (await rig.store.get(fresh.id)).recallable
    assert await slept(rig) == []


async def test_a_cut_step_makes_nothing_twice(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = Intention(IntentionType.IDEA, confirmed=3)
    for number in range(5):
        await intend(rig, f"idea number {number}", ready)
    put, failed = rig.store.put, []

    async def breaking(memories: list[Memory]) -> frozenset[str]:
        if not failed and memories and memories[0].text == "idea number 3":
            failed.append(True)
            raise RuntimeError("cut short")
        return await put(memories)

    monkeypatch.setattr(rig.store, "put", breaking)
    assert await slept(rig) == []
    assert failed
    rig.clock.at += 3_600
    rig.engine.wake()
    await rig.settle()
    [sleep] = await rig.journal.reports([ANNS.key])
    assert deeds(await rig.journal.decisions(sleep.id)) == [Deed.GRADUATED] * 5
    facts = await rig.memories(Kind.SEMANTIC)
    assert len(facts) == 5


async def test_what_was_put_away_or_made_before_a_kill_is_noted_after_it(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = await intend(rig, "Ann plans to learn Greek", Intention())
    rig.clock.at += 100 * DAY
    await intend(rig, "Ann could sail", Intention(IntentionType.IDEA, confirmed=3))
    audit, cut = rig.journal.audit, []

    async def breaking(entries: list[AuditEntry]) -> None:
        actions = {entry.action for entry in entries if entry.by == "sleep"} - {*cut}
        if actions:
            cut.extend(actions)
            raise RuntimeError("cut short")
        await audit(entries)

    monkeypatch.setattr(rig.journal, "audit", breaking)
    await slept(rig)
    for _ in range(2):
        rig.clock.at += 3_600
        rig.engine.wake()
        await rig.settle()
    [fact] = await rig.memories(Kind.SEMANTIC)
    assert sorted(cut) == ["archived", "created"]
    assert [entry.action for entry in await rig.journal.audit_of(plan.id)] == ["archived"]
    assert [entry.action for entry in await rig.journal.audit_of(fact.id)] == ["created"]
