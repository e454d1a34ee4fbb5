"""What sleep has made of a person's memories goes with the person, and with nobody else."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Scope, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Intention, IntentionType
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Status
from astrbot_plugin_tidemark.core.model.sleeping import Deed
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.recall.profile import Section

from .erasure_rig import ANN, BEN, GROUP, ErasureRig, erasure_rig, files_with


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[ErasureRig]:
    rig = await erasure_rig(tmp_path)
    yield rig
    await rig.close()


async def made(here: ErasureRig, scope: Scope, deed: Deed) -> list[tuple[str, ...]]:
    """The memories of each decision of this sort in the scope."""
    return [
        decided.decision.memories
        for sleep in await here.rig.journal.reports([scope.key])
        for decided in await here.rig.journal.decisions(sleep.id)
        if decided.decision.deed is deed
    ]


async def hobby(here: ErasureRig, scope: Scope, user: str, value: str) -> list[str]:
    """A hobby told in two turns, learnt twice; the ids."""
    first = await here.say(scope, user, f"There was {value} on again")
    second = await here.say(scope, user, f"And {value} on the next day")
    return await here.said_twice(scope, user, value, (first, second))


async def told(here: ErasureRig, value: str) -> list[Memory]:
    """The live memories that tell of it, but for raw turns."""
    where = Filter(recallable=True, kinds=frozenset(set(Kind) - {Kind.EVIDENCE}))
    return [m async for m in here.rig.store.iterate(where) if value in m.text]


async def test_a_merged_memory_goes_with_sources_report_and_page(here: ErasureRig) -> None:
    await hobby(here, ANN, "901", "quagga racing")
    await hobby(here, BEN, "902", "zorilla racing")
    await here.sleep()
    [(merged, *sources)] = await made(here, ANN, Deed.MERGED)
    profiles = here.rig.engine.profiles
    assert [line.section for line in await profiles.lines(ANN, "901")] == [Section.TASTES]
    await here.rig.engine.erase(ANN)
    assert await here.mentions("quagga") == []
    assert await made(here, ANN, Deed.MERGED) == []
    assert await profiles.lines(ANN, "901") == []
    for id in (merged, *sources):
        assert files_with(here.folder, id) == []
    assert len(await made(here, BEN, Deed.MERGED)) == 1
    assert len(await told(here, "zorilla")) == 1
    assert [line.section for line in await profiles.lines(BEN, "902")] == [Section.TASTES]


async def test_in_a_group_only_the_merger_and_the_page_of_the_person_go(here: ErasureRig) -> None:
    await hobby(here, GROUP, "901", "quagga racing")
    await hobby(here, GROUP, "902", "zorilla racing")
    await here.sleep()
    assert len(await made(here, GROUP, Deed.MERGED)) == 2
    await here.rig.engine.erase(ANN)
    assert await here.mentions("quagga") == []
    assert len(await made(here, GROUP, Deed.MERGED)) == 1
    assert len(await told(here, "zorilla")) == 1
    profiles = here.rig.engine.profiles
    assert await profiles.lines(GROUP, "901") == []
    assert len(await profiles.lines(GROUP, "902")) == 1


async def test_what_rests_on_anothers_words_too_goes_alone(here: ErasureRig) -> None:
    alone, both = await hobby(here, GROUP, "902", "zorilla racing")
    asked = await here.say(GROUP, "901", "Do you still enjoy it?")
    await here.rig.store.amend(
        [both], lambda memory: replace(memory, origin=Origin(turns=(*memory.origin.turns, asked)))
    )
    await here.sleep()
    assert await made(here, GROUP, Deed.MERGED) == []
    await here.rig.engine.erase(ANN)
    left = {memory.id for memory in await told(here, "zorilla")}
    assert alone in left
    assert both not in left


async def test_what_an_intention_has_become_goes_with_it(here: ErasureRig) -> None:
    turn = await here.say(GROUP, "901", "We could race quaggas")
    for type, confirmed in ((IntentionType.IDEA, 3), (IntentionType.PLAN, 0)):
        await here.rig.keep(
            f"901 could race quaggas: {type}",
            GROUP,
            id=f"the {type}",
            kind=Kind.PROSPECTIVE,
            speaker=Speaker("901", "Ann"),
            intention=Intention(type, confirmed=confirmed),
            origin=Origin(turns=(turn,)),
        )
    await here.sleep()
    [(idea, fact)] = await made(here, GROUP, Deed.GRADUATED)
    here.rig.clock.at += 91 * 86_400
    await here.sleep()
    assert ("the plan",) in await made(here, GROUP, Deed.INTENTION_STALE)
    assert (await here.rig.store.get("the plan")).standing.status is Status.ARCHIVED
    await here.rig.engine.erase(ANN)
    assert await here.mentions("quagga") == []
    assert await made(here, GROUP, Deed.GRADUATED) == []
    assert await made(here, GROUP, Deed.INTENTION_STALE) == []
    for id in (idea, fact, "the plan"):
        assert files_with(here.folder, id) == []
