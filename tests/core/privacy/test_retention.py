"""Keeping no longer than wanted: memories to the bin, text of recorded turns emptied."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, RETENTION
from astrbot_plugin_tidemark.core.model.conversation import Role, Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.memory import (
    Memory,
    Standing,
    Status,
    UserFeedback,
    Vitality,
)
from astrbot_plugin_tidemark.core.model.sleeping import SleepCause
from astrbot_plugin_tidemark.core.ports import WorkKind
from astrbot_plugin_tidemark.core.privacy.retention import Expired
from astrbot_plugin_tidemark.core.settings import CaptureSettings, Settings
from astrbot_plugin_tidemark.storage import open_journal, open_store

from ...kit import Fragile, Fuse, Interruption
from ...rig import Rig, open_rig
from ...strength import strength

ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
POET = replace(ANN, persona="poet")
BEN = Scope(ScopeKind.PRIVATE, "qq", "902", "default")
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
STRONG = Vitality(strength=1_000_000)
"""Does not fade of itself in these tests."""


@pytest.fixture
async def rig(tmp_path: Path) -> Any:
    rig = await open_rig(tmp_path, Settings(capture=CaptureSettings(keep_turns_days=0.0)))
    yield rig
    await rig.engine.close()


async def keeps(rig: Rig, owner: Scope, days: float) -> None:
    await rig.engine.consents.change(owner, lambda consent: replace(consent, keep_days=days))


async def aged(rig: Rig, text: str, scope: Scope, days: float, **changes: Any) -> Memory:
    """A memory that was created so many days ago."""
    at = rig.clock.at - days * DAY
    return await rig.keep(text, scope, id=text, created_at=at, **{"vitality": STRONG, **changes})


async def binned(rig: Rig) -> set[str]:
    """What the sweep leaves in the bin."""
    await slept(rig)
    return {m.id for m in await rig.memories() if m.standing.status is Status.BINNED}


async def slept(rig: Rig) -> None:
    """Let every scope sleep as at the interval."""
    await rig.engine.rhythm.begin_all(SleepCause.INTERVAL, rig.clock.at)
    await worked(rig)


async def worked(rig: Rig) -> None:
    """Do the sleeps that are due, as the worker would."""
    kinds = frozenset({WorkKind.SLEEP})
    for work in await rig.journal.due(rig.clock.at, kinds=kinds, limit=99, skip=frozenset()):
        await rig.engine.pipeline.work(work)
        await rig.journal.finish(work.id)


async def test_what_is_older_than_its_person_wants_goes_once_chosen(rig: Rig) -> None:
    await aged(rig, "old", ANN, 3_000)
    assert await rig.expire() == Expired()
    assert await binned(rig) == set()
    await aged(rig, "old", ANN, 31)
    await aged(rig, "young", ANN, 29)
    await aged(rig, "other persona", POET, 31)
    await aged(rig, "somebody else's", BEN, 31)
    await aged(rig, "said in a group", GROUP, 31)
    await keeps(rig, ANN, 30)
    assert await binned(rig) == {"old", "other persona"}


async def test_a_group_s_choice_is_about_the_group(rig: Rig) -> None:
    await aged(rig, "old", ANN, 31)
    await aged(rig, "said in a group", GROUP, 31)
    await keeps(rig, GROUP, 30)
    assert await binned(rig) == {"said in a group"}


async def test_every_account_of_a_person_is_meant(rig: Rig) -> None:
    there = Scope(ScopeKind.PRIVATE, "tg", "ann", "default")
    await aged(rig, "there", there, 31)
    await rig.journal.set_alias("qq", "901", "ann")
    await rig.journal.set_alias("tg", "ann", "ann")
    await keeps(rig, ANN, 30)
    assert await binned(rig) == {"there"}


async def test_what_is_exempt_stays_what_is_restored_counts_anew(rig: Rig) -> None:
    await aged(rig, "pinned", ANN, 99, vitality=replace(STRONG, pinned=True))
    await aged(rig, "important", ANN, 99, feedback=UserFeedback(important=True))
    await keeps(rig, ANN, 30)
    assert await rig.engine.retention.due(ANN, 30, rig.clock.at) == 0
    assert await binned(rig) == set()
    restored = Standing(Status.LIVE, rig.clock.at - 5 * DAY, "by_hand")
    await aged(rig, "wanted back", ANN, 99, standing=restored)
    await keeps(rig, ANN, 30)
    assert await binned(rig) == set()
    rig.clock.at += 26 * DAY
    assert await binned(rig) == {"wanted back"}


async def test_what_a_policy_has_archived_is_not_kept_longer(rig: Rig) -> None:
    lately = Standing(Status.ARCHIVED, rig.clock.at - 5 * DAY, "decayed")
    await aged(rig, "archived", ANN, 99, standing=lately)
    await aged(rig, "archived young", ANN, 9, standing=lately)
    await keeps(rig, ANN, 30)
    assert await rig.engine.retention.due(ANN, 30, rig.clock.at) == 1
    assert await binned(rig) == {"archived"}
    (entry,) = await rig.journal.audit_of("archived")
    assert entry.action == "binned"


async def test_the_reason_is_told_and_the_move_is_audited_once(rig: Rig) -> None:
    await aged(rig, "old", ANN, 31)
    await keeps(rig, ANN, 30)
    for _ in range(2):
        await slept(rig)
    assert (await rig.store.get("old")).standing.reason == RETENTION
    (entry,) = await rig.journal.audit_of("old")
    assert (entry.action, entry.by) == ("binned", RETENTION)
    assert json.loads(entry.detail)["reason"] == RETENTION


async def test_how_many_are_due_goes_and_their_turns_lose_their_text(rig: Rig) -> None:
    for days in (5, 31, 32):
        await aged(rig, f"{days} days", ANN, days)
    assert await rig.engine.retention.due(POET, 30, rig.clock.at) == 2
    await keeps(rig, POET, 30)
    assert (await rig.expire()).binned == 2
    assert await rig.engine.retention.due(POET, 30, rig.clock.at) == 0
    mine = await chatted(rig, ANN, "I keep bees behind the chapel")
    theirs = await chatted(rig, BEN, "I keep goats behind the chapel")
    await keeps(rig, ANN, 30)
    rig.clock.at += 31 * DAY
    assert (await rig.expire()).emptied == 2
    assert await text_of(rig, mine) == ""
    assert await text_of(rig, theirs) == "I keep goats behind the chapel"


async def chatted(rig: Rig, scope: Scope, text: str) -> int:
    """A closed episode of one exchange, indexed and learnt from; the first turn's seq."""
    seq = await rig.say(scope, text)
    await rig.say(scope, "I see", Role.ASSISTANT)
    await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)
    kinds = frozenset(WorkKind)
    for work in await rig.journal.due(rig.clock.at, kinds=kinds, limit=99, skip=frozenset()):
        await rig.engine.jobs.table()[work.kind](work)
        await rig.journal.finish(work.id)
    return seq


async def text_of(rig: Rig, seq: int) -> str:
    turn = await rig.journal.turn(seq)
    return turn.text


async def test_turns_that_left_no_memory_are_gone_with_their_text(rig: Rig) -> None:
    seq = await chatted(rig, ANN, "and so on")
    assert await rig.memories() == []
    await keeps(rig, ANN, 30)
    rig.clock.at += 31 * DAY
    await rig.expire()
    assert await rig.journal.turn(seq) is None


async def test_a_setting_empties_the_text_of_everybody_s_old_turns(tmp_path: Path) -> None:
    rig = await open_rig(tmp_path, Settings(capture=CaptureSettings(keep_turns_days=365.0)))
    seq = await chatted(rig, ANN, "I keep bees behind the chapel")
    rig.clock.at += 364 * DAY
    assert await rig.expire() == Expired()
    rig.clock.at += 2 * DAY
    assert await rig.expire() == Expired(binned=0, emptied=2)
    assert await text_of(rig, seq) == ""
    assert "bees" in (await rig.memories())[0].text
    await rig.engine.close()


async def swept(folder: Path, fuse: Fuse, *, step: int = 0) -> int:
    """A sweep that is interrupted at the step, and redone; how many steps it took."""
    store: Any = Fragile(await open_store("sqlite", folder), fuse)
    journal: Any = Fragile(await open_journal(folder), fuse)
    rig = await open_rig(folder, Settings(), store=store, journal=journal)
    await aged(rig, "old", ANN, 31)
    await keeps(rig, ANN, 30)
    await rig.engine.rhythm.begin_all(SleepCause.INTERVAL, rig.clock.at)
    began = fuse.calls
    fuse.blow_at = fuse.calls + step if step else 0
    if step:
        with pytest.raises(Interruption):
            await worked(rig)
    await worked(rig)
    steps = fuse.calls - began
    assert (await rig.store.get("old")).standing.reason == RETENTION
    assert [entry.by for entry in await rig.journal.audit_of("old")] == [RETENTION]
    await rig.engine.close()
    return steps


@pytest.mark.parametrize("after", [False, True], ids=["before the step", "after the step"])
async def test_a_sweep_interrupted_at_any_step_and_redone_leaves_the_same(
    tmp_path_factory: pytest.TempPathFactory, after: bool
) -> None:
    steps = await swept(tmp_path_factory.mktemp("clean"), Fuse())
    assert steps > 8
    # Before one step is after the one that went before it.
    for step in range(1, steps + 1, strength(2, 1)):
        await swept(tmp_path_factory.mktemp(f"step{step}-"), Fuse(after=after), step=step)
