"""Summaries and what sleep has made go with what they rest on, and only that."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.catalogue import policy_named
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy
from astrbot_plugin_tidemark.core.forgetting.summary import extract, folded, without_parts
from astrbot_plugin_tidemark.core.model.conversation import Scope, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Intention, IntentionType
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Status, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import Deed
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.recall.profile import Section
from astrbot_plugin_tidemark.core.sleep.sweep import Sweeper

from ...kit import files_with
from ...samples import memory
from .erasure_rig import ANN, BEN, GROUP, ErasureRig, erasure_rig

TEA, HARBOUR = Entity("tea", "tea"), Entity("harbour", "harbour", "place")
SAID = ("Ann drank quagga tea", "Ann drank zorilla tea at the harbour", "Ann drank okapi tea")


@pytest.fixture(params=["sqlite", "chroma"])
async def here(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ErasureRig]:
    rig = await erasure_rig(tmp_path, backend=request.param)
    yield rig
    await rig.close()


async def summarised(here: ErasureRig, scope: Scope, *turns: tuple[int, ...]) -> Memory:
    """What the policy makes of three memories of Ann's, a day apart, that rest on these turns."""
    rig = here.rig
    for number, text in enumerate(SAID):
        at = rig.clock.at + number * DAY
        own: dict[str, Any] = {
            "id": f"m{number}",
            "kind": Kind.EPISODIC,
            "entities": (TEA, HARBOUR) if number == 1 else (TEA,),
            "about": ("Zed",) if number == 1 else ("Ann",),
            "speaker": Speaker("901", "Ann"),
            "created_at": at,
            "happened_at": at,
            "origin": Origin(turns=turns[number] if turns else ()),
        }
        await rig.keep(text, scope, **own)
    rig.clock.at += 92 * DAY
    policies = policy_named("reflection_summary")
    sweeper = Sweeper(rig.store, rig.journal, policies, BinPolicy())
    await sweeper.decay(rig.clock.at, frozenset({scope.key}))
    (summary,) = await summaries(here)
    return summary


async def summaries(here: ErasureRig) -> list[Memory]:
    """Those there are, in any status."""
    where = Filter(status=None, kinds=frozenset({Kind.NARRATIVE}))
    return [each async for each in here.rig.store.iterate(where)]


async def told(here: ErasureRig, word: str) -> list[str]:
    """Where a word is left; files of a folder of Chroma's lose it at the next start only."""
    return [place for place in await here.mentions(word) if not place.startswith("chroma/")]


async def test_a_summary_is_as_old_as_its_oldest_line_and_cites(here: ErasureRig) -> None:
    first = here.rig.clock.at
    summary = await summarised(here, ANN)
    assert summary.text.splitlines() == list(SAID)
    assert summary.created_at == first
    assert [part.memories for part in summary.parts] == [("m0",), ("m1",), ("m2",)]


async def test_an_erasure_takes_the_lines_that_rest_on_the_erased(here: ErasureRig) -> None:
    anns = [await here.say(GROUP, "901", f"Tea again {n}") for n in range(3)]
    bens = await here.say(GROUP, "902", "It was zorilla tea at the harbour")
    await summarised(here, GROUP, (anns[0],), (anns[1], bens), (anns[2],))
    await here.rig.engine.eraser.erase(replace(ANN, subject="902"))
    [summary] = await summaries(here)
    assert summary.text.splitlines() == [SAID[0], SAID[2]]
    assert summary.origin.turns == (anns[0], anns[2])
    assert (summary.entities, summary.about) == ((TEA,), ("Ann",))
    assert await told(here, "zorilla") == []
    await here.rig.engine.eraser.erase(ANN)
    assert await summaries(here) == []
    assert await told(here, "quagga") == []


async def test_what_is_forgotten_leaves_the_summary(here: ErasureRig) -> None:
    await summarised(here, ANN)
    for number, left in ((1, [SAID[0], SAID[2]]), (0, [SAID[2]])):
        await here.rig.engine.curation.forget([f"m{number}"], by="Ann")
        [summary] = await summaries(here)
        assert summary.text.splitlines() == left
    await here.rig.engine.curation.forget(["m2"], by="Ann")
    assert await summaries(here) == []


async def test_what_an_admin_deletes_for_good_leaves_the_summary_too(here: ErasureRig) -> None:
    await summarised(here, ANN)
    await here.rig.engine.curation.purge(["m1"], by="admin")
    [summary] = await summaries(here)
    assert "zorilla" not in summary.text


async def test_a_summary_stands_when_its_sources_are_purged(here: ErasureRig) -> None:
    await summarised(here, ANN)
    here.rig.clock.at += 40 * DAY
    await here.sleep()
    assert await here.rig.store.find(["m0", "m1", "m2"]) == []
    [summary] = await summaries(here)
    assert summary.text.splitlines() == list(SAID)


async def test_retention_takes_each_line_with_its_own_source(here: ErasureRig) -> None:
    summary = await summarised(here, ANN)
    lasting = replace(summary.vitality, strength=1_000_000)
    await here.rig.store.amend([summary.id], lambda each: replace(each, vitality=lasting))
    await here.rig.engine.consents.change(ANN, lambda own: replace(own, keep_days=91.5))
    assert (await here.rig.expire()).binned == 0
    [left] = await summaries(here)
    assert left.text.splitlines() == list(SAID[1:])
    assert left.created_at == summary.created_at + DAY
    here.rig.clock.at += 2 * DAY
    assert (await here.rig.expire()).binned == 1
    [gone] = await summaries(here)
    assert gone.standing.status is Status.BINNED


def test_lines_of_summaries_stay_apart_and_within_bounds() -> None:
    journal = "00000000-0000-0000-0000-000000000001"
    told = [
        memory(text, id=f"m{n}", vitality=Vitality(1), origin=Origin(turns=(n,)))
        for n, text in enumerate(SAID)
    ]
    inner = folded(told[:2], extract, journal=journal, now=DAY)
    outer = folded([inner, told[2]], extract, journal=journal, now=2 * DAY)
    assert outer.text.splitlines() == list(SAID)
    left = without_parts(outer, lambda part: 1 in part.turns)
    assert left.text.splitlines() == [SAID[0], SAID[2]]
    assert without_parts(outer, lambda part: True) is None
    told = [memory(f"a{n}\n" + "word " * 90, id=f"m{n}") for n in range(3)]
    summary = folded(told, extract, journal=journal, now=DAY)
    assert len(summary.text) <= 600
    assert len(summary.parts) == len(summary.text.split("\n"))


def test_a_summary_whose_lines_cannot_be_told_apart_goes_whole() -> None:
    old = memory("one line", kind=Kind.NARRATIVE)
    assert without_parts(old, lambda part: False) is None


@pytest.fixture
async def asleep(tmp_path: Path) -> AsyncIterator[ErasureRig]:
    rig = await erasure_rig(tmp_path)
    yield rig
    await rig.close()


async def made(asleep: ErasureRig, scope: Scope, deed: Deed) -> list[tuple[str, ...]]:
    """The memories of each decision of this sort in the scope."""
    return [
        decided.decision.memories
        for sleep in await asleep.rig.journal.reports([scope.key])
        for decided in await asleep.rig.journal.decisions(sleep.id)
        if decided.decision.deed is deed
    ]


async def hobby(asleep: ErasureRig, scope: Scope, user: str, value: str) -> list[str]:
    """A hobby heard in two turns, learnt twice; the ids."""
    first = await asleep.say(scope, user, f"There was {value} on again")
    second = await asleep.say(scope, user, f"And {value} on the next day")
    return await asleep.said_twice(scope, user, value, (first, second))


async def heard(asleep: ErasureRig, value: str) -> list[Memory]:
    """The live memories that tell of it, but for raw turns."""
    where = Filter(recallable=True, kinds=frozenset(set(Kind) - {Kind.EVIDENCE}))
    return [m async for m in asleep.rig.store.iterate(where) if value in m.text]


async def test_a_merged_memory_goes_with_sources_report_and_page(asleep: ErasureRig) -> None:
    await hobby(asleep, ANN, "901", "quagga racing")
    await hobby(asleep, BEN, "902", "zorilla racing")
    await asleep.sleep()
    [(merged, *sources)] = await made(asleep, ANN, Deed.MERGED)
    profiles = asleep.rig.engine.profiles
    assert [line.section for line in await profiles.lines(ANN, "901")] == [Section.TASTES]
    await asleep.rig.engine.eraser.erase(ANN)
    assert await asleep.mentions("quagga") == []
    assert await made(asleep, ANN, Deed.MERGED) == []
    assert await profiles.lines(ANN, "901") == []
    for id in (merged, *sources):
        assert files_with(asleep.folder, id) == []
    assert len(await made(asleep, BEN, Deed.MERGED)) == 1
    assert len(await heard(asleep, "zorilla")) == 1
    assert [line.section for line in await profiles.lines(BEN, "902")] == [Section.TASTES]


async def test_in_a_group_only_the_merger_and_the_page_of_the_person_go(asleep: ErasureRig) -> None:
    await hobby(asleep, GROUP, "901", "quagga racing")
    await hobby(asleep, GROUP, "902", "zorilla racing")
    await asleep.sleep()
    assert len(await made(asleep, GROUP, Deed.MERGED)) == 2
    await asleep.rig.engine.eraser.erase(ANN)
    assert await asleep.mentions("quagga") == []
    assert len(await made(asleep, GROUP, Deed.MERGED)) == 1
    assert len(await heard(asleep, "zorilla")) == 1
    profiles = asleep.rig.engine.profiles
    assert await profiles.lines(GROUP, "901") == []
    assert len(await profiles.lines(GROUP, "902")) == 1


async def test_what_rests_on_anothers_words_too_goes_alone(asleep: ErasureRig) -> None:
    alone, both = await hobby(asleep, GROUP, "902", "zorilla racing")
    asked = await asleep.say(GROUP, "901", "Do you still enjoy it?")
    await asleep.rig.store.amend(
        [both], lambda memory: replace(memory, origin=Origin(turns=(*memory.origin.turns, asked)))
    )
    await asleep.sleep()
    assert await made(asleep, GROUP, Deed.MERGED) == []
    await asleep.rig.engine.eraser.erase(ANN)
    left = {memory.id for memory in await heard(asleep, "zorilla")}
    assert alone in left
    assert both not in left


async def test_what_an_intention_has_become_goes_with_it(asleep: ErasureRig) -> None:
    turn = await asleep.say(GROUP, "901", "We could race quaggas")
    for type, confirmed in ((IntentionType.IDEA, 3), (IntentionType.PLAN, 0)):
        await asleep.rig.keep(
            f"901 could race quaggas: {type}",
            GROUP,
            id=f"the {type}",
            kind=Kind.PROSPECTIVE,
            speaker=Speaker("901", "Ann"),
            intention=Intention(type, confirmed=confirmed),
            origin=Origin(turns=(turn,)),
        )
    await asleep.sleep()
    [(idea, fact)] = await made(asleep, GROUP, Deed.GRADUATED)
    asleep.rig.clock.at += 91 * 86_400
    await asleep.sleep()
    assert ("the plan",) in await made(asleep, GROUP, Deed.INTENTION_STALE)
    assert (await asleep.rig.store.get("the plan")).standing.status is Status.ARCHIVED
    await asleep.rig.engine.eraser.erase(ANN)
    assert await asleep.mentions("quagga") == []
    assert await made(asleep, GROUP, Deed.GRADUATED) == []
    assert await made(asleep, GROUP, Deed.INTENTION_STALE) == []
    for id in (idea, fact, "the plan"):
        assert files_with(asleep.folder, id) == []
