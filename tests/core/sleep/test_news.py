"""Nights pass over scopes in which nothing is new, and over no others."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conflict.slots import own
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Enrichment, Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import Deed, Left, SleepCause
from astrbot_plugin_tidemark.core.ports import WorkKind
from astrbot_plugin_tidemark.core.records.manual import judged, pinned, text_digest
from astrbot_plugin_tidemark.core.sleep.pipeline import StepRun
from astrbot_plugin_tidemark.core.sleep.steps.merging import MergingStep

from ...rig import START, Rig
from ...samples import ANNS

LASTING = Vitality(strength=1_000_000)
running = pytest.fixture(lambda: False)


@pytest.fixture
def merged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    run = MergingStep.run

    async def noted(self: MergingStep, now: StepRun) -> None:
        seen.append(now.scope)
        await run(self, now)

    monkeypatch.setattr(MergingStep, "run", noted)
    return seen


async def hobby(rig: Rig, number: int, value: str = "bees", **changes: Any) -> Memory:
    text = f"Ann keeps {value} {'here' * number}"
    asked = Enrichment(text_digest(text))
    told = {"id": f"m{number}", "kind": Kind.SEMANTIC, "vitality": LASTING, "enrichment": asked}
    claim = Claim(own(""), "hobby", value, START)
    return await rig.keep(text, ANNS, claim=claim, **{**told, **changes})


async def night(rig: Rig, days: float = 1, cause: SleepCause = SleepCause.NIGHT) -> None:
    rig.clock.at += days * DAY
    await rig.engine.rhythm.begin([ANNS.key], cause, rig.clock.at)
    while due := await rig.journal.due(
        9e9, kinds=frozenset({WorkKind.SLEEP}), limit=9, skip=frozenset()
    ):
        for work in due:
            await rig.engine.pipeline.work(work)
            await rig.journal.finish(work.id)


async def everything(rig: Rig) -> Sequence[Memory]:
    return sorted(await rig.memories(), key=lambda memory: memory.id)


async def test_a_night_without_news_does_no_more_than_sweep(rig: Rig, merged: list[str]) -> None:
    await hobby(rig, 1)
    await hobby(rig, 2)
    await night(rig)
    await night(rig)
    assert len(merged) == 2
    assert len([m for m in await everything(rig) if m.standing.status is Status.LIVE]) == 1
    before = await everything(rig)
    await night(rig)
    await night(rig)
    assert len(merged) == 2
    passed = await everything(rig)
    assert [m.vitality.strength for m in passed] <= [m.vitality.strength for m in before]
    await night(rig, 0, SleepCause.COMMAND)
    assert len(merged) == 3
    assert await everything(rig) == passed


async def test_what_a_night_would_find_is_found_a_night_after(rig: Rig, merged: list[str]) -> None:
    await hobby(rig, 1)
    for _ in range(3):
        await night(rig)
    assert len(merged) == 1
    await hobby(rig, 2)
    await night(rig)
    assert len(merged) == 2
    reports = await rig.journal.reports([ANNS.key])
    assert reports[0].counts.get(Deed.MERGED) == 1


@pytest.mark.parametrize("change", ["verdict", "forgotten", "pinned", "spoken", "embedded"])
async def test_news_are_verdicts_edits_and_turns(rig: Rig, merged: list[str], change: str) -> None:
    await hobby(rig, 1)
    for _ in range(3):
        await night(rig)
    assert len(merged) == 1
    match change:
        case "verdict":
            hand = rig.engine.curation
            how = {"policy": hand.forgetting, "bin_policy": hand.bin_policy, "reason": "hand"}
            await hand.apply(["m1"], partial(judged, useful=True, **how), "useful", by="Ann")
        case "forgotten":
            await rig.engine.curation.forget(["m1"], by="Ann")
        case "pinned":
            await rig.engine.curation.apply(["m1"], partial(pinned, on=True), "pinned", by="Ann")
        case "spoken":
            await rig.say(ANNS, "The bees are asleep")
            await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)
        case _:
            [vector] = await rig.embedder.embed_documents(["Ann keeps bees"])
            fingerprint = (await rig.embedder.identity()).fingerprint
            await rig.store.set_vectors(fingerprint, {"m1": vector})
    kinds = frozenset({WorkKind.INDEX_TURN, WorkKind.LEARN})
    for work in await rig.journal.due(9e9, kinds=kinds, limit=9, skip=frozenset()):
        await rig.journal.finish(work.id)
    await night(rig)
    assert len(merged) == 2


async def test_what_is_old_enough_to_be_enriched_is_news(rig: Rig, merged: list[str]) -> None:
    await hobby(rig, 1, enrichment=None)
    for days in (1, 1, 0.5):
        await night(rig, days)
    assert len(merged) == 1
    await night(rig)
    assert len(merged) == 2


async def test_what_becomes_due_with_time_alone_is_news(rig: Rig, merged: list[str]) -> None:
    await hobby(rig, 1, kind=Kind.PROSPECTIVE, intention=Intention(referenced_at=rig.clock.at))
    for _ in range(3):
        await night(rig)
    assert len(merged) == 1
    await night(rig, 100)
    assert len(merged) == 2
    assert (await rig.store.get("m1")).standing.status is Status.ARCHIVED


async def test_while_a_model_gave_nothing_no_night_is_dropped(rig: Rig, merged: list[str]) -> None:
    async def wanting(self: MergingStep, run: StepRun) -> None:
        merged.append(run.scope)
        run.count(Left.FAILED)

    await hobby(rig, 1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(MergingStep, "run", wanting)
        for _ in range(3):
            await night(rig)
    assert len(merged) == 3


async def test_a_night_that_was_cut_short_does_not_count_as_one_that_found_nothing(
    rig: Rig, merged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cut(Exception):
        pass

    async def cut(self: MergingStep, run: StepRun) -> None:
        raise Cut

    await hobby(rig, 1)
    with monkeypatch.context() as patched:
        patched.setattr(MergingStep, "run", cut)
        with pytest.raises(Cut):
            await night(rig)
    await night(rig, 0)
    await night(rig)
    assert len(merged) == 2
    await night(rig)
    assert len(merged) == 2


@pytest.mark.parametrize(("kind", "found"), [(Kind.EVIDENCE, 1), (Kind.SEMANTIC, 2)])
async def test_raw_turns_that_time_takes_are_no_news_and_what_was_learnt_is(
    rig: Rig, merged: list[str], kind: Kind, found: int
) -> None:
    await hobby(rig, 1)
    asked = Enrichment(text_digest("it rained"))
    await rig.keep("it rained", ANNS, id="m9", kind=kind, vitality=Vitality(4), enrichment=asked)
    for _ in range(3):
        await night(rig)
    assert len(merged) == 1
    while (await rig.store.get("m9")).standing.status is Status.LIVE:
        rig.clock.at += DAY
        await rig.engine.sweeper.decay(rig.clock.at, frozenset({ANNS.key}))
    await night(rig)
    assert len(merged) == found
