"""Tags by hand: given, taken, searched and listed by; nothing of others through them."""

import pytest
from astrbot_plugin_tidemark.core.model.memory import Status
from astrbot_plugin_tidemark.core.text.tags import MOST_TAGS

from ..command_rig import ANN, BEN, CommandRig, admin, in_group

BOSS = admin(ANN)


async def test_a_memory_is_given_tags_and_loses_them(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    assert await rig.ask("tag", memory.id[:6]) == "No tags: Ann keeps bees"
    answer = await rig.ask("tag", f"{memory.id} #Hobby 养蜂")
    assert answer == "#hobby #养蜂: Ann keeps bees"
    assert await rig.ask("tag", f"{memory.id} -HOBBY") == "#养蜂: Ann keeps bees"
    assert "Tags: #养蜂" in await rig.ask("show", memory.id)
    assert "tags changed" in await rig.ask("audit", memory.id)


async def test_what_has_a_tag_is_found_by_it(rig: CommandRig) -> None:
    bees = await rig.remember("Ann keeps bees", tags=("hobby",))
    chess = await rig.remember("Ann plays chess", tags=("hobby",))
    await rig.remember("Ann is a nurse", tags=("work",))
    every = await rig.ask("search", "--tag Hobby")
    assert bees.text in every
    assert chess.text in every
    assert "nurse" not in every
    assert "#hobby" in every
    some = await rig.ask("search", "--tag hobby chess")
    assert chess.text in some
    assert bees.text not in some
    assert await rig.ask("search", "--tag none") == "No memory here has the tag none."
    assert "2 memories" in await rig.ask("list", "tag=hobby", by=BOSS)
    assert "1 memories" in await rig.ask("list", "标签=WORK", by=BOSS)


@pytest.mark.parametrize("word", ["x" * 41, "x" * 3_900, "-", "#", "-" + "y" * 60])
async def test_what_is_no_tag_changes_nothing(rig: CommandRig, word: str) -> None:
    memory = await rig.remember("Ann keeps bees", tags=("hobby",))
    assert (await rig.ask("tag", f"{memory.id} ok {word}")).startswith("That is no tag")
    assert (await rig.engine.parts.store.get(memory.id)).tags == ("hobby",)


async def test_a_memory_has_only_so_many_tags(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    many = " ".join(f"t{n}" for n in range(900))
    assert f"{MOST_TAGS} tags at most" in await rig.ask("tag", f"{memory.id} {many}")
    assert (await rig.engine.parts.store.get(memory.id)).tags == ()


async def test_in_a_group_one_tags_what_one_said_oneself(rig: CommandRig) -> None:
    own, other = [
        await rig.remember(text, of=in_group(who))
        for text, who in (("Ann keeps bees", ANN), ("Ben keeps goats", BEN))
    ]
    ann = in_group(ANN)
    assert "#hobby" in await rig.ask("tag", f"{own.id} hobby", by=ann)
    assert "hobby" not in await rig.ask("tag", f"{other.id} hobby", by=ann)
    assert (await rig.engine.parts.store.get(other.id)).tags == ()


async def test_an_admin_learns_nothing_of_others_by_tags(rig: CommandRig) -> None:
    secret = await rig.remember("Ben is ill", of=BEN, tags=("health",))
    await rig.ask("scopes", by=BOSS)
    assert "No memory fits" in await rig.ask("list", f"{BEN.scope.key} tag=health", by=BOSS)
    assert "1 memories" in await rig.ask("list", BEN.scope.key, by=BOSS)
    for words in ("", " health", " -health", " new"):
        answer = await rig.ask("tag", secret.id + words, by=BOSS)
        assert "Only the person themselves" in answer
    assert (await rig.engine.parts.store.get(secret.id)).tags == ("health",)


async def test_what_lies_in_the_bin_is_not_found_by_its_tag(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees", tags=("hobby",))
    await rig.ask("forget", memory.id)
    assert (await rig.engine.parts.store.get(memory.id)).standing.status is Status.BINNED
    assert await rig.ask("search", "--tag hobby") == "No memory here has the tag hobby."
