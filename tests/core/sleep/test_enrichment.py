"""Enrichment in sleep: what lasts is asked about once, kept in its record, and taken out again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.graph.communities import CAUSED_BY
from astrbot_plugin_tidemark.core.model.conversation import Scope
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Entity, EventType, Relation
from astrbot_plugin_tidemark.core.model.lesson import NoteDetails
from astrbot_plugin_tidemark.core.model.memory import (
    Community,
    Kind,
    Memory,
    Mood,
    Origin,
    Sentiment,
    Status,
    Vitality,
)
from astrbot_plugin_tidemark.core.model.sleeping import Decided, Deed, SleepCause, Undone
from astrbot_plugin_tidemark.core.ports import Completion, Prompt
from astrbot_plugin_tidemark.core.records.learnt import enriched, is_due, without_enrichment
from astrbot_plugin_tidemark.core.records.names import ALSO_CALLED
from astrbot_plugin_tidemark.core.records.sameness import apart
from astrbot_plugin_tidemark.core.settings import SleepSettings
from astrbot_plugin_tidemark.core.sleep.steps.enrichment import EnrichmentStep
from astrbot_plugin_tidemark.storage import open_store

from ...kit import DOWN, learnt
from ...rig import START, Rig, open_rig
from ...samples import ANN, ANNS, BEN, GROUP, memory
from .conftest import PATIENT, decisions, erased_while_asked, killed_anywhere

TRANSLATOR = "小雨在大阪做凤凰计划的翻译"
TRAIN = "Ann took the night train to Osaka"

type Answer = Callable[[str, str], object]
"""What is told of a note, from its letter and its text."""


async def keep(rig: Rig, text: str, id: str, *, age: float = 20, **changes: Any) -> Memory:
    at = rig.clock.at - age * DAY
    scope = changes.pop("scope", ANNS)
    told = {"created_at": at, "happened_at": at, "speaker": ANN, "vitality": Vitality(1_000)}
    return await rig.keep(text, scope, id=id, **{**told, **changes})


async def life(rig: Rig) -> None:
    """A turn, so that there is a chat to ask in, and two memories that last."""
    await rig.say(ANNS, "Good evening")
    await keep(rig, TRAIN, "m1", age=22)
    await keep(rig, TRANSLATOR, "m2")


def told_of(letter: str, text: str) -> object:
    names = [name for name in ("Osaka", "大阪", "凤凰计划", "小雨") if name in text]
    return {
        "letter": letter,
        "entities": [{"name": name, "type": "place"} for name in names],
        "relations": [{"subject": "小雨", "predicate": "住在", "object": "大阪"}],
        "event": "trip" if "Osaka" in text else None,
        "cause": "A",
        "mood": "positive",
        "asked": [f"Which matter has the number {abs(hash(text)) % 10**6}?"],
        "needed": "",
        "without": "",
    }


def answering(rig: Rig, answer: Answer | object = told_of) -> None:
    """To enrich it answers so, note by note or in these words; to all else that there is none."""
    complete = type(rig.model).complete

    async def answered(prompt: Prompt, *, session: str) -> Completion:
        reply: object = learnt()
        if prompt.name == "enrich":
            notes = [line.split(". ", 1) for line in prompt.user.splitlines()[1:]]
            reply = answer
            if callable(answer):
                told = [answer(letter, text.partition(": ")[2]) for letter, text in notes]
                reply = {"notes": [each for each in told if each is not None]}
        rig.model.answers = [reply]
        return await complete(rig.model, prompt, session=session)

    rig.model.complete = answered


def asked(rig: Rig) -> list[Prompt]:
    return [prompt for prompt in rig.model.prompts if prompt.name == "enrich"]


def shown(prompt: Prompt) -> list[str]:
    return [line.partition(": ")[2] for line in prompt.user.splitlines()[1:]]


async def slept(rig: Rig, scope: Scope = ANNS) -> list[Decided]:
    rig.clock.at += 1
    await rig.sleep(patience=60.0)
    return await decisions(rig, Deed.ENRICHED, scope=scope)


async def plain(rig: Rig) -> list[Memory]:
    """The two without what time, other steps and the step's own mark change."""
    found = await rig.store.find(["m1", "m2"])
    none: dict[str, Any] = {"community": Community(), "enrichment": None}
    return [replace(each, vitality=Vitality(1), **none) for each in found]


async def names(rig: Rig, id: str) -> list[str]:
    return [entity.name for entity in (await rig.store.get(id)).entities]


async def test_what_lasts_gets_what_a_model_tells_of_it_and_is_asked_about_once(rig: Rig) -> None:
    await life(rig)
    answering(rig)
    assert len(await slept(rig)) == 2
    train, translator = await rig.store.find(["m1", "m2"])
    assert await names(rig, "m1") == ["Osaka"]
    assert await names(rig, "m2") == ["大阪", "凤凰计划", "小雨"]
    assert train.event.type == EventType.TRIP
    assert train.event.id
    assert train.sentiment.mood is Mood.POSITIVE
    assert len(train.cues) == len(translator.cues) == 1
    assert translator.relations == (
        Relation("小雨", "住在", "大阪"),
        Relation("m2", CAUSED_BY, "m1"),
    )
    [report, *_] = await rig.journal.reports([ANNS.key])
    assert report.counts[Deed.ENRICHED] == 2
    assert report.calls >= 1
    before = await rig.memories()
    assert len(await slept(rig)) == 2
    assert len(asked(rig)) == 1
    assert await rig.memories() == before


async def test_a_question_by_a_name_finds_what_no_pattern_has_found(rig: Rig) -> None:
    await life(rig)
    rig.embedder.present = False
    question = "大阪那边怎么样了"
    legs = (await rig.ask(ANNS, question)).trace.candidates
    assert not any(hit.leg == "entity" for each in legs for hit in each.hits)
    answering(rig)
    await slept(rig)
    found = {each.memory: each for each in (await rig.ask(ANNS, question)).trace.candidates}
    assert "entity" in [hit.leg for hit in found["m2"].hits]


async def test_a_question_in_other_words_finds_it_by_its_cue(rig: Rig) -> None:
    await life(rig)
    rig.embedder.present = False
    question = "Who could interpret a contract?"
    assert TRANSLATOR not in await rig.texts(ANNS, question)

    def answer(letter: str, text: str) -> object:
        cue = "interpret a contract" if text == TRANSLATOR else "rail tickets"
        return {"letter": letter, "needed": cue}

    answering(rig, answer)
    await slept(rig)
    assert TRANSLATOR in await rig.texts(ANNS, question)


@pytest.mark.parametrize(
    ("changes", "due"),
    [
        ({}, True),
        ({"age": 2}, False),
        ({"age": 4, "vitality": Vitality(9, useful_count=1)}, True),
        ({"age": 0, "vitality": Vitality(9, useful_count=1)}, True),
        ({"kind": Kind.EVIDENCE}, False),
        ({"kind": Kind.NARRATIVE}, False),
        ({"kind": Kind.EPISODIC}, True),
        ({"status": Status.QUARANTINED}, False),
        ({"status": Status.BINNED}, False),
    ],
)
def test_what_lasts_is_due(changes: dict[str, Any], due: bool) -> None:
    age, status = changes.pop("age", 3), changes.pop("status", Status.LIVE)
    known = memory(created_at=START - age * DAY, **changes)
    standing = replace(known.standing, status=status)
    assert is_due(replace(known, standing=standing), START) is due


async def test_a_few_wait_for_the_night_but_no_longer(rig: Rig) -> None:
    """The first ten memories of a person waited ten days."""
    await rig.say(ANNS, "Good evening")
    await keep(rig, TRAIN, "m1", age=4)
    answering(rig)
    await rig.engine.rhythm.begin([ANNS.key], SleepCause.QUIET, rig.clock.at)
    rig.clock.at += 3_600
    rig.engine.worker.wake()
    await rig.settle()
    assert asked(rig) == []
    assert len(await slept(rig)) == 1


async def test_at_most_twelve_go_into_a_call_and_two_calls_into_a_night(rig: Rig) -> None:
    await rig.say(ANNS, "Good evening")
    for number in range(40):
        await keep(rig, f"Ann owns boat {number}", f"m{number:02}", age=4)
    answering(rig)
    await slept(rig)
    assert [len(shown(prompt)) for prompt in asked(rig)] == [12, 12]
    rig.clock.at += DAY
    await slept(rig)
    assert [len(shown(prompt)) for prompt in asked(rig)] == [12, 12, 12, 4]
    every = [text for prompt in asked(rig) for text in shown(prompt)]
    assert len(every) == len({*every})


async def test_what_was_of_use_comes_first(rig: Rig) -> None:
    await rig.say(ANNS, "Good evening")
    for number in range(40):
        used = Vitality(1_000, useful_count=int(number == 39))
        await keep(rig, f"Ann owns boat {number}", f"m{number:02}", age=4, vitality=used)
    answering(rig)
    await slept(rig)
    assert "Ann owns boat 39" in shown(asked(rig)[0])


async def test_nobodys_memories_stand_beside_another_persons_or_another_chats(rig: Rig) -> None:
    await rig.say(ANNS, "Good evening")
    await rig.say(GROUP, "Good evening")
    await keep(rig, TRAIN, "m1")
    await keep(rig, "Ann likes tea", "m2", scope=GROUP)
    await keep(rig, "Ben likes rum", "m3", scope=GROUP, speaker=BEN)
    answering(rig, lambda letter, text: {"letter": letter, "cause": "A"})
    await slept(rig)
    assert sorted(map(shown, asked(rig))) == [["Ann likes tea"], [TRAIN], ["Ben likes rum"]]


@pytest.mark.parametrize(
    "changes",
    [{"sleep": SleepSettings(calls=0)}, {"sleep": SleepSettings(tokens=0)}],
    ids=["calls", "tokens"],
)
async def test_without_a_call_to_spend_it_waits(tmp_path: Path, changes: dict[str, Any]) -> None:
    rig = await open_rig(tmp_path, replace(PATIENT, **changes))
    rig.engine.start()
    await life(rig)
    answering(rig)
    assert await slept(rig) == []
    assert asked(rig) == []
    await rig.engine.close()


@pytest.mark.parametrize("spent", ["budget", "down", "no model"])
async def test_what_could_not_be_asked_is_asked_another_night(rig: Rig, spent: str) -> None:
    await life(rig)
    match spent:
        case "down":
            answering(rig, DOWN)
        case "no model":
            rig.model.present = False
        case _:
            rig.model.tokens = 30_000
            answering(rig, "no")
    assert await slept(rig) == []
    assert [await names(rig, id) for id in ("m1", "m2")] == [[], []]
    rig.model.present, rig.model.tokens = True, 10
    rig.clock.at += DAY
    answering(rig)
    assert len(await slept(rig)) == 2


@pytest.mark.parametrize("reply", ["no", {"notes": "all"}, {"notes": []}, {"notes": [7]}])
async def test_after_two_empty_replies_it_is_not_asked_again(rig: Rig, reply: object) -> None:
    await life(rig)
    answering(rig, reply)
    before = await plain(rig)
    assert await slept(rig) == []
    assert len(asked(rig)) == 2
    assert await slept(rig) == []
    assert len(asked(rig)) == 2
    assert await plain(rig) == before


async def test_what_a_reply_leaves_out_is_asked_about_once_more(rig: Rig) -> None:
    await life(rig)
    answering(rig, lambda letter, text: told_of(letter, text) if letter == "A" else None)
    assert len(await slept(rig)) == 2
    assert [shown(prompt) for prompt in asked(rig)] == [[TRAIN, TRANSLATOR], [TRANSLATOR]]


async def test_what_a_reply_says_nothing_of_is_no_decision(rig: Rig) -> None:
    await life(rig)
    answering(rig, lambda letter, text: {"letter": letter})
    assert await slept(rig) == []
    assert len(asked(rig)) == 1
    await slept(rig)
    assert len(asked(rig)) == 1


async def test_a_changed_text_is_asked_about_anew_and_keeps_nothing_of_the_old(rig: Rig) -> None:
    await life(rig)
    answering(rig)
    await slept(rig)
    await rig.store.amend(["m1"], lambda each: replace(each, text="Ann flew to 大阪"))
    await slept(rig)
    assert await names(rig, "m1") == ["大阪"]
    assert len((await rig.store.get("m1")).cues) == 1
    assert [shown(prompt) for prompt in asked(rig)[1:]] == [["Ann flew to 大阪"]]


async def test_undone_a_memory_is_as_it_was_and_stays_so(rig: Rig) -> None:
    await life(rig)
    own = {"cues": ("rails",), "entities": (Entity("osaka", "Osaka", "city"),)}
    await rig.store.amend(["m1"], lambda each: replace(each, **own))
    await rig.store.amend(["m2"], lambda each: replace(each, tags=("work",)))
    before = await plain(rig)
    answering(rig)
    decided = await slept(rig)
    assert await plain(rig) != before
    link = Relation("m2", "related", "m1")
    await rig.store.amend(["m2"], lambda m: replace(m, relations=(*m.relations, link)))
    for each in decided:
        assert await rig.engine.pipeline.undo(each.id) is Undone.DONE
    assert await plain(rig) == [before[0], replace(before[1], relations=(link,))]
    assert len(await slept(rig)) == 2
    await rig.store.amend(["m1"], lambda each: replace(each, text="Ann flew to 大阪"))
    await slept(rig)
    assert len(asked(rig)) == 1


async def test_undone_after_a_merger_the_merged_one_loses_it_too(rig: Rig) -> None:
    await rig.say(ANNS, "Good evening")
    claim = Claim("@", "residence", "Osaka", START)
    for number, text in enumerate(("Ann lives in Osaka", "Ann really lives in Osaka"), start=1):
        await keep(rig, text, f"m{number}", claim=claim, kind=Kind.SEMANTIC)
    answering(rig)
    decided = await slept(rig)
    [merged] = [m for m in await rig.memories(Kind.SEMANTIC) if m.recallable]
    assert [entity.name for entity in merged.entities] == ["Osaka"]
    assert len(merged.cues) == 2
    for each in decided:
        assert await rig.engine.pipeline.undo(each.id) is Undone.DONE
    [merged] = await rig.store.find([merged.id])
    assert (merged.entities, merged.cues) == ((), ())


@pytest.mark.parametrize("after", [False, True])
async def test_killed_anywhere_it_comes_to_the_same(rig: Rig, after: bool) -> None:
    await life(rig)
    answering(rig)
    await rig.settle()
    id, attempts = await killed_anywhere(rig, EnrichmentStep.name, after=after)
    assert attempts > 5
    assert await names(rig, "m1") == ["Osaka"]
    assert await names(rig, "m2") == ["大阪", "凤凰计划", "小雨"]
    assert [len(m.cues) for m in await rig.store.find(["m1", "m2"])] == [1, 1]
    decided = await rig.journal.decisions(id)
    assert sorted(each.decision.memories for each in decided) == [("m1",), ("m2",)]


async def test_what_is_forgotten_while_it_is_asked_about_gets_nothing(rig: Rig) -> None:
    await life(rig)
    answering(rig)
    complete = rig.model.complete

    async def forget(prompt: Prompt, *, session: str) -> Completion:
        if prompt.name == "enrich":
            await rig.engine.curation.forget(["m1"], by="ann")
        return await complete(prompt, session=session)

    rig.model.complete = forget
    assert [each.decision.memories for each in await slept(rig)] == [("m2",)]
    assert await names(rig, "m1") == []
    assert (await rig.store.get("m2")).relations == (Relation("小雨", "住在", "大阪"),)


async def test_somebody_erased_while_they_are_asked_about_leaves_nothing(rig: Rig) -> None:
    await life(rig)
    await erased_while_asked(rig, "enrich")


async def test_two_memories_of_one_event_get_one(rig: Rig) -> None:
    await rig.say(ANNS, "Good evening")
    await keep(rig, TRAIN, "m1")
    await keep(rig, "Ann came back from Osaka by ferry", "m2", age=19)
    answering(rig)
    await slept(rig)
    one, other = await rig.store.find(["m1", "m2"])
    assert one.event is not None
    assert one.event == other.event


async def test_names_that_are_found_become_a_thread_in_the_same_night(rig: Rig) -> None:
    await rig.say(ANNS, "Good evening")
    for number, text in enumerate((TRAIN, "Ann saw a castle in Osaka", "Osaka was rainy for Ann")):
        origin = Origin(episode=f"e{number}")
        await keep(rig, text, f"m{number}", age=20 - 2 * number, origin=origin)
    answering(rig)
    await slept(rig)
    [thread] = await rig.memories(Kind.NARRATIVE)
    assert thread.summary == "Osaka"
    assert thread.tells == ("m0", "m1", "m2")


def test_no_reply_links_one_persons_names_nor_makes_one_another() -> None:
    links = [Relation("rob", predicate, "bob") for predicate in (ALSO_CALLED, "met")]
    told = NoteDetails(relations=tuple(links))
    after = enriched(memory("Rob met Bob"), told, "Rob met Bob")
    assert after.relations == (Relation("rob", "met", "bob"),)
    texts = ("Ann keeps bees in 大阪", "Ann keeps bees in 大阪")
    one, other = (memory(text, id=f"m{n}") for n, text in enumerate(texts))
    named = enriched(one, NoteDetails(entities=(Entity("大阪", "大阪", "place"),)), one.text)
    assert not apart(named, other)
    assert not apart(other, named)


def test_what_a_memory_has_stays_and_done_twice_it_is_the_same() -> None:
    known = memory(
        TRAIN,
        cues=tuple(f"cue {n}" for n in range(5)),
        sentiment=Sentiment(Mood.NEGATIVE, 0.5),
        entities=(Entity("osaka", "Osaka", "city"),),
    )
    told = NoteDetails(
        entities=(Entity("osaka", "Osaka", "place"), Entity("train", "train")),
        sentiment=Sentiment(Mood.POSITIVE),
        cues=("one more", "too many"),
    )
    after = enriched(known, told, TRAIN)
    assert after.entities == (Entity("osaka", "Osaka", "city"), Entity("train", "train"))
    assert after.sentiment == known.sentiment
    assert after.cues == (*known.cues, "one more")
    assert enriched(after, told, TRAIN) == after
    assert replace(without_enrichment(after), enrichment=None) == known
    assert enriched(known, told, "another text") == known


@pytest.mark.parametrize("backend", ["sqlite", "chroma"])
async def test_every_backend_keeps_it_and_finds_by_it(quick_folder: Path, backend: str) -> None:
    known = memory(TRANSLATOR)
    store = await open_store(backend, quick_folder)
    await store.put([known])
    told = NoteDetails(entities=(Entity("大阪", "大阪", "place"),), cues=("interpret a contract",))
    await store.amend([known.id], lambda each: enriched(each, told, TRANSLATOR))
    scopes = frozenset({ANNS.key})
    assert [each.memory for each in await store.mentioning(["大阪"], scopes)] == [known.id]
    hits = await store.search_text("interpret contract", scopes, limit=5)
    assert [hit.id for hit in hits] == [known.id]
    await store.close()
    again = await open_store(backend, quick_folder)
    assert await again.get(known.id) == enriched(known, told, TRANSLATOR)
    await again.close()
