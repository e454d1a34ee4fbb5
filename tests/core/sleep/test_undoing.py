"""Every decision that a report of sleep may tell can be taken back, to what was before."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.slots import own
from astrbot_plugin_tidemark.core.conflict.trust import CONTRADICTS
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.knowledge import (
    Claim,
    Entity,
    Intention,
    IntentionStatus,
    IntentionType,
    Relation,
)
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import Decided, Deed, Undone
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.settings import ForgettingSettings, RecallSettings, Settings
from astrbot_plugin_tidemark.storage import open_store

from ...rig import START, Rig, open_rig
from ...samples import ANN, ANNS

SETTINGS = Settings(
    recall=RecallSettings(deadline_ms=10_000), forgetting=ForgettingSettings(policy="hybrid")
)
COUNTED = {Deed.WEAKENED, Deed.DEMOTED, Deed.EMPTIED, Deed.PURGED, Deed.PROFILED, Deed.GROUPED}
"""No decisions: what time does to all alike, and what is computed anew every night."""

WITH_A_MODEL = {
    Deed.REREAD,
    Deed.OVERLOOKED,
    Deed.RELATED,
    Deed.CONFLICT_SETTLED,
    Deed.REWORDED,
    Deed.ENRICHED,
}
"""Undone in the tests of their own steps, with a model or an embedder."""

IN_A_NIGHT = set(Deed) - COUNTED - WITH_A_MODEL


@pytest.fixture(params=["sqlite", "chroma"])
async def rig(request: pytest.FixtureRequest, quick_folder: Path) -> AsyncIterator[Rig]:
    store = await open_store(request.param, quick_folder)
    rig = await open_rig(quick_folder, SETTINGS, store=store)
    rig.model.present = rig.embedder.present = False
    yield rig
    await rig.engine.close()


async def keep(rig: Rig, text: str, *, age: float = 1, **changes: Any) -> None:
    at = START - age * DAY
    plain: dict[str, Any] = {
        "id": text.replace(" ", "-"),
        "kind": Kind.SEMANTIC,
        "created_at": at,
        "happened_at": at,
        "speaker": ANN,
        "vitality": Vitality(9),
    }
    await rig.keep(text, ANNS, **{**plain, **changes})


async def furnished(rig: Rig) -> None:
    """Something for every sort of decision that needs neither a model nor vectors."""
    for told in ("Ann likes hiking", "Ann enjoys hiking"):
        await keep(rig, told, claim=Claim(own(""), "hobby", "hiking", START))
    await keep(rig, "Robert is also called Bob", claim=Claim("robert", "nickname", "Bob", START))
    for here, there in (("Leeds", "York"), ("York", "Leeds")):
        link = Relation(f"Ann-lives-in-{here}", CONTRADICTS, f"Ann-lives-in-{there}")
        claim = Claim(own(""), "residence", here, START)
        await keep(rig, f"Ann lives in {here}", claim=claim, relations=(link,))
    for age in range(3):
        garden = {"entities": (Entity("garden", "garden"),), "origin": Origin(episode=f"e{age}")}
        await keep(rig, f"Ann dug the garden bed {age}", age=age, **garden)
        tea = {"entities": (Entity("tea", "tea"),), "kind": Kind.EPISODIC}
        await keep(rig, f"Ann drank tea {age}", age=90 + age, **tea)
    await keep(rig, "Ann saw a cat", age=60, kind=Kind.EPISODIC)
    over = {"status": IntentionStatus.CLOSED, "closed_at": START - 99 * DAY}
    for told, intention, age in (
        ("Ann could sail", Intention(IntentionType.IDEA, confirmed=3), 1),
        ("why do boats float", Intention(IntentionType.QUESTION), 99),
        ("Ann went to Rome", Intention(**over), 99),
        (
            "Ann sells the boat",
            Intention(
                IntentionType.DECISION, IntentionStatus.CLOSED, closed_at=START, given_up=True
            ),
            1,
        ),
    ):
        await keep(rig, told, age=age, kind=Kind.PROSPECTIVE, intention=intention)


async def night(rig: Rig) -> list[Decided]:
    """A night over the furnished scope; what it decided, in order."""
    rig.engine.start()
    await rig.sleep(patience=60.0)
    [sleep] = await rig.journal.reports([ANNS.key])
    return await rig.journal.decisions(sleep.id, limit=99)


async def known(rig: Rig) -> dict[str, object]:
    """What is in recall, and what each is to others: all that a decision changes for people."""
    found = [m async for m in rig.store.iterate(Filter(recallable=True))]
    return {memory.text: _told(memory) for memory in found}


def _told(memory: Memory) -> object:
    intended = None if memory.intention is None else memory.intention.status
    return memory.claim, memory.successor, intended, frozenset(memory.relations)


async def threads(rig: Rig) -> list[Memory]:
    where = Filter(status=None, kinds=frozenset({Kind.NARRATIVE}))
    return [m async for m in rig.store.iterate(where) if m.is_thread]


async def test_everything_that_a_night_decides_is_undone_to_what_was_before(rig: Rig) -> None:
    await furnished(rig)
    before = await known(rig)
    decided = await night(rig)
    assert {each.decision.deed for each in decided} == IN_A_NIGHT
    assert await known(rig) != before
    for each in reversed(decided):
        assert await rig.engine.pipeline.undo(each.id) is Undone.DONE, each
    assert await known(rig) == before
    assert await threads(rig) == []
    rig.clock.at += DAY
    await rig.sleep(patience=60.0)
    assert await known(rig) == before


@pytest.mark.parametrize("rig", ["sqlite"], indirect=True)
async def test_a_summary_loses_the_line_of_what_is_taken_out_of_it(rig: Rig) -> None:
    await furnished(rig)
    decided = [each for each in await night(rig) if each.decision.deed is Deed.SUMMARISED]
    for left, each in zip((2, 1, 0), decided, strict=True):
        assert await rig.engine.pipeline.undo(each.id) is Undone.DONE
        where = Filter(status=None, kinds=frozenset({Kind.NARRATIVE}))
        lines = [m.text.splitlines() async for m in rig.store.iterate(where) if m.parts]
        assert sum(map(len, lines)) == left
        [back] = await rig.store.find(each.decision.memories)
        assert back.recallable
        assert not any(back.text in line for own in lines for line in own)
