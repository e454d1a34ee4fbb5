"""Threads: what was told of one matter over time, brought up where a story is asked for."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY, HAND, BinPolicy, to_bin
from astrbot_plugin_tidemark.core.graph.communities import CAUSED_BY
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import (
    REPLY_MARK,
    Extractor,
    Kind,
    Memory,
    Origin,
    Status,
    Vitality,
)
from astrbot_plugin_tidemark.core.model.sleeping import Deed, Undone
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.core.recall.trace import Drop
from astrbot_plugin_tidemark.core.records.threads import lines_of
from astrbot_plugin_tidemark.core.settings import RecallSettings, SleepSettings
from astrbot_plugin_tidemark.core.sleep.steps.threads import MOST_LINES
from astrbot_plugin_tidemark.storage import open_store

from ...kit import learnt, place
from ...rig import START, Rig, drops, open_rig
from ...samples import ANN, ANNS, GROUP
from .conftest import PATIENT, slept

OSAKA = Entity("osaka", "Osaka", "place")
TRIP = (
    "Ann wants to see Osaka in spring",
    "Ann booked a room in Osaka",
    "The flight to Osaka was cancelled",
    "Ann went to Osaka by ferry instead",
)


async def told(rig: Rig, *texts: str, first: int = 0, **changes: Any) -> list[Memory]:
    """Memories about Osaka, one a day, each of an episode of its own."""
    kept: list[Memory] = []
    scope = changes.pop("scope", ANNS)
    for number, text in enumerate(texts, start=first):
        at = START + number * DAY
        own: dict[str, Any] = {
            "id": f"m{number}",
            "kind": Kind.EPISODIC,
            "speaker": ANN,
            "entities": (OSAKA,),
            "created_at": at,
            "happened_at": at,
            "origin": Origin(episode=f"e{number}", turns=(number,)),
        }
        kept.append(await rig.keep(text, scope, **{**own, **changes}))
    rig.clock.at = START + (first + len(texts)) * DAY
    return kept


async def threads(rig: Rig) -> list[Memory]:
    return await rig.memories(Kind.NARRATIVE)


async def decided(rig: Rig) -> int:
    [sleep, *_] = await rig.journal.reports([ANNS.key])
    found = await rig.journal.decisions(sleep.id)
    return next(each.id for each in found if each.decision.deed is Deed.THREADED)


async def test_what_is_told_over_time_becomes_a_thread_and_is_not_told_again(rig: Rig) -> None:
    await told(rig, *TRIP)
    assert await slept(rig, Deed.THREADED) == {Deed.THREADED: 1}
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m1", "m2", "m3")
    assert thread.summary == "Osaka"
    assert thread.text.splitlines()[1] == f"2025-06-16 {TRIP[1]} [2]"
    assert [line.told for line in lines_of(thread)] == [("m0",), ("m1",), ("m2",), ("m3",)]
    before = await threads(rig)
    assert await slept(rig, Deed.THREADED) == {}
    assert await threads(rig) == before


async def test_a_thread_grows_under_its_id_and_is_undone_to_what_it_was(rig: Rig) -> None:
    await told(rig, *TRIP[:3])
    await slept(rig)
    [before] = await threads(rig)
    await told(rig, TRIP[3], first=3)
    assert await slept(rig, Deed.THREADED) == {Deed.THREADED: 1}
    [after] = await threads(rig)
    assert after.id == before.id
    assert after.tells == ("m0", "m1", "m2", "m3")
    await slept(rig)
    assert (await threads(rig))[0].text != before.text
    assert await rig.engine.pipeline.undo(await decided(rig)) is Undone.DONE
    [after] = await threads(rig)
    assert (after.text, after.tells) == (before.text, before.tells)
    assert await slept(rig, Deed.THREADED) == {}


async def test_a_question_is_no_part_of_a_story_whatever_the_bot_answered(rig: Rig) -> None:
    await told(rig, *TRIP[:3])
    asked = f"What was cancelled in Osaka? {REPLY_MARK} Your flight to Osaka was cancelled."
    await told(rig, asked, first=3, kind=Kind.EVIDENCE)
    assert await slept(rig, Deed.THREADED) == {Deed.THREADED: 1}
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m1", "m2")


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        ({}, TRIP[:2]),
        ({"origin": Origin(episode="one")}, TRIP),
        ({"happened_at": START}, TRIP),
        ({"entities": (Entity("ann", "Ann"),), "about": ("Ann",)}, TRIP),
    ],
    ids=["two memories", "one episode", "one day", "about the speaker alone"],
)
async def test_what_is_no_story(rig: Rig, changes: dict[str, Any], texts: tuple[str, ...]) -> None:
    await told(rig, *texts, **changes)
    assert await slept(rig, Deed.THREADED) == {}
    assert await threads(rig) == []


async def test_claims_of_one_slot_over_time_are_a_story(rig: Rig) -> None:
    jobs = ("Ann teaches", "Ann writes", "Ann paints")
    for number, text in enumerate(jobs):
        claim = Claim("@901", "job", text, START + number * DAY)
        await told(rig, text, first=number, claim=claim, entities=())
    assert await slept(rig, Deed.THREADED) == {Deed.THREADED: 1}
    [thread] = await threads(rig)
    assert [line.said.partition(" ")[2] for line in lines_of(thread)] == [*jobs]


async def test_what_a_fragment_names_as_its_cause_is_told_and_pointed_at(rig: Rig) -> None:
    await told(rig, *TRIP)
    storm = await rig.keep(
        "A storm closed the airport", ANNS, id="storm", happened_at=START + 1.5 * DAY
    )
    link = Relation("m2", CAUSED_BY, storm.id)
    await rig.store.amend(["m2"], lambda memory: replace(memory, relations=(link,)))
    await slept(rig)
    [thread] = await threads(rig)
    assert thread.text.splitlines()[3] == f"2025-06-17 {TRIP[2]} [4] ← [3]"


async def test_causes_that_go_in_a_circle_are_told_once(rig: Rig) -> None:
    await told(rig, *TRIP)
    for effect, cause in (("m0", "m3"), ("m3", "m0"), ("m1", "m1")):
        link = Relation(effect, CAUSED_BY, cause)
        await rig.store.amend(
            [effect], lambda memory, link=link: replace(memory, relations=(link,))
        )
    assert await slept(rig, Deed.THREADED) == {Deed.THREADED: 1}
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m1", "m2", "m3")


async def test_a_line_gives_way_to_what_was_learnt_without_answers(rig: Rig) -> None:
    await told(rig, *TRIP)
    await told(rig, "so I booked a room in Osaka!", first=1, id="raw", kind=Kind.EVIDENCE)
    await slept(rig)
    [thread] = await threads(rig)
    assert "raw" not in thread.tells
    texts = [f"{text}\n↳ The bot says so" for text in TRIP]
    await told(rig, *texts, kind=Kind.EVIDENCE)
    await slept(rig)
    [thread] = await threads(rig)
    assert "bot" not in thread.text


@pytest.mark.parametrize("backend", ["sqlite", "chroma"])
async def test_fragments_take_their_lines_and_then_the_thread(tmp_path: Path, backend: Any) -> None:
    rig = await open_rig(tmp_path, PATIENT, store=await open_store(backend, tmp_path))
    rig.engine.start()
    await told(rig, *TRIP)
    await slept(rig)
    for forgotten, left in (("m1", ("m0", "m2", "m3")), ("m0", ("m2", "m3"))):
        await rig.engine.curation.forget([forgotten], by="Ann")
        [thread] = await threads(rig)
        assert thread.tells == left
        assert len(thread.text.splitlines()) == len(left)
    await rig.engine.curation.forget(["m3"], by="Ann")
    assert await threads(rig) == []
    await rig.engine.close()


async def test_what_is_gone_leaves_what_is_restored_comes_back_the_rest_lives(rig: Rig) -> None:
    await told(rig, *TRIP)
    await slept(rig)
    await rig.engine.curation.forget(["m1"], by="Ann")
    await rig.engine.curation.restore(["m1"], by="Ann")
    assert await slept(rig, Deed.THREADED) == {Deed.THREADED: 1}
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m1", "m2", "m3")
    await rig.store.amend(
        ["m1"],
        lambda memory: to_bin(memory, now=rig.clock.at, reason="decayed", policy=BinPolicy()),
    )
    await slept(rig)
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m2", "m3")
    # No policy forgets a thread before its fragments.
    await rig.store.amend(
        [f"m{number}" for number in range(4)],
        lambda memory: replace(memory, vitality=replace(memory.vitality, pinned=True)),
    )
    rig.clock.at += 5_000 * DAY
    await slept(rig)
    [thread] = await threads(rig)
    assert thread.standing.status is Status.LIVE


async def test_a_thread_forgotten_by_hand_is_not_told_again_if_purged(rig: Rig) -> None:
    await told(rig, *TRIP)
    await slept(rig)
    [thread] = await threads(rig)
    await rig.engine.curation.forget([thread.id], by="Ann")
    assert await slept(rig, Deed.THREADED) == {}
    await rig.engine.curation.purge([thread.id], by="Ann")
    assert await slept(rig, Deed.THREADED) == {}
    assert await threads(rig) == []


async def test_cut_short_the_thread_is_told_once(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    await told(rig, *TRIP)
    put, cut = type(rig.store).put, []

    async def fails(self: Any, memories: Any) -> Any:
        if any(memory.kind is Kind.NARRATIVE for memory in memories) and not cut:
            cut.append(True)
            raise ValueError("cut short")
        return await put(self, memories)

    monkeypatch.setattr(type(rig.store), "put", fails)
    await slept(rig)
    rig.clock.at += DAY
    await slept(rig)
    assert cut
    assert len(await threads(rig)) == 1


async def test_a_question_for_a_story_is_answered_by_the_thread_itself(rig: Rig) -> None:
    await told(rig, *TRIP)
    await slept(rig)
    [thread] = await threads(rig)
    recalled = await rig.ask(ANNS, "What happened with Osaka?")
    assert recalled.memories[0].id == thread.id
    assert [m.id for m in recalled.memories if m.id in thread.tells] == []
    assert {drops(recalled)[id] for id in thread.tells if id in drops(recalled)} <= {Drop.DUPLICATE}
    assert "2025-06-15 – 2025-06-18" in recalled.block
    assert all(text in recalled.block for text in TRIP)
    assert "[2]" not in recalled.block


@pytest.mark.parametrize("asked", ["Where did Ann book a room?", "Osaka", "When was the ferry?"])
async def test_what_asks_for_no_story_is_recalled_as_without_threads(rig: Rig, asked: str) -> None:
    await told(rig, *TRIP)
    await rig.embedded()
    before = await rig.ask(ANNS, asked)
    await slept(rig)
    assert await threads(rig)
    await rig.embedded()
    assert (await rig.ask(ANNS, asked)).block == before.block


async def test_a_fragment_that_says_more_than_its_line_stays_beside_the_thread(rig: Rig) -> None:
    long = "Ann booked a room in Osaka " + "near the river with a view of the castle " * 4
    await told(rig, TRIP[0], f"{long} for 8000 yen", *TRIP[2:])
    await slept(rig)
    [thread] = await threads(rig)
    recalled = await rig.ask(ANNS, "What happened with the room in Osaka for 8000 yen?")
    assert [memory.id for memory in recalled.memories][:2] == [thread.id, "m1"]


async def test_a_story_takes_half_of_a_block_and_loses_its_beginning(tmp_path: Path) -> None:
    tight = replace(PATIENT, recall=RecallSettings(deadline_ms=10_000, budget_tokens=130))
    rig = await open_rig(tmp_path, tight)
    rig.engine.start()
    await told(rig, *TRIP)
    await slept(rig)
    recalled = await rig.ask(ANNS, "What happened with Osaka?")
    await rig.engine.close()
    assert recalled.memories[0].is_thread
    assert TRIP[0] not in recalled.memories[0].text
    assert TRIP[3] in recalled.memories[0].text
    assert recalled.trace.tokens <= 130


async def test_it_answers_a_question_for_a_story_by_none_of_its_own_words(rig: Rig) -> None:
    await told(rig, *TRIP)
    await slept(rig)
    await rig.embedded()
    where = Filter(frozenset({ANNS.key}), recallable=True)
    assert all([not memory.is_thread async for memory in rig.store.iterate(where)])
    await rig.store.amend(
        ["m1"], lambda memory: to_bin(memory, now=rig.clock.at, reason=HAND, policy=BinPolicy())
    )
    recalled = await rig.ask(ANNS, "What happened with Osaka?")
    assert recalled.memories[0].is_thread
    assert TRIP[1] not in recalled.block


async def test_a_group_tells_who_said_what_an_erasure_takes_only_theirs(rig: Rig) -> None:
    ben = Speaker("902", "Ben")
    for number, text in enumerate((*TRIP, "The ferry to Osaka was late")):
        speaker = ben if number % 2 else ANN
        await told(rig, text, first=number, scope=GROUP, speaker=speaker, kind=Kind.EVIDENCE)
    await slept(rig)
    [thread] = await threads(rig)
    assert thread.text.splitlines()[1] == f"2025-06-16 Ben: {TRIP[1]} [2]"
    seq = await rig.say(GROUP, "What happened with Osaka?")
    recalled = await rig.ask(GROUP, "What happened with Osaka?", turn=seq)
    assert f"Ben: {TRIP[1]}" in recalled.block
    await rig.engine.eraser.erase(replace(ANNS, subject="902"))
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m2", "m4")
    assert "Ben" not in thread.text
    kept = await rig.journal.recollection(place(GROUP).session, frozenset({GROUP.key}))
    assert kept is None or (kept.block, kept.trace) == ("", "")


async def test_a_thread_is_of_one_scope_and_told_in_no_other(rig: Rig) -> None:
    await told(rig, *TRIP[:2])
    await told(rig, *TRIP[2:], first=2, scope=GROUP)
    assert await slept(rig, Deed.THREADED) == {}
    await told(rig, "Ann tells nobody that she missed the boat from Osaka", first=4)
    assert await slept(rig, Deed.THREADED) == {Deed.THREADED: 1}
    asked = await rig.ask(GROUP, "What happened with Osaka?")
    assert not any(memory.is_thread for memory in asked.memories)


async def test_a_merged_memory_takes_the_places_of_its_sources(rig: Rig) -> None:
    claim = Claim("@901", "hobby", "ferries", START)
    await told(rig, *TRIP)
    same = ("Ann likes ferries", "Ann loves ferries")
    for number, text in enumerate(same, start=4):
        await told(rig, text, first=number, claim=claim, kind=Kind.SEMANTIC)
    await slept(rig)
    [thread] = await threads(rig)
    live = {memory.id async for memory in rig.store.iterate(Filter(recallable=True))}
    assert set(thread.tells) <= live
    assert len(thread.tells) == 5


async def test_names_that_every_memory_holds_are_no_story(rig: Rig) -> None:
    for number in range(48):
        entities = (OSAKA,) if number % 2 else (OSAKA, Entity("kobe", "Kobe"))
        said = f"Something new, number {number}"
        await told(rig, said, first=number, entities=entities, vitality=Vitality(99))
    assert await slept(rig, Deed.THREADED) == {Deed.THREADED: 1}
    [thread] = await threads(rig)
    assert thread.summary == "Kobe"
    assert len(thread.tells) == MOST_LINES


BOOKED = "Ann booked a room, but the flight to Osaka was cancelled"


def sentences(*told: tuple[str, list[int]]) -> dict[str, Any]:
    return {"sentences": [{"text": text, "cites": cites} for text, cites in told]}


async def with_model(rig: Rig, *answers: Any) -> list[str]:
    """The lines of the thread of the trip once a model has been asked; its prompts stay."""
    rig.model.answers = [learnt()]
    await rig.exchange(ANNS, "Hello there", "Hello")
    await slept(rig)
    await told(rig, *TRIP)
    rig.model.prompts.clear()
    rig.model.answers = list(answers)
    await slept(rig)
    [thread] = await threads(rig)
    return thread.text.splitlines()


def stories(rig: Rig) -> int:
    return sum(prompt.name == "story" for prompt in rig.model.prompts)


async def test_a_model_words_lines_that_cite_and_the_others_stay_as_they_were(rig: Rig) -> None:
    lines = await with_model(rig, sentences((BOOKED, [2, 3])))
    assert lines == [
        f"2025-06-15 {TRIP[0]} [1]",
        f"2025-06-16 {BOOKED} [2][3]",
        f"2025-06-18 {TRIP[3]} [4]",
    ]
    [thread] = await threads(rig)
    assert thread.extractor is Extractor.MODEL
    assert await slept(rig, Deed.THREADED) == {}
    assert stories(rig) == 1


@pytest.mark.parametrize(
    "told_",
    [
        (BOOKED, []),
        (BOOKED, [2, 9]),
        (BOOKED, [0]),
        ("Ann booked a room in Osaka for 80 euros", [2]),
        ("Ann booked a room in Osaka with Ben", [2]),
        ("Ann never booked a room in Osaka", [2]),
        ("Cats sleep all day on warm roofs", [1]),
    ],
    ids=["nothing", "foreign", "none", "number", "name", "denial", "made up"],
)
async def test_a_sentence_not_borne_out_is_dropped(rig: Rig, told_: tuple[str, list[int]]) -> None:
    lines = await with_model(rig, sentences(told_))
    assert [line.partition(" ")[2] for line in lines] == [
        f"{text} [{number}]" for number, text in enumerate(TRIP, 1)
    ]


@pytest.mark.parametrize("nonsense", ["no JSON at all", {"sentence": "many"}, {"memories": []}])
async def test_a_model_of_nonsense_is_asked_twice_the_lines_stay(rig: Rig, nonsense: Any) -> None:
    lines = await with_model(rig, nonsense)
    assert len(lines) == len(TRIP)
    assert stories(rig) == 2
    await slept(rig)
    assert stories(rig) == 2


async def test_without_a_budget_no_model_is_asked(tmp_path: Path) -> None:
    rig = await open_rig(tmp_path, replace(PATIENT, sleep=SleepSettings(calls=0)))
    rig.engine.start()
    assert len(await with_model(rig, sentences((BOOKED, [2, 3])))) == len(TRIP)
    assert stories(rig) == 0
    await rig.engine.close()


async def test_a_worded_line_goes_with_any_of_what_it_rests_on_and_is_told_anew(rig: Rig) -> None:
    await with_model(rig, sentences((BOOKED, [2, 3])))
    await rig.engine.curation.forget(["m2"], by="Ann")
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m3")
    await slept(rig)
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m1", "m3")


async def test_what_is_forgotten_while_its_thread_is_being_told_is_not_in_it(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await told(rig, *TRIP)
    put = type(rig.store).put

    async def forgetting(self: Any, memories: Any) -> Any:
        if any(memory.kind is Kind.NARRATIVE for memory in memories):
            await rig.engine.curation.forget(["m1"], by="Ann")
        return await put(self, memories)

    monkeypatch.setattr(type(rig.store), "put", forgetting)
    await slept(rig)
    [thread] = await threads(rig)
    assert thread.tells == ("m0", "m2", "m3")
