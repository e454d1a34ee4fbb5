"""What is written, corrected and forgotten by hand, and what holds then."""

from collections.abc import Mapping

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import trust_of
from astrbot_plugin_tidemark.core.engine.manual_edits import Remembered
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Place
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Memory, Source
from astrbot_plugin_tidemark.core.records.manual import Author

from ...kit import item, learnt
from ...rig import START, Rig
from ...samples import ANN, ANNS


@pytest.fixture
def changes() -> dict[str, object]:
    return {}


def by(source: Source) -> Author:
    extractor = Extractor.TOOL if source is Source.INFERRED else Extractor.COMMAND
    return Author(ANN, Place("s", "", ANNS.key), source, extractor, "Ann (901)")


async def tell(rig: Rig, day: float, *texts: str) -> None:
    rig.model.present = False
    rig.clock.at = START + day * DAY
    for text in texts:
        await rig.exchange(ANNS, text, "Noted")
    await rig.sleep(patience=20.0)


async def claims(rig: Rig) -> Mapping[str, Memory]:
    learnt = await rig.memories(*set(Kind) - {Kind.EVIDENCE})
    return {m.claim.value: m for m in learnt if m.claim is not None and m.recallable}


async def holding(rig: Rig) -> set[str]:
    return {value for value, memory in (await claims(rig)).items() if memory.holds}


async def remember(rig: Rig, day: float, text: str, source: Source = Source.USER) -> Memory:
    rig.clock.at = START + day * DAY
    done = await rig.engine.curation.remember(text, by(source), important=True)
    assert isinstance(done, Remembered)
    return done.memory


async def correct(rig: Rig, day: float, old: Memory, text: str) -> Memory:
    rig.clock.at = START + day * DAY
    done = await rig.engine.curation.correct(old, text, by(Source.CORRECTION))
    assert isinstance(done, Memory)
    return done


async def forget(rig: Rig, value: str) -> None:
    await rig.engine.curation.forget([(await claims(rig))[value].id], by="Ann (901)")


async def test_what_is_written_by_hand_ends_what_was_said_of_the_same(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon")
    await remember(rig, 50, "I moved to Oslo")
    assert await holding(rig) == {"Oslo"}
    recalled = await rig.ask(ANNS, "Where do I live?")
    assert [m.claim.value for m in recalled.memories if m.claim] == ["Oslo"]


async def test_what_the_model_keeps_by_its_tool_claims_nothing(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon")
    assert (await remember(rig, 50, "I moved to Oslo", Source.INFERRED)).claim is None
    assert await holding(rig) == {"Lyon"}


async def test_a_correction_by_hand_fills_the_slot_since_it_was_filled(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon")
    await tell(rig, 90, "I moved to Oslo")
    old = (await claims(rig))["Oslo"]
    assert old.claim is not None
    new = await correct(rig, 95, old, "I moved to Bergen")
    assert await holding(rig) == {"Bergen"}
    assert new.claim is not None
    assert new.claim.valid_from == old.claim.valid_from
    assert (await claims(rig))["Lyon"].successor is not None


async def test_a_correction_that_no_rule_reads_is_the_value(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon")
    await correct(rig, 5, (await claims(rig))["Lyon"], "A boat on the Rhône it is")
    recalled = await rig.ask(ANNS, "Do I live on a boat?")
    assert [m.text for m in recalled.memories] == ["A boat on the Rhône it is"]


async def test_what_a_forgotten_memory_had_ended_holds_again(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon")
    await tell(rig, 90, "I moved to Oslo")
    assert await holding(rig) == {"Oslo"}
    await forget(rig, "Oslo")
    assert "Lyon" in await holding(rig)
    assert (await claims(rig))["Lyon"].successor is None


async def test_what_another_has_ended_too_stays_over(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon")
    await tell(rig, 3, "I moved to Oslo")
    await tell(rig, 6, "I moved to Bergen")
    await forget(rig, "Oslo")
    known = await claims(rig)
    assert {value for value in ("Lyon", "Bergen") if known[value].holds} == {"Bergen"}
    lyon = known["Lyon"]
    assert lyon.successor is not None
    assert lyon.successor.memory == known["Bergen"].id


async def test_what_comes_back_from_the_bin_ends_the_same_again(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon")
    await tell(rig, 90, "I moved to Oslo")
    oslo = (await claims(rig))["Oslo"]
    await rig.engine.curation.forget([oslo.id], by="Ann (901)")
    await rig.engine.curation.forget([oslo.id], by="Ann (901)")
    await rig.engine.curation.restore([oslo.id], by="Ann (901)")
    assert await holding(rig) == {"Oslo"}


async def test_what_was_never_so_does_not_come_back(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon", "Wrong, it's Paris")
    await forget(rig, "Paris")
    assert await holding(rig) == set()


async def test_a_newer_denial_is_not_trusted_less_than_what_it_denies(rig: Rig) -> None:
    await tell(rig, 0, "I live in Lyon")
    rig.clock.at = START + 90 * DAY
    await rig.exchange(ANNS, "I do not live in Lyon any more", "Noted")
    rig.model.present = True
    over = item("Ann does not live in Lyon any more", 1)
    await rig.learn(learnt({**over, "slot": "residence", "value": "Lyon", "over": True}))
    known = await rig.memories(*set(Kind) - {Kind.EVIDENCE})
    old, new = sorted(known, key=lambda memory: memory.created_at)
    assert new.claim is not None
    assert new.claim.denied
    assert new.holds
    assert not old.holds
    now = rig.clock.now()
    assert trust_of(new, now) >= trust_of(old, now)
