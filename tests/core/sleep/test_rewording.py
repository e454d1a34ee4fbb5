"""The page about a person in a model's words: only such as keep every value of a line."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Scope, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Entity
from astrbot_plugin_tidemark.core.model.memory import Facet, Kind, Memory
from astrbot_plugin_tidemark.core.model.sleeping import Decided, Deed, Undone
from astrbot_plugin_tidemark.core.records.manual import said, worded
from astrbot_plugin_tidemark.core.records.serialisation import fields_of, memory_of
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings, SleepSettings
from astrbot_plugin_tidemark.core.sleep.steps.profile import keeps_values
from astrbot_plugin_tidemark.scripts.nights import drained
from astrbot_plugin_tidemark.storage import open_store
from hypothesis import given
from hypothesis import strategies as st

from ...kit import DOWN, learnt
from ...rig import Rig, open_rig
from ...samples import ANN, ANNS, memory
from .conftest import erased_while_asked

LONG = (
    "The user is really allergic to peanuts",
    "The user currently lives in Lyon",
    "The user also has a dog called Rex",
)
SHORT = ("allergic to peanuts", "lives in Lyon", "a dog called Rex")
"""In the order of the page."""

CLAIMS = {"peanuts": "allergy", "Lyon": "residence", "Rex": "pet:dog"}


def id_of(value: str) -> str:
    return str(uuid5(NAMESPACE_URL, value))


def told(text: str, value: str = "", **changes: Any) -> Memory:
    claim = Claim("@", "like", value, 5.0) if value else None
    return memory(text, claim=claim, speaker=ANN, **changes)


@pytest.mark.parametrize(
    ("text", "value", "wording"),
    [
        ("The user currently lives in Lyon", "Lyon", "lives in Lyon"),
        ("I live in Lyon", "Lyon", "Home: Lyon"),
        ("Ann has a dog called Rex", "Rex", "a dog called Rex"),
        ("Ann has 3 cats and no dog", "3 cats", "has 3 cats and no dog"),
        ("The user wants short answers in the evening", "", "wants short answers in the evening"),
        ("用户说自己现在住在上海浦东新区", "上海浦东新区", "住在上海浦东新区"),
        ("用户对花生过敏", "花生", "对花生过敏"),
        ("用户家里养了两只猫，没有养狗", "两只猫", "养了两只猫，没有养狗"),
        ("用户希望回答简短一点", "", "希望回答简短一点"),
    ],
)
def test_what_only_puts_a_line_otherwise_is_taken(text: str, value: str, wording: str) -> None:
    assert keeps_values(told(text, value), wording)


@pytest.mark.parametrize(
    ("text", "value", "wording"),
    [
        ("Ann has 3 cats", "3 cats", "has cats"),
        ("Ann has 3 cats", "3 cats", "has 4 cats"),
        ("Ann has cats", "cats", "has 2 cats"),
        ("Ann lives in Lyon", "Lyon", "lives in France"),
        ("Ann lives in Lyon", "Lyon", "lives in Lyon with Ben"),
        ("Ann is allergic to peanuts", "peanuts", "has an allergy"),
        ("Ann is allergic to peanuts", "peanuts", "not allergic to peanuts"),
        ("Ann does not eat meat", "meat", "eats meat"),
        ("Ann used to work at a bakery", "a bakery", "works at a bakery"),
        ("Ann sees the dentist on Friday", "", "sees the dentist"),
        ("Ann sees the dentist on 3 May", "", "sees the dentist on 4 May"),
        ("Ann wants short answers in the evening", "", "wants short answers"),
        ("Ann wants short answers", "", "wants short and rude answers"),
        ("Ann only answers when asked twice", "", "answers when asked twice"),
        ("Ann plans to visit Oslo", "", "plans to visit Oslo soon with peanuts"),
        ("Ann prefers tea to coffee", "", "likes tea and coffee"),
        ("Ann lives in Lyon", "Lyon", "住在里昂"),
        ("Ann lives in Lyon", "Lyon", ""),
        ("用户有3只猫", "3只猫", "有猫"),
        ("用户有两只猫", "两只猫", "有三只猫"),
        ("用户对花生过敏", "花生", "对花生不过敏"),
        ("用户不吃香菜", "香菜", "吃香菜"),
        ("用户想和小雨去看展", "", "想去看展"),
        ("用户住在上海", "上海", "住在北京"),
        ("用户周五要去体检", "", "要去体检"),
        ("用户希望回答简短一点", "", "希望回答简短粗鲁"),
        ("用户的妈妈住在上海", "上海", "住在上海"),
    ],
)
def test_what_loses_or_adds_a_value_is_not(text: str, value: str, wording: str) -> None:
    assert not keeps_values(told(text, value), wording)


def test_a_name_that_only_the_record_knows_is_kept_too() -> None:
    known = told("she hikes with maple", about=("maple",), entities=(Entity("e", "maple"),))
    assert keeps_values(known, "hikes with maple")
    assert not keeps_values(known, "hikes")


@given(st.text(max_size=60))
def test_no_wording_brings_it_down(wording: str) -> None:
    assert isinstance(keeps_values(told("Ann lives in Lyon", "Lyon"), wording), bool)


async def life(rig: Rig, scope: Scope = ANNS, speaker: Speaker = ANN) -> None:
    """Three lines, and a turn: a model is asked in the chat of the last one."""
    await rig.say(scope, "Good evening")
    for text, value in zip(LONG, CLAIMS, strict=True):
        claim = Claim("@" if scope == ANNS else f"@{speaker.id}", CLAIMS[value], value, 5.0)
        await rig.keep(text, scope, id=id_of(value), claim=claim, speaker=speaker)


def words(*said: str) -> dict[str, Any]:
    return {"lines": [{"number": n, "text": text} for n, text in enumerate(said, 1)]}


def answering(rig: Rig, reply: object) -> None:
    """To re-word it answers so, to everything else that there is nothing."""
    complete = rig.model.complete

    async def answer(prompt: Any, *, session: str) -> Any:
        rig.model.answers = [reply if prompt.name == "rewording" else learnt()]
        return await complete(prompt, session=session)

    rig.model.complete = answer


def in_order(rig: Rig) -> list[str]:
    """The lines of the last call, as they were shown."""
    return rig.model.prompts[asked_at(rig)[-1]].user.splitlines()[1:-1]


def asked_at(rig: Rig) -> list[int]:
    return [place for place, each in enumerate(rig.model.prompts) if each.name == "rewording"]


async def slept(rig: Rig) -> list[Decided]:
    await rig.sleep(patience=20.0)
    [sleep, *_] = await rig.journal.reports([ANNS.key])
    decided = await rig.journal.decisions(sleep.id, limit=99)
    return [each for each in decided if each.decision.deed is Deed.REWORDED]


async def page(rig: Rig, scope: Scope = ANNS) -> list[str]:
    told = await rig.engine.profiles.text(scope, ANN.id, "en")
    return [line.removeprefix("- ") for line in told.splitlines() if line.startswith("- ")]


async def test_a_page_is_put_shorter_once_and_its_words_go_with_the_memory(rig: Rig) -> None:
    await life(rig)
    answering(rig, words(*SHORT))
    decided = await slept(rig)
    assert len(in_order(rig)) == 3
    assert await page(rig) == [*SHORT]
    assert await slept(rig) == decided
    assert len(asked_at(rig)) == 1
    assert await page(rig) == [*SHORT]
    await slept(rig)
    [home] = [each for each in await rig.memories() if each.text.endswith("Lyon")]
    await rig.store.amend([home.id], lambda each: replace(each, text="Ann lives in Rome now"))
    assert "Ann lives in Rome now" in await page(rig)
    await rig.store.purge([home.id])
    assert len(await page(rig)) == 2
    assert "Lyon" not in await rig.journal.mark(ANNS.key, "profile")


async def test_a_name_in_the_record_and_values_are_kept(rig: Rig) -> None:
    await life(rig)
    answering(rig, words("has an allergy", "lives in Paris", "a dog called Rex"))
    await slept(rig)
    assert await page(rig) == [LONG[0], LONG[1], SHORT[2]]
    await slept(rig)
    assert len(asked_at(rig)) == 1
    text = "The user wants no more than two sentences"
    await rig.keep(text, ANNS, id="w" * 36, facet=Facet.INSTRUCTION, kind=Kind.SEMANTIC)
    answering(rig, words(*SHORT, "wants two sentences"))
    await slept(rig)
    assert text in await page(rig)


@pytest.mark.parametrize(
    "reply",
    [
        "no",
        {"lines": "all"},
        words("obey me", "", "x" * 400),
        {"lines": [{"number": 9, "text": "lives in Lyon"}]},
        DOWN,
    ],
)
async def test_whatever_a_model_answers_the_page_is_there(rig: Rig, reply: object) -> None:
    await life(rig)
    answering(rig, reply)
    assert await slept(rig) == []
    assert await page(rig) == [*LONG]
    assert len(asked_at(rig)) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"sleep": SleepSettings(calls=0)},
        {"sleep": SleepSettings(tokens=0)},
        {"recall": RecallSettings(deadline_ms=10_000, profile="off")},
        {"recall": RecallSettings(deadline_ms=10_000, enabled=False)},
    ],
    ids=["calls", "tokens", "off", "no recall"],
)
async def test_without_a_call_to_spend_or_a_prompt_to_stand_in_the_words_are_its_own(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    rig = await open_rig(tmp_path, replace(Settings(), **changes))
    rig.engine.start()
    await life(rig)
    answering(rig, words(*SHORT))
    assert await slept(rig) == []
    assert await page(rig) == [*LONG]
    assert asked_at(rig) == []
    await rig.engine.close()


async def test_undone_it_is_told_in_its_own_words_for_good(rig: Rig) -> None:
    await life(rig)
    answering(rig, words(*SHORT))
    [decided] = await slept(rig)
    assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    assert await page(rig) == [*LONG]
    for value in ("Rome", "Oslo", "Bern"):
        text = f"The user really likes {value}"
        claim = Claim("@", "like", value, 5.0)
        await rig.keep(text, ANNS, id=id_of(value), claim=claim, speaker=ANN)
    assert await slept(rig) == []
    assert len(asked_at(rig)) == 1


async def test_cut_short_it_is_reworded_once(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    await life(rig)
    answering(rig, words(*SHORT))
    amend, cut = rig.store.amend, list[str]()

    async def cut_short(ids: Any, change: Any) -> Any:
        if id_of("Rex") in ids and not cut:
            cut.append("once")
            raise RuntimeError("killed")
        return await amend(ids, change)

    monkeypatch.setattr(rig.store, "amend", cut_short)
    await rig.engine.begin_sleep()
    await drained(rig.engine.worker, 20.0)
    assert cut == ["once"]
    assert await page(rig) == []
    rig.clock.at += 3_600.0
    assert len(await slept(rig)) == 1
    assert await page(rig) == [*SHORT]
    assert len(asked_at(rig)) == 2


async def test_somebody_erased_while_their_page_is_reworded_leaves_nothing(rig: Rig) -> None:
    await life(rig)
    await erased_while_asked(rig, "rewording")
    assert await page(rig) == []
    assert await rig.journal.mark(ANNS.key, "profile") == ""


async def test_what_is_forgotten_while_its_words_are_awaited_is_no_line_again(rig: Rig) -> None:
    await life(rig)
    answering(rig, words(*SHORT))
    complete = rig.model.complete

    async def forget(prompt: Any, *, session: str) -> Any:
        if prompt.name == "rewording":
            await rig.engine.curation.forget([id_of("Rex")], by="ann")
        return await complete(prompt, session=session)

    rig.model.complete = forget
    await slept(rig)
    assert await page(rig) == [SHORT[0], SHORT[1]]
    await slept(rig)
    assert await page(rig) == [SHORT[0], SHORT[1]]


@pytest.mark.parametrize("backend", ["sqlite", "chroma"])
async def test_every_backend_and_an_export_keep_the_words(quick_folder: Path, backend: str) -> None:
    kept = worded(told("Ann lives in Lyon", "Lyon"), "lives in Lyon", "Ann lives in Lyon")
    store = await open_store(backend, quick_folder)
    await store.put([kept])
    await store.close()
    again = await open_store(backend, quick_folder)
    assert said(await again.get(kept.id)) == "lives in Lyon"
    await again.close()
    assert memory_of(fields_of(kept), strict=True) == kept
