"""Rows of old conversations: those that forgetting a person has to find stay, the others go."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import (
    EpisodeEnd,
    NewTurn,
    Role,
    Scope,
    ScopeKind,
    Speaker,
    reply_id,
)
from astrbot_plugin_tidemark.core.model.memory import Memory, Origin
from astrbot_plugin_tidemark.core.ports import AuditEntry, Unreadable, WorkKind
from astrbot_plugin_tidemark.core.privacy.retention import ReferencedTurns
from astrbot_plugin_tidemark.core.records.evidence import evidence_id
from astrbot_plugin_tidemark.core.settings import CaptureSettings, Settings
from astrbot_plugin_tidemark.storage import open_journal, open_store

from ...kit import Fragile, Fuse, Interruption, place
from ...rig import Rig, open_rig
from ...strength import strength

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
ANN = Scope(ScopeKind.PRIVATE, "qq", "901", "default")
SPEAKERS = (Speaker("901", "Ann"), Speaker("902", "Ben"), Speaker("903", "Cat"))
SETTINGS = Settings(capture=CaptureSettings(keep_turns_days=30.0))


@pytest.fixture
async def rig(tmp_path: Path) -> Any:
    rig = await open_rig(tmp_path, SETTINGS)
    yield rig
    await rig.engine.close()


async def talked(rig: Rig, *texts: str, learnt: bool = True) -> list[int]:
    """A closed episode in the group, said by Ann, Ben and Cat in turn; the seqs."""
    seqs: list[int] = []
    for n, text in enumerate(texts):
        turn = NewTurn(place(GROUP), Role.USER, SPEAKERS[n % 3], text, rig.clock.at)
        seqs.append((await rig.journal.append(turn, lambda _e, _t: None)).turn.seq)
    await rig.journal.close_episode(place(GROUP).session, EpisodeEnd.COMMAND, at=rig.clock.at)
    kinds = frozenset(WorkKind)
    for work in await rig.journal.due(rig.clock.at, kinds=kinds, limit=99, skip=frozenset()):
        if learnt:
            await rig.engine.jobs.table()[work.kind](work)
        await rig.journal.finish(work.id)
    return seqs


async def resting(rig: Rig, id: str, *seqs: int) -> Memory:
    """A memory of the group that nobody in particular said, learnt from these turns."""
    turn = await rig.journal.turn(seqs[0])
    origin = Origin(turn.place.session, turn.place.conversation, turn.episode, seqs)
    return await rig.keep(id, GROUP, id=id, created_at=rig.clock.at, origin=origin)


async def recorded(rig: Rig, seqs: list[int]) -> list[int]:
    return [n for n, seq in enumerate(seqs) if await rig.journal.turn(seq) is not None]


async def pass_days(rig: Rig, days: float) -> None:
    rig.clock.at += days * DAY
    await rig.expire()


async def test_turns_that_no_memory_rests_on_are_gone_others_stay(rig: Rig) -> None:
    seqs = await talked(rig, *["hello"] * 5, learnt=False)
    await pass_days(rig, 29)
    assert await recorded(rig, seqs) == [0, 1, 2, 3, 4]
    await pass_days(rig, 2)
    assert await recorded(rig, seqs) == []
    seqs = await talked(rig, *["hello"] * 7, learnt=False)
    await resting(rig, "m", seqs[3])
    await pass_days(rig, 31)
    assert await recorded(rig, seqs) == [2, 3, 4]
    await rig.store.purge(["m"])
    await pass_days(rig, 0.5)
    assert await recorded(rig, seqs) == [2, 3, 4]
    await pass_days(rig, 0.5)
    assert await recorded(rig, seqs) == []


async def test_forgetting_a_person_finds_what_the_group_learnt_from_them(rig: Rig) -> None:
    seqs = await talked(rig, *["hello"] * 9, learnt=False)
    await resting(rig, "of Ann", seqs[3])
    await resting(rig, "of Ben", seqs[7])
    await pass_days(rig, 31)
    assert await recorded(rig, seqs) == [2, 3, 4, 6, 7, 8]
    await rig.engine.eraser.erase(ANN)
    assert {m.id for m in await rig.memories()} == {"of Ben"}


async def test_forgetting_a_person_clears_what_others_quote_of_them(rig: Rig) -> None:
    seqs = await talked(rig, "my cat is called Zanzibar", "I keep bees behind the chapel")
    own, bens = (evidence_id(rig.journal.id, seq) for seq in seqs)
    assert any("Zanzibar" in cue for cue in (await rig.store.get(bens)).cues)
    await rig.store.purge([own, *{m.id for m in await rig.memories()} - {own, bens}])
    await pass_days(rig, 31)
    await rig.engine.eraser.erase(ANN)
    kept = await rig.memories()
    assert [m.id for m in kept] == [bens]
    assert not any("Zanzibar" in cue for cue in kept[0].cues)


async def test_forgetting_a_person_takes_answers_whose_question_has_no_memory(rig: Rig) -> None:
    here = place(GROUP)
    asked = NewTurn(here, Role.USER, SPEAKERS[0], "hello", rig.clock.at)
    question = (await rig.journal.append(asked, lambda _e, _t: None)).turn
    said = replace(asked, role=Role.ASSISTANT, speaker=Speaker("bot", ""))
    said = replace(said, message_id=reply_id(question.seq))
    # The longest episode ends just before the answer.
    answer = (await rig.journal.append(said, lambda _e, _t: EpisodeEnd.SIZE)).turn
    assert answer.episode != question.episode
    await rig.journal.close_episode(here.session, EpisodeEnd.COMMAND, at=rig.clock.at)
    kinds = frozenset(WorkKind)
    for work in await rig.journal.due(rig.clock.at, kinds=kinds, limit=9, skip=frozenset()):
        await rig.journal.finish(work.id)
    await resting(rig, "answered", answer.seq)
    await pass_days(rig, 31)
    await rig.engine.eraser.erase(ANN)
    assert await rig.memories() == []


def test_a_record_that_cannot_be_read_holds_its_turns_as_far_as_it_tells() -> None:
    rests = ReferencedTurns("7c7f3ad2-8f0c-4d3d-9d0f-0f6f2c6a9a01")
    body = '{"origin": {"turns": [7], "episode": "e"}}'
    for raw in ({"body": body}, {"body": "broken"}, {}, {"body": '{"origin": 7}'}):
        rests.add_unreadable(Unreadable("id", GROUP.key, "kind", raw))
    assert (rests.turns, rests.quoting) == ({7}, {"e"})


async def test_old_audit_entries_on_deleted_memories_go_with_the_turns(rig: Rig) -> None:
    entry = AuditEntry("purged:m", "m", GROUP.key, "purged", "bin", rig.clock.at)
    await rig.journal.audit([entry])
    await pass_days(rig, 29)
    assert await rig.journal.audit_of("m") == [entry]
    await pass_days(rig, 2)
    assert await rig.journal.audit_of("m") == []


async def shortened(folder: Path, fuse: Fuse, *, step: int = 0) -> tuple[int, Any]:
    """Cut short at the step and begun again; how many steps it took, and what is left."""
    store: Any = Fragile(await open_store("sqlite", folder), fuse)
    journal: Any = Fragile(await open_journal(folder), fuse)
    rig = await open_rig(folder, SETTINGS, store=store, journal=journal)
    seqs = [seq for _ in range(120) for seq in await talked(rig, "hello", learnt=False)]
    await resting(rig, "m", seqs[5])
    counts = await rig.journal.statistics()
    rig.clock.at += 31 * DAY
    began = fuse.calls
    fuse.blow_at = fuse.calls + step if step else 0
    if step:
        with pytest.raises(Interruption):
            await rig.expire()
    await rig.expire()
    steps = fuse.calls - began
    assert await rig.journal.statistics() == counts
    left = await recorded(rig, seqs)
    await rig.engine.close()
    return steps, left


@pytest.mark.parametrize("after", [False, True], ids=["before the step", "after the step"])
async def test_cut_short_between_any_two_slices_it_comes_to_the_same(
    tmp_path_factory: pytest.TempPathFactory, after: bool
) -> None:
    steps, left = await shortened(tmp_path_factory.mktemp("clean"), Fuse())
    assert left == [5]
    for step in range(3, steps + 1, strength(23, 11)):
        fuse = Fuse(after=after)
        _, again = await shortened(tmp_path_factory.mktemp(f"step{step}-"), fuse, step=step)
        assert again == left
