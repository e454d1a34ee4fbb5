"""Listing, searching and forgetting by the people of a chat."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import ANY_PERSONA, Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.errors import EmbeddingUnavailable
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Event
from astrbot_plugin_tidemark.core.model.memory import (
    Community,
    Kind,
    Standing,
    Status,
    Succession,
    Successor,
    UserFeedback,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import EmbedderIdentity, Vector

from ..command_rig import ANN, BEN, DAY, GROUP, NOW, CommandRig, admin, in_group

TWINS = ("abcdef11-0000-4000-8000-000000000000", "abcdef22-0000-4000-8000-000000000000")


class Down:
    async def identity(self) -> EmbedderIdentity:
        return EmbedderIdentity("far", "away", 3)

    async def embed_documents(self, texts: object) -> list[Vector]:
        raise EmbeddingUnavailable("no answer")

    async def embed_query(self, text: str) -> Vector:
        raise EmbeddingUnavailable("no answer")


# mine


async def test_mine_lists_the_newest_first_if_there_is_any(rig: CommandRig) -> None:
    assert await rig.ask("mine") == "Nothing is remembered here yet."
    await rig.remember("gone", standing=Standing(Status.BINNED, NOW, "decayed", NOW + DAY))
    assert await rig.ask("mine") == "Nothing is remembered here yet."
    old = await rig.remember("Ann likes tea", created_at=NOW - 10 * DAY)
    new = await rig.remember("Ann keeps bees", vitality=Vitality(7, useful_score=5.0))
    assert (await rig.ask("mine")).splitlines() == [
        "2 memories, page 1 of 1:",
        f"{new.id[:6]} 2025-06-15 [settling 7] Ann keeps bees",
        f"{old.id[:6]} 2025-06-05 [fading 6] Ann likes tea",
        "Details: /memory show ID",
    ]


async def test_mine_marks_raw_messages_last_and_what_is_kept_or_replaced(rig: CommandRig) -> None:
    await rig.remember("I keep bees", kind=Kind.EVIDENCE)
    await rig.remember("Ann keeps bees", created_at=NOW - DAY)
    lines = (await rig.ask("mine")).splitlines()
    assert lines[1].endswith("[fading 6] Ann keeps bees")
    assert lines[2].endswith("[fading 6 · verbatim] I keep bees")
    await rig.remember("peanuts", feedback=UserFeedback(important=True))
    await rig.remember("old job", successor=Successor("new job", Succession.SUPERSEDES))
    listing = await rig.ask("mine")
    assert "[fading 6 · kept for good] peanuts" in listing
    assert "[fading 6 · replaced] old job" in listing


async def test_every_page_of_mine_together_lists_each_memory_once(rig: CommandRig) -> None:
    for number in range(11):
        await rig.remember(f"fact {number:02}")
    for number in range(9):
        await rig.remember(f"said {number:02}", kind=Kind.EVIDENCE)
    pages = [await rig.ask("mine", str(page)) for page in (1, 2, 3)]
    texts = [line.split("] ")[1] for page in pages for line in page.splitlines() if "] " in line]
    assert sorted(texts) == sorted(
        [f"fact {n:02}" for n in range(11)] + [f"said {n:02}" for n in range(9)]
    )
    assert [text[:4] for text in texts] == ["fact"] * 11 + ["said"] * 9
    assert "page 3 of 3" in await rig.ask("mine", "999999")


async def test_a_memory_is_shown_on_one_short_line_a_page_in_a_message(rig: CommandRig) -> None:
    await rig.remember("first line\nsecond <line>\x00 " + "x" * 500)
    line = (await rig.ask("mine")).splitlines()[1]
    assert "first line second ‹line›" in line
    assert len(line) < 140
    for number in range(8):
        await rig.remember(f"{number}" + "潮" * 500)
    assert len(await rig.ask("mine")) <= 1_400


async def test_an_id_of_two_memories_is_longer_and_forgets_neither(rig: CommandRig) -> None:
    for number, twin in enumerate(TWINS):
        await rig.remember(f"twin {number}", id=twin)
    listing = await rig.ask("mine")
    assert "abcdef11 " in listing
    assert "abcdef22 " in listing
    for number, twin in enumerate(TWINS):
        await rig.remember(f"twin {number}", id=twin)
    assert "more than one memory" in await rig.ask("forget", "abcdef")
    assert "In the bin" in await rig.ask("forget", "ABCDEF11")


# search


async def test_search_numbers_what_it_finds_and_tells_of_silent_legs(rig: CommandRig) -> None:
    memory = await rig.remember("Ann is allergic to peanuts")
    await rig.remember("The bicycle needs a new chain")
    await rig.engine.backfill.once()
    header, line, *_ = (await rig.ask("search", "allergic to peanuts?")).splitlines()
    assert header.startswith("Found ")
    assert line.startswith(f"1. {memory.id[:6]} ")
    assert line.endswith("Ann is allergic to peanuts")
    assert {"words", "meaning"} == set(line.split()[3].split("+"))
    rig.embedders.embedder = Down()
    await rig.remember("Ann is allergic to peanuts")
    answer = await rig.ask("search", "peanuts")
    assert "Ann is allergic" in answer
    assert "(searching by meaning did not answer this time)" in answer


async def test_an_explained_search_tells_ranks_and_scores(rig: CommandRig) -> None:
    memory = await rig.remember("Ann is allergic to peanuts")
    header, line, numbers = (await rig.ask("search", "--explain peanuts")).splitlines()
    assert header == "Found 1:"
    assert line == f"1. {memory.id[:6]} Ann is allergic to peanuts"
    assert numbers.startswith("    fit ")
    assert "words#1=" in numbers


async def test_search_says_when_nothing_is_found_and_does_not_count_as_use(rig: CommandRig) -> None:
    assert await rig.ask("search", "peanuts") == "No memory found about that."
    await rig.remember("Ben is allergic to peanuts", of=BEN)
    assert "Ben" not in await rig.ask("search", "peanuts")
    memory = await rig.remember("Ann is allergic to peanuts")
    await rig.ask("search", "peanuts")
    assert await rig.engine.store.get(memory.id) == memory


# forget


async def test_a_forgotten_memory_is_in_the_bin_until_a_day_and_not_found(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    answer = await rig.ask("forget", memory.id[:6])
    assert answer == "In the bin, to be deleted for good after 2025-07-15: Ann keeps bees"
    standing = (await rig.engine.store.get(memory.id)).standing
    assert (standing.status, standing.reason) == (Status.BINNED, "by_hand")
    memory = await rig.remember("Ann is allergic to peanuts")
    await rig.ask("forget", memory.id)
    assert await rig.ask("search", "peanuts") == "No memory found about that."


async def test_what_is_kept_for_good_can_be_forgotten_by_its_owner_alone(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees", feedback=UserFeedback(important=True))
    assert "In the bin" in await rig.ask("forget", memory.id)
    private = await rig.remember("Ann's secret", speaker=Speaker("901", "Ann"))
    answer = await rig.ask("forget", private.id, by=in_group(ANN))
    assert answer == await rig.ask("forget", "ffffffff", by=in_group(ANN))


async def test_in_a_group_one_forgets_what_one_said_admins_what_nobody_did(rig: CommandRig) -> None:
    said_by_ben = await rig.remember("Ben hates mondays", of=in_group(BEN))
    assert "only what you said yourself" in await rig.ask(
        "forget", said_by_ben.id, by=in_group(ANN)
    )
    assert (await rig.engine.store.get(said_by_ben.id)).standing.status is Status.LIVE
    assert "In the bin" in await rig.ask("forget", said_by_ben.id, by=in_group(BEN))
    memory = await rig.remember("the group meets on fridays", scope=GROUP.key, speaker=None)
    assert "only what you said" in await rig.ask("forget", memory.id, by=in_group(ANN))
    assert "In the bin" in await rig.ask("forget", memory.id, by=admin(in_group(ANN)))


# search --archived


def archived() -> Standing:
    return Standing(Status.ARCHIVED, NOW - DAY, "policy decay_score")


async def test_what_is_archived_is_found_by_words_by_its_owner_on_request(rig: CommandRig) -> None:
    boat = await rig.remember("Ann sold her sloop Kittiwake", standing=archived())
    await rig.remember("Ann keeps bees", standing=archived())
    assert boat.id[:6] not in await rig.ask("search", "sloop Kittiwake")
    lines = (await rig.ask("search", "--archived sloop Kittiwake")).splitlines()
    assert "Ann sold her sloop Kittiwake" in lines[1]
    assert lines[-1] == "To bring one back: /memory restore ID"
    await rig.remember("小雨把帆船卖给了老陈", standing=archived())
    assert "帆船" in await rig.ask("search", "--archived 帆船卖给谁了")
    await rig.remember("Ben sold his kayak", of=BEN, standing=archived())
    assert await rig.ask("search", "--archived kayak") == "Nothing archived has these words."
    assert await rig.ask("search", "--archived", by=in_group(ANN)) != ""


async def test_a_function_word_finds_nothing_and_mine_nothing_of_others(rig: CommandRig) -> None:
    await rig.remember("What is the sloop of Ann", standing=archived())
    asked = "--archived Where is the harbour of Bath?"
    assert await rig.ask("search", asked) == "Nothing archived has these words."
    line = (await rig.ask("search", "--archived the sloop of Ann")).splitlines()[1]
    assert 0 < int(line.split()[2 if line.startswith("1.") else 1].rstrip("%")) <= 100
    await rig.remember("Ben's secret", of=BEN)
    assert "secret" not in await rig.ask("mine")
    assert "secret" in await rig.ask("mine", by=BEN)
    await rig.remember("Ann's secret")
    assert "secret" not in await rig.ask("mine", by=admin(in_group(ANN)))


async def test_people_bring_back_their_own_archived_but_nothing_binned(rig: CommandRig) -> None:
    boat = await rig.remember("Ann sold her sloop", standing=archived())
    gone = await rig.remember("Ann keeps bees", standing=Standing(Status.BINNED, NOW, "decayed"))
    assert "Restored" in await rig.ask("restore", boat.id)
    assert boat.id[:6] in await rig.ask("search", "sloop")
    assert "Restored" not in await rig.ask("restore", gone.id)
    assert (await rig.engine.store.get(gone.id)).standing.status is Status.BINNED
    said = await rig.remember("Ben sold his sloop", of=in_group(BEN), standing=archived())
    assert "Restored" not in await rig.ask("restore", said.id, by=in_group(ANN))


async def test_communities_are_listed_the_largest_first_and_only_ones_own(rig: CommandRig) -> None:
    family, work = Community("f", NOW), Community("w", NOW)
    mum, dad, desk = Entity("mum", "Mum"), Entity("dad", "Dad"), Entity("desk", "Desk")
    await rig.remember("Mum bakes", community=family, entities=(mum, dad))
    await rig.remember("Mum sails", community=family, entities=(mum,))
    await rig.remember("the desk broke", community=work, entities=(desk,))
    told = (await rig.ask("search", "--community")).splitlines()
    assert told[1:] == ["Mum, Dad · 2 memories", "Desk · 1 memories"]
    found = await rig.ask("search", "--community bakes")
    assert "Mum sails" in found
    assert "desk" not in found
    assert "No community" in await rig.ask("search", "--community bakes", by=BEN)
    assert "No community" in await rig.ask("search", "--community zebra")


async def test_events_of_a_type_are_listed_latest_first_and_only_ones_own(rig: CommandRig) -> None:
    rome, bike = Event("r", "trip"), Event("b", "purchase")
    await rig.remember("Ann flew to Rome", event=rome, happened_at=NOW - DAY)
    await rig.remember("Ann booked a hotel in Rome", event=rome, happened_at=NOW - 3 * DAY)
    await rig.remember("Ann went to Oslo", event=Event("o", "trip"), happened_at=NOW)
    await rig.remember("Ann bought a bike", event=bike)
    told = (await rig.ask("search", "--event trip")).splitlines()
    assert [line.rpartition(" ")[2] for line in told[1:]] == ["Oslo", "Rome", "Rome"]
    assert told[3].startswith("    ")
    only = await rig.ask("search", "--event TRIP hotel")
    assert "Rome" in only
    assert "Oslo" not in only
    assert "bike" in await rig.ask("search", "--event 购物", by=replace(ANN, language="zh"))
    assert "No event of that type" in await rig.ask("search", "--event trip", by=BEN)
    assert "No event of that type" in await rig.ask("search", "--event exam")
    for nonsense in ("--event", "--event party", "--event trips"):
        assert "celebration" in await rig.ask("search", nonsense)


BOSS = admin(ANN)
CHINESE = replace(BOSS, language="zh")


def texts(answer: str) -> list[str]:
    """What the lines of a listing are about."""
    return [line.split("] ", 1)[1] for line in answer.splitlines() if "] " in line]


async def furnish(rig: CommandRig) -> None:
    """Six memories of Ann's that differ in every way one can filter by."""
    for number, (text, changes) in enumerate(
        {
            "fading": {"vitality": Vitality(2)},
            "settling": {"vitality": Vitality(9, useful_score=3.0)},
            "lasting": {"vitality": Vitality(5, useful_score=10.0)},
            "raw": {"kind": Kind.EVIDENCE, "vitality": Vitality(1)},
            "binned": {"standing": Standing(Status.BINNED, NOW, "decayed", NOW + DAY)},
            "pinned": {"vitality": Vitality(3, pinned=True)},
        }.items()
    ):
        changes = {"happened_at": NOW + number * DAY, **changes}
        await rig.remember(text, created_at=NOW - number * DAY, **changes)


async def test_the_list_has_the_live_memories_of_this_chat_newest_first(rig: CommandRig) -> None:
    await furnish(rig)
    await rig.remember("Ben's secret", of=BEN)
    answer = await rig.ask("list", by=BOSS)
    assert answer.splitlines()[0] == "5 memories, newest first, page 1 of 1:"
    assert texts(answer) == ["fading", "settling", "lasting", "raw", "pinned"]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("tier=0", ["fading", "raw", "pinned"]),
        ("tier=1", ["settling"]),
        ("层级=长存", ["lasting"]),
        ("tier=lasting", ["lasting"]),
        ("status=binned", ["binned"]),
        ("状态：回收站", ["binned"]),
        ("status=all", ["fading", "settling", "lasting", "raw", "binned", "pinned"]),
        ("状态=全部 tier=0", ["fading", "raw", "binned", "pinned"]),
        ("kind=evidence", ["raw"]),
        ("类型＝原话", ["raw"]),
        ("KIND=Semantic sort=oldest", ["pinned", "lasting", "settling", "fading"]),
        ("pinned", ["pinned"]),
        ("固定", ["pinned"]),
        ("sort=strongest", ["settling", "lasting", "pinned", "fading", "raw"]),
        ("sort=latest", ["pinned", "raw", "lasting", "settling", "fading"]),
        ("排序=最近发生 kind=evidence", ["raw"]),
        ("排序=最早 页=1", ["pinned", "raw", "lasting", "settling", "fading"]),
    ],
)
async def test_a_filter_lets_through_what_it_names_in_either_language(
    rig: CommandRig, filters: str, found: list[str]
) -> None:
    await furnish(rig)
    for caller in (BOSS, CHINESE):
        assert texts(await rig.ask("list", filters, by=caller)) == found


async def test_what_is_important_is_among_the_pinned(rig: CommandRig) -> None:
    await rig.remember("peanuts", feedback=UserFeedback(important=True))
    assert texts(await rig.ask("list", "pinned", by=BOSS)) == ["peanuts"]


async def test_every_page_together_lists_each_memory_once(rig: CommandRig) -> None:
    for number in range(17):
        await rig.remember(f"fact {number:02}", vitality=Vitality(number))
    pages = [await rig.ask("list", f"sort=strongest page={n}", by=BOSS) for n in (1, 2, 3)]
    found = [text for page in pages for text in texts(page)]
    assert found == [f"fact {number:02}" for number in reversed(range(17))]
    assert "page 3 of 3" in await rig.ask("list", "page=99", by=BOSS)


# scopes


async def test_scopes_are_numbered_with_owners_and_how_many_live_there(rig: CommandRig) -> None:
    await rig.say("hello", by=BEN)
    await rig.remember("of Ann")
    await rig.remember("told to the cat", scope=replace(ANN.scope, persona="cat").key)
    await rig.remember("of Ben", of=BEN)
    await rig.remember("of the group", of=in_group(BEN))
    web = Scope(ScopeKind.PRIVATE, "web", "a/b <c>", ANY_PERSONA)
    await rig.remember("of somebody", scope=web.key)
    bin_ = Standing(Status.BINNED, NOW, "decayed", NOW + DAY)
    await rig.remember("gone", of=BEN, standing=bin_)
    assert (await rig.ask("scopes", by=BOSS)).splitlines() == [
        "5 scopes, page 1 of 1:",
        "1. group qq/5000: 1",
        "2. private qq/901 · persona “cat”: 1",
        "3. private qq/901: 1",
        "4. private Ben: 1",
        "5. private web/a/b ‹c› · any persona: 1",
        "List one of them: /memory list NUMBER",
    ]


async def test_a_group_is_listed_with_the_name_it_last_had(rig: CommandRig) -> None:
    await rig.remember("of the group", of=in_group(ANN))
    await rig.say("hello", by=in_group(ANN), chat_name="Rowers")
    await rig.say("hello", by=in_group(BEN), chat_name="Harbour\n<crew>")
    await rig.say("hello", by=in_group(BEN))
    assert "1. group Harbour ‹crew›: 1" in await rig.ask("scopes", by=BOSS)
    listed = await rig.ask("list", "1", by=BOSS)
    assert listed.startswith("group Harbour ‹crew›\n")
    assert texts(listed) == ["of the group"]


async def test_a_scope_is_listed_by_its_number_and_by_its_key_page_by_page(rig: CommandRig) -> None:
    await rig.remember("of Ann")
    await rig.remember("of the group", of=in_group(ANN))
    for name in ("1", GROUP.key):
        assert texts(await rig.ask("list", f"{name} tier=0", by=BOSS)) == ["of the group"]
    for number in range(20):
        scope = replace(ANN.scope, subject=f"9{number:02}")
        await rig.remember(f"of {number}", scope=scope.key)
    assert "page 3 of 3" in await rig.ask("scopes", "3", by=BOSS)
    assert await rig.ask("scopes", "x", by=BOSS) == "Usage: /memory list scopes [PAGE]"


async def test_an_id_from_a_list_can_be_used(rig: CommandRig) -> None:
    memory = await rig.remember("of Ben", of=BEN)
    short = (await rig.ask("list", "1", by=BOSS)).splitlines()[1].split()[0]
    await rig.ask("pin", short, by=BOSS)
    pinned = await rig.engine.store.get(memory.id)
    assert pinned.vitality.pinned


@pytest.mark.parametrize("scope", ["7", "private/qq/999/default"])
async def test_a_scope_that_is_not_there_is_not_listed(rig: CommandRig, scope: str) -> None:
    await rig.remember("of Ann")
    answer = await rig.ask("list", scope, by=BOSS)
    assert answer == "There is no such scope; numbers are in /memory scopes."


async def test_in_a_group_nothing_of_another_scope_is_listed(rig: CommandRig) -> None:
    await rig.remember("of the group", of=in_group(BEN))
    await rig.remember("Ann's secret")
    boss = admin(in_group(ANN))
    refusal = "In a group only the group's own memories are listed; ask in a private chat"
    assert texts(await rig.ask("list", by=boss)) == ["Ben said: of the group"]
    assert texts(await rig.ask("list", "1", by=boss)) == ["Ben said: of the group"]
    assert texts(await rig.ask("list", GROUP.key, by=boss)) == ["Ben said: of the group"]
    for other in ("2", "3", ANN.scope.key, "private/qq/999/default"):
        assert (await rig.ask("list", other, by=boss)).startswith(refusal)
    lines = (await rig.ask("scopes", by=boss)).splitlines()
    assert lines[:2] == ["1 scopes, page 1 of 1:", "1. group qq/5000: 1"]
    assert "901" not in "".join(lines)


async def test_a_listing_tells_that_nothing_fits_or_is_not_live(rig: CommandRig) -> None:
    assert await rig.ask("scopes", by=BOSS) == "There are no memories yet."
    assert await rig.ask("list", "tier=2", by=BOSS) == "No memory fits that."
    await furnish(rig)
    assert "[fading 6 · binned] binned" in await rig.ask("list", "status=all", by=BOSS)


async def test_lists_of_a_group_tell_who_said_what_a_persons_nobody(rig: CommandRig) -> None:
    await rig.remember("mondays are hard", of=in_group(BEN))
    await rig.remember("hives by the chapel", of=in_group(ANN))
    binned = Standing(Status.BINNED, NOW, "decayed", NOW + 30 * DAY)
    await rig.remember("mondays were harder", of=in_group(BEN), standing=binned)
    boss = admin(in_group(ANN))
    for command, argument in (
        ("mine", ""),
        ("list", ""),
        ("search", "mondays"),
        ("search", "--explain mondays"),
        ("decay", "--preview 60"),
        ("bin", ""),
    ):
        told = await rig.ask(command, argument, by=boss)
        assert "Ben said: mondays" in told, command
        assert "said: hives" not in told, command
    await rig.remember("Ann keeps bees")
    assert "said:" not in await rig.ask("mine")
