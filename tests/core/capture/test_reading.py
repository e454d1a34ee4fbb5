"""An episode as it is read, where it ends, and what of it is known already."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.capture.known import Gap, covers, gap
from astrbot_plugin_tidemark.core.capture.reading import (
    CARELESS,
    FEWEST,
    LAST,
    OFTEN,
    EpisodeReading,
    Picking,
    pieces,
)
from astrbot_plugin_tidemark.core.capture.segmentation import segmenter
from astrbot_plugin_tidemark.core.model.conversation import (
    Episode,
    EpisodeEnd,
    NewTurn,
    Role,
    Speaker,
)
from astrbot_plugin_tidemark.core.model.knowledge import Entity, EventType
from astrbot_plugin_tidemark.core.model.lesson import Candidate
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Source
from astrbot_plugin_tidemark.core.ports import EpisodeLimits
from astrbot_plugin_tidemark.core.records.evidence import rarities, weigher
from astrbot_plugin_tidemark.core.sleep.steps.enrichment import same_event

from ...samples import ANN, DAY, HERE, memory, turn

ENOUGH = round(FEWEST / CARELESS)
CEDAR, TEACHER, BEES = (memory(text, id=text) for text in ("cedar", "teacher", "bees"))
SPOKEN = [turn(1, "a"), turn(2, "b", Role.ASSISTANT)]


def test_shown_memories_have_the_first_numbers_and_a_call_is_for_news() -> None:
    reading = EpisodeReading("e1", SPOKEN, [CEDAR, TEACHER], beside=[BEES, CEDAR])
    assert [each.id for each in reading.known.values()] == ["cedar", "teacher", "bees"]
    assert [each.id for each in reading.brought_up.values()] == ["cedar", "teacher"]
    nothing = EpisodeReading("e1", SPOKEN, [CEDAR])
    assert nothing.tells_nothing
    assert not EpisodeReading("e1", SPOKEN, gap=Gap(frozenset({1}))).tells_nothing
    judged = frozenset({"cedar"})
    assert not EpisodeReading("e1", SPOKEN, [CEDAR], judged=judged).tells_nothing
    again = Gap(frozenset({1}), {1: 1})
    assert EpisodeReading("e1", SPOKEN, [CEDAR], judged=judged, gap=again).tells_nothing


def test_turns_are_halved_by_length_before_a_line_of_a_person() -> None:
    turns = [
        turn(1, "a" * 10),
        turn(2, "b" * 10, Role.ASSISTANT),
        turn(3, "c"),
        turn(4, "d" * 30, Role.ASSISTANT),
        turn(5, "e"),
    ]
    assert pieces(turns, 0) == [turns]
    assert pieces(turns, 1) == [turns[:2], turns[2:]]
    assert pieces(turns, 2) == [turns[:2], turns[2:4], turns[4:]]
    assert pieces(turns[:2], 3) == [turns[:2]]
    assert pieces([], 1) == [[]]


LIMITS = EpisodeLimits(silence=1800.0, turns=4, characters=100)


def end(
    at: float, *, turns: int = 1, characters: int = 10, role: Role = Role.USER
) -> EpisodeEnd | None:
    episode = Episode("e1", HERE, 0.0, 1000.0, turns, characters)
    return segmenter(LIMITS)(episode, NewTurn(HERE, role, ANN, "hi", at))


def test_silence_ends_an_episode_but_a_full_one_takes_the_last_answer() -> None:
    assert end(2799.9) is None
    assert end(2800.0) is EpisodeEnd.SILENCE
    assert end(-1e9) is None
    assert end(1001.0, turns=4, characters=100, role=Role.ASSISTANT) is None
    assert end(2800.0, role=Role.ASSISTANT) is EpisodeEnd.SILENCE


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ({"turns": 4}, EpisodeEnd.SIZE),
        ({"characters": 100}, EpisodeEnd.SIZE),
        ({"turns": 3}, None),
        ({"characters": 99}, None),
    ],
)
def test_a_full_episode_ends(size: dict[str, int], why: EpisodeEnd | None) -> None:
    assert end(1001.0, **size) is why


def telling(text: str, days: float = 0.0, *names: str) -> Memory:
    entities = tuple(Entity(name, name) for name in names)
    return replace(memory(text), happened_at=days * DAY, entities=entities)


@pytest.mark.parametrize(
    ("one", "other", "type", "same"),
    [
        (("I bought a red bike", 0), ("The red bike I bought is fast", 2), "purchase", True),
        (("I bought a red bike", 0), ("I bought red shoes", 2), "purchase", False),
        (("I bought a red bike", 0), ("The red bike I bought is fast", 90), "purchase", False),
        (("去大阪旅行", 0, "大阪"), ("订了大阪的酒店", 5, "大阪"), "trip", True),
        (("去大阪旅行", 0, "大阪"), ("去成都旅行", 5, "成都"), "trip", False),
        (("旅行", 0), ("去旅行了", 0), "trip", False),
    ],
)
def test_the_same_is_told_of_near_in_time_and_of_the_same_things(
    one: tuple[str, float], other: tuple[str, float], type: str, same: bool
) -> None:
    assert same_event(telling(*one), telling(*other), EventType(type)) is same


def episode(passing: int, telling: int) -> EpisodeReading:
    turns = [turn(n, "a") for n in range(1, passing + telling + 1)]
    lasting = {each.seq: -9.0 if each.seq <= passing else 9.0 for each in turns}
    return EpisodeReading("e1", turns, lasting=lasting)


def picked(number: int = FEWEST) -> list[Candidate]:
    return [Candidate("x", "x", (n,)) for n in range(1, number + 1)]


@pytest.mark.parametrize(
    ("passing", "telling", "from_passing", "careless"),
    [
        (ENOUGH, 0, FEWEST, True),
        (ENOUGH, 0, FEWEST - 1, False),
        (ENOUGH + 1, 0, FEWEST, False),
        (FEWEST, round(FEWEST / OFTEN) - FEWEST, FEWEST, True),
        (FEWEST, round(FEWEST / OFTEN) - FEWEST + 1, FEWEST, False),
    ],
    ids=["picks", "few", "of more", "small talk", "told one by one"],
)
def test_careless_is_who_picks_from_much_that_passes_of_small_talk(
    passing: int, telling: int, from_passing: int, careless: bool
) -> None:
    picking = Picking()
    picking.note(episode(passing, telling), picked(from_passing), False)
    assert picking.careless is careless


def test_how_a_model_picks_is_told_by_its_last_episodes_alone() -> None:
    picking = Picking()
    for _ in range(LAST):
        picking.note(episode(FEWEST, 1), picked(), picking.careless)
        assert picking.careless
    picking.note(episode(FEWEST, 1), picked(), True)
    assert not picking.careless


def test_turns_without_a_vector_do_not_make_what_passes_look_rare() -> None:
    picking = Picking()
    picking.note(replace(episode(FEWEST, 99), lasting={}), picked(), False)
    picking.note(episode(FEWEST, 0), picked(), False)
    assert picking.careless


def test_lines_of_the_bot_are_told_beside_those_of_people_that_tell_something() -> None:
    spoken = [*SPOKEN, turn(3, "c"), turn(4, "d", Role.ASSISTANT)]
    told = EpisodeReading("e1", spoken, lasting={1: -3.0, 3: 2.0})
    assert [each.text for each in told.telling(spoken)] == ["b", "c", "d"]
    assert told.telling(spoken[:2]) == []
    assert EpisodeReading("e1", spoken).telling(spoken) == spoken


PLAIN = rarities([])


def covered(known: str, said: str, **changes: object) -> bool:
    told = memory(known, **{"speaker": ANN, "about": ("Ann",), **changes})
    return covers(told, turn(1, said), weigher(PLAIN))


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ann keeps bees behind the chapel", "I keep bees behind the chapel"),
        ("Ann lives in Bath", "I live in Bath"),
        ("Ann对花生过敏", "我对花生过敏"),
        ("用户养了一只叫布丁的橘猫", "我养了一只叫布丁的橘猫"),
    ],
)
def test_what_is_told_again_in_the_same_words_is_known(known: str, said: str) -> None:
    assert covered(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ann lives in Bath", "I moved from Bath to Wells"),
        ("Ann keeps 2 hives", "I keep 3 hives"),
        ("Ann eats meat", "I do not eat meat"),
        ("Ann does not eat meat", "I eat meat"),
        ("Ann's mother is allergic to peanuts", "I am allergic to peanuts"),
        ("Ann is allergic to peanuts", "My mother is allergic to peanuts"),
        ("Ann used to live in Bath", "I live in Bath"),
        ("Ann has her exam on Monday", "I have my exam on Friday"),
        ("Ann likes green tea", "I keep green tea"),
        ("Ann sometimes runs", "I always run"),
        ("用户不吃香菜", "我吃香菜"),
        ("用户的妈妈对花生过敏", "我对花生过敏"),
        ("用户住在杭州", "我搬到上海了"),
        ("用户有两只猫", "我有三只猫"),
    ],
)
def test_what_differs_in_anything_that_matters_is_news(known: str, said: str) -> None:
    assert not covered(known, said)


@pytest.mark.parametrize(
    "changes",
    [
        {"about": ("Bob",), "speaker": ANN},
        {"source": Source.BOT},
        {"kind": Kind.PROSPECTIVE},
        {"kind": Kind.EVIDENCE},
        {"kind": Kind.EPISODIC, "happened_at": -400_000.0},
    ],
    ids=["of somebody else", "by the bot", "a plan", "a raw turn", "of another day"],
)
def test_a_memory_of_another_sort_tells_nothing_again(changes: dict[str, object]) -> None:
    assert not covered(
        "Ann keeps bees behind the chapel", "I keep bees behind the chapel", **changes
    )


def test_what_nobody_told_yet_is_news_also_in_a_group() -> None:
    place = {"scope": "group/qq/5000/default"}
    told = memory("Ann keeps bees behind the chapel", speaker=ANN, **place)
    said = turn(1, "I keep bees behind the chapel")
    group = type(said.place)(said.place.session, "c1", "group/qq/5000/default")
    said = type(said)(1, "e1", group, Role.USER, Speaker("902", "Ben"), said.text, 1.0)
    assert not covers(told, said, weigher(PLAIN))
    turns = [
        turn(1, "Can I have coffee with my high blood pressure?"),
        turn(2, "I keep bees behind the chapel"),
        turn(3, "My smoker broke last week"),
        turn(4, "The bees behind the chapel are yours", Role.ASSISTANT),
    ]
    known = {7: memory("Ann keeps bees behind the chapel", speaker=ANN, about=("Ann",))}
    found = gap(turns, known, PLAIN)
    assert (found.telling, found.covered, found.news) == ({1, 2, 3}, {2: 7}, {1, 3})


@pytest.mark.parametrize(
    ("said", "tells"),
    [("I am vegan", True), ("我吃素", True), ("OK", False), ("谢谢", False), ("Why?", False)],
)
def test_of_oneself_a_word_is_enough(said: str, tells: bool) -> None:
    assert bool(gap([turn(1, said)], {}, PLAIN).news) is tells
