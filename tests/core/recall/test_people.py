"""The names people go by: read once, then noticed as people speak."""

import pytest
from astrbot_plugin_tidemark.core.capture.segmentation import segmenter
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.ports import EpisodeLimits, Journal
from astrbot_plugin_tidemark.core.recall.people import People

from ...kit import Fragile, Fuse, Interruption, place

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
ANNA = ("qq", "901")
TELE = Scope(ScopeKind.PRIVATE, "telegram", "77", "default")
WEB = Scope(ScopeKind.PRIVATE, "webchat", "901", "default")
CHATS = frozenset({GROUP.owner, TELE.owner, WEB.owner})


def turn(name: str, *, user: str = "901", role: Role = Role.USER, scope: Scope = GROUP) -> NewTurn:
    return NewTurn(place(scope), role, Speaker(user, name), "hello", 1.0)


async def spoke(journal: Journal, people: People, said: NewTurn) -> None:
    await journal.append(said, segmenter(EpisodeLimits()))
    people.notice(said)


async def test_the_newest_name_counts_whenever_it_was_said(journal: Journal) -> None:
    people = People(journal)
    await spoke(journal, people, turn("Anna"))
    assert (await people.names(CHATS))[ANNA] == "Anna"
    await spoke(journal, people, turn("Annie"))
    assert (await people.names(CHATS))[ANNA] == "Annie"
    people = People(journal)
    await spoke(journal, people, turn("Anna"))
    for said in (turn(""), turn("Tide", user="10001", role=Role.ASSISTANT)):
        people.notice(said)
    assert dict(await people.names(CHATS)) == {ANNA: "Anna"}
    people = People(journal)
    await spoke(journal, People(journal), turn("Anna"))
    people.notice(turn("Annie"))
    assert (await people.names(CHATS))[ANNA] == "Annie"


async def test_people_are_called_by_names_now_and_then_until_forgotten(journal: Journal) -> None:
    people = People(journal)
    await spoke(journal, people, turn("Ａnna"))
    assert await people.called(CHATS) == {"anna"}
    await spoke(journal, people, turn("Annie"))
    assert await people.called(CHATS) == {"anna", "annie"}
    people.forget([ANNA])
    assert await people.called(CHATS) == set()
    people = People(journal)
    await spoke(journal, people, turn("Anna"))
    await spoke(journal, people, turn("Annie"))
    people.forget([ANNA])
    assert await people.same(CHATS) == {}


async def test_one_id_on_two_platforms_is_two_people(journal: Journal) -> None:
    people = People(journal)
    await spoke(journal, people, turn("Anna"))
    await spoke(journal, people, turn("Someone", scope=WEB))
    assert await people.names(CHATS) == {ANNA: "Anna", ("webchat", "901"): "Someone"}


async def test_names_are_read_once_or_again_after_a_failure(journal: Journal) -> None:
    fuse = Fuse()
    people = People(Fragile(journal, fuse))
    for _ in range(3):
        await people.names(CHATS)
    assert fuse.calls == 1
    people = People(Fragile(journal, Fuse(blow_at=1)))
    await spoke(journal, People(journal), turn("Anna"))
    with pytest.raises(Interruption):
        await people.names(CHATS)
    assert (await people.names(CHATS))[ANNA] == "Anna"


async def test_who_changes_names_is_the_same_by_each(journal: Journal) -> None:
    people = People(journal)
    for name in ("Anna", "Annie", "Anna", "ANNA"):
        await spoke(journal, people, turn(name))
    assert await people.same(CHATS) == {"anna": ["annie"], "annie": ["anna"]}
    people = People(journal)
    for user, name in (("901", "Anna"), ("902", "Anna"), ("901", "Annie"), ("902", "Annika")):
        await spoke(journal, people, turn(name, user=user))
    assert (await people.same(CHATS))["anna"] == ["annie", "annika"]


async def test_accounts_that_an_alias_joins_go_by_each_others_names(journal: Journal) -> None:
    people = People(journal)
    await spoke(journal, people, turn("Anna"))
    await spoke(journal, people, turn("鸭子", user="77", scope=TELE))
    await spoke(journal, people, turn("Ben", user="902"))
    assert await people.same(CHATS) == {}
    for platform, user in (ANNA, ("telegram", "77")):
        await journal.set_alias(platform, user, "ann")
    assert await people.same(CHATS) == {"anna": ["鸭子"], "鸭子": ["anna"]}
    await journal.set_alias("telegram", "77", None)
    assert await people.same(CHATS) == {}
