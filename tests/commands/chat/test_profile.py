"""What is known of somebody, line by line, and striking a line."""

import pytest
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.memory import Memory, Status
from astrbot_plugin_tidemark.core.records.wording import worded

from ..command_rig import ANN, BEN, NOW, CommandRig, in_group


async def known(rig: CommandRig) -> list[Memory]:
    kept = [
        await rig.remember("Ann lives in Lyon", claim=Claim("@", "residence", "Lyon", NOW)),
        await rig.remember("Ann keeps a dog", claim=Claim("@", "pet:dog", "dog", NOW)),
    ]
    rig.engine.start()
    await rig.engine.sleep(patience=20.0)
    return kept


async def test_lines_are_shown_with_sources_to_their_person_and_struck(rig: CommandRig) -> None:
    home, dog = await known(rig)
    told = (await rig.ask("me")).splitlines()
    assert told[1:] == [
        "Who you are",
        f"1. Ann lives in Lyon ({home.id[:6]})",
        "People and pets",
        f"2. Ann keeps a dog ({dog.id[:6]})",
    ]
    for caller in (BEN, in_group(BEN), in_group(ANN)):
        assert "no page about you" in await rig.ask("me", by=caller)
        assert "no such line" in await rig.ask("me", "strike 1", by=caller)
    assert "Ann lives in Lyon" in await rig.ask("me", "strike 1")
    assert "Lyon" not in await rig.ask("me")
    assert (await rig.engine.parts.store.get(home.id)).standing.status is Status.BINNED
    assert (await rig.engine.parts.store.get(dog.id)).standing.status is Status.LIVE


async def test_a_line_is_shown_and_struck_in_the_words_that_the_prompt_has(rig: CommandRig) -> None:
    home, _ = await known(rig)
    await rig.engine.parts.store.amend(
        [home.id], lambda memory: worded(memory, "lives in Lyon", memory.text)
    )
    assert f"1. lives in Lyon ({home.id[:6]})" in (await rig.ask("me")).splitlines()
    assert "Ann lives in Lyon" in await rig.ask("show", home.id)
    assert "lives in Lyon" in await rig.ask("me", "strike 1")
    assert "Lyon" not in await rig.ask("me")


@pytest.mark.parametrize("argument", ["strike 0", "strike", "strike x", "1", "strike 1 2"])
async def test_what_is_no_line_strikes_none(rig: CommandRig, argument: str) -> None:
    await known(rig)
    assert "me [strike NUMBER]" in await rig.ask("me", argument)
    assert "no such line" in await rig.ask("me", "strike 9")
    assert "Lyon" in await rig.ask("me")


async def test_what_said_the_same_since_is_struck_too_and_stays_struck(rig: CommandRig) -> None:
    await known(rig)
    again = Claim("@", "residence", "Lyon", NOW + 60.0)
    moved = Claim("@", "residence", "Oslo", NOW - 60.0, valid_to=NOW)
    later = await rig.remember("Lyon is where Ann has her flat", claim=again)
    earlier = await rig.remember("Ann lived in Oslo", claim=moved)
    await rig.ask("me", "strike 1")
    await rig.engine.sleep(patience=20.0)
    assert "Lyon" not in await rig.ask("me")
    assert (await rig.engine.parts.store.get(later.id)).standing.status is Status.BINNED
    assert (await rig.engine.parts.store.get(earlier.id)).standing.status is Status.LIVE
