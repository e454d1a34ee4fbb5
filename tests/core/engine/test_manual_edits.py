"""What people do to memories by hand, and what of a person holds then."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import trust_of
from astrbot_plugin_tidemark.core.engine.manual_edits import Curation, Remembered
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.model.conversation import Place, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import (
    RELIABILITY,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Source,
    Status,
    Succession,
    Successor,
    UserFeedback,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import Journal, MemoryStore
from astrbot_plugin_tidemark.core.records.evidence import evidence_id
from astrbot_plugin_tidemark.core.records.manual import Author

from ...kit import FakeClock, item, learnt
from ...rig import START, Rig
from ...samples import ANN, ANNS, GROUP, memory

clock = pytest.fixture(lambda: FakeClock(1000.0))


def unreported(place: str, error: BaseException) -> None:
    raise AssertionError(place) from error


@pytest.fixture
def curation(store: MemoryStore, journal: Journal, clock: FakeClock) -> Curation:
    return Curation(store, journal, clock, BinPolicy(7.0), Tiered(), unreported)


HERE = Place("qq:FriendMessage:901", "", ANNS.key)
HAND = Author(ANN, HERE, Source.USER, Extractor.COMMAND, "Ann (901)")
CORRECTING = replace(HAND, source=Source.CORRECTION)


async def remembered(curation: Curation, text: str, author: Author = HAND) -> Remembered:
    done = await curation.remember(text, author)
    assert isinstance(done, Remembered)
    return done


async def corrected(curation: Curation, old: Memory, text: str) -> Memory:
    done = await curation.correct(old, text, CORRECTING)
    assert isinstance(done, Memory)
    return done


async def actions(journal: Journal, memory_id: str) -> list[str]:
    return [entry.action for entry in await journal.audit_of(memory_id)]


async def test_what_is_to_be_kept_is_a_fact_as_told(curation: Curation, store: MemoryStore) -> None:
    kept = (await remembered(curation, " I keep bees\0 ")).memory
    assert await store.get(kept.id) == kept
    assert (kept.text, kept.kind, kept.facet) == ("I keep bees", Kind.SEMANTIC, Facet.PREFERENCE)
    assert (kept.scope, kept.speaker, kept.about) == (ANNS.key, ANN, ("Ann",))
    assert (kept.source, kept.trust) == (Source.USER, RELIABILITY[Source.USER])
    assert (kept.extractor, kept.confidence) == (Extractor.COMMAND, 1.0)
    assert (kept.importance, kept.vitality) == (0.8, Vitality(7, sole=True))
    assert kept.origin == Origin(HERE.session)
    assert kept.recallable
    assert not kept.exempt


async def test_what_was_forgotten_can_be_kept_anew(curation: Curation, clock: FakeClock) -> None:
    first = await remembered(curation, "Ann keeps bees")
    await curation.forget([first.memory.id], by="901")
    clock.at += 60
    again = await remembered(curation, "Ann keeps bees")
    assert again.new
    assert again.memory.recallable


async def test_the_same_words_of_two_of_a_group_are_two_statements(curation: Curation) -> None:
    group = replace(HAND, place=Place("qq:GroupMessage:5000", "", GROUP.key))
    ben = replace(group, speaker=Speaker("902", "Ben"))
    assert (await remembered(curation, "我喜欢坚果", group)).new
    assert (await remembered(curation, "我喜欢坚果", ben)).new
    assert (await remembered(curation, "周五聚会", group)).new
    assert not (await remembered(curation, "周五聚会", ben)).new


async def test_what_a_tool_writes_is_inferred_and_less_certain(curation: Curation) -> None:
    tool = replace(HAND, source=Source.INFERRED, extractor=Extractor.TOOL, signature="tool")
    kept = (await remembered(curation, "Ann keeps bees", tool)).memory
    assert (kept.trust, kept.confidence) == (RELIABILITY[Source.INFERRED], 0.8)
    assert kept.about == ()


async def test_a_correction_takes_the_place_of_the_old_memory(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    old = memory("Ann lives in Paris", facet=Facet.INSTRUCTION, about=("Ann",), importance=0.9)
    await store.put([old])
    new = await corrected(curation, old, "Ann lives in Rome")
    assert await store.get(new.id) == new
    assert (new.source, new.trust) == (Source.CORRECTION, 1.0)
    assert (new.kind, new.facet, new.about, new.importance) == (
        Kind.SEMANTIC,
        Facet.INSTRUCTION,
        ("Ann",),
        0.9,
    )
    assert new.relations == (Relation(new.id, "corrects", "m1"),)
    after = await store.get("m1")
    assert not after.recallable
    assert after.successor == Successor(new.id, Succession.CORRECTS)
    assert (after.feedback.accurate, after.feedback.correction) == (False, "Ann lives in Rome")
    assert await actions(journal, "m1") == ["corrects"]
    assert await actions(journal, new.id) == ["created"]


async def test_a_correction_keeps_what_was_earned(curation: Curation, store: MemoryStore) -> None:
    earned = Vitality(
        12, useful_count=4, useful_score=10.0, pinned=True, last_recalled_at=900.0, judged=(1, 2)
    )
    old = memory(vitality=earned, feedback=UserFeedback(important=True))
    await store.put([old])
    new = await corrected(curation, old, "Ann keeps wasps")
    assert new.vitality == replace(earned, judged=(), sole=True)
    assert new.feedback == UserFeedback(important=True)


async def test_the_raw_turn_behind_a_corrected_memory_does_not_say_it_again(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    raw = evidence_id(journal.id, 7)
    old = memory(origin=Origin(turns=(7,)))
    await store.put([old, memory(id=raw, kind=Kind.EVIDENCE)])
    await corrected(curation, old, "Ann keeps wasps")
    assert not (await store.get(raw)).recallable


async def test_a_corrected_raw_turn_becomes_a_fact(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    raw = evidence_id(journal.id, 7)
    old = memory("I live in Paris", id=raw, kind=Kind.EVIDENCE, importance=0.0)
    await store.put([replace(old, origin=Origin(turns=(7,)))])
    new = await corrected(curation, await store.get(raw), "I live in Rome")
    assert (new.kind, new.importance, new.vitality.strength) == (Kind.SEMANTIC, 0.8, 7)
    assert not (await store.get(raw)).recallable
    assert new.recallable


async def test_a_correction_can_be_corrected_back(curation: Curation, store: MemoryStore) -> None:
    await store.put([memory("Ann keeps bees")])
    wasps = await corrected(curation, await store.get("m1"), "Ann keeps wasps")
    bees = await corrected(curation, wasps, "Ann keeps bees")
    assert bees.recallable
    assert not (await store.get(wasps.id)).recallable


async def test_an_updated_memory_can_be_corrected(curation: Curation, store: MemoryStore) -> None:
    await store.put([memory(successor=Successor("m2", Succession.UPDATES))])
    new = await corrected(curation, await store.get("m1"), "Ann keeps wasps")
    assert (await store.get("m1")).successor == Successor(new.id, Succession.CORRECTS)


async def test_a_correction_that_is_known_already_gains_what_the_old_one_earned(
    curation: Curation, store: MemoryStore
) -> None:
    old = memory("Ann lives in Paris", vitality=Vitality(9, useful_score=5.0))
    known = memory("Ann lives in Rome", id="m2", trust=0.5)
    await store.put([old, known])
    done = await corrected(curation, old, "Ann lives in Rome")
    assert done == await store.get("m2")
    assert (done.vitality.useful_score, done.trust) == (5.0, 1.0)
    assert (await store.get("m1")).successor == Successor("m2", Succession.CORRECTS)


async def test_a_change_that_cannot_be_noted_is_made_and_reported(
    curation: Curation, store: MemoryStore, journal: Journal
) -> None:
    reports: list[str] = []
    deaf = replace(curation, report=lambda place, error: reports.append(f"{place}: {error}"))
    await store.put([memory()])
    await journal.close()
    (done,) = await deaf.forget(["m1"], by="901")
    assert done.after.standing.status is Status.BINNED
    assert (await store.get("m1")).standing.status is Status.BINNED
    assert reports == ["audit: journal.db is closed"]


SECRET = "My locker opens with 4410"


async def test_a_forgotten_turn_teaches_nothing(rig: Rig) -> None:
    await rig.say(ANNS, SECRET)
    await rig.say(ANNS, "And I keep bees")
    await rig.settle()
    secret, _ = await rig.memories(Kind.EVIDENCE)
    await rig.engine.curation.forget([secret.id], by="901")
    memories = await rig.learn(
        learnt(item("Ann's locker opens with 4410", 1), item("Ann keeps bees", 2))
    )
    assert [memory.text for memory in memories] == ["Ann keeps bees"]
    assert not any("4410" in text for text in await rig.texts(ANNS, "locker 4410"))


async def test_a_turn_that_merely_faded_still_teaches(rig: Rig) -> None:
    await rig.say(ANNS, SECRET)
    await rig.settle()
    await rig.engine.sweeper.decay(rig.clock.at + 30 * DAY, frozenset({ANNS.key}))
    memories = await rig.learn(learnt(item("Ann's locker opens with 4410", 1)))
    assert [memory.text for memory in memories] == ["Ann's locker opens with 4410"]


async def test_a_corrected_turn_does_not_teach_what_was_wrong(rig: Rig) -> None:
    await rig.say(ANNS, "I live in Paris")
    await rig.say(ANNS, "And I keep bees")
    await rig.settle()
    wrong, _ = await rig.memories(Kind.EVIDENCE)
    await corrected(rig.engine.curation, wrong, "I live in Rome")
    memories = await rig.learn(learnt(item("Ann lives in Paris", 1), item("Ann keeps bees", 2)))
    assert {memory.text for memory in memories} == {"I live in Rome", "Ann keeps bees"}


async def tell(rig: Rig, day: float, *texts: str) -> None:
    rig.model.present = False
    await rig.tell(day, *texts)
    await rig.sleep(patience=20.0)


async def claims(rig: Rig) -> Mapping[str, Memory]:
    known = await rig.learnt()
    return {m.claim.value: m for m in known if m.claim is not None and m.recallable}


async def holding(rig: Rig) -> set[str]:
    return {value for value, memory in (await claims(rig)).items() if memory.holds}


async def remember(rig: Rig, day: float, text: str, source: Source = Source.USER) -> Memory:
    rig.clock.at = START + day * DAY
    done = await rig.engine.curation.remember(text, replace(HAND, source=source), important=True)
    return done.memory


async def correct(rig: Rig, day: float, old: Memory, text: str) -> Memory:
    rig.clock.at = START + day * DAY
    return await corrected(rig.engine.curation, old, text)


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
    new = await correct(rig, 95, old, "I moved to Bergen")
    assert await holding(rig) == {"Bergen"}
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
    known = await rig.learnt()
    old, new = sorted(known, key=lambda memory: memory.created_at)
    assert new.claim.denied
    assert new.holds
    assert not old.holds
    now = rig.clock.now()
    assert trust_of(new, now) >= trust_of(old, now)
