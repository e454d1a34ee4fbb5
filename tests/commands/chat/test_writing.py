"""What people have remembered and put right."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Source, Succession, Successor

from ..command_rig import ANN, BEN, GROUP, CommandRig, admin, in_group


async def only(rig: CommandRig) -> Memory:
    """The one live memory that is no raw turn, in whatever scope."""
    store = rig.engine.store
    found = [
        memory
        for scope in await store.scopes()
        for memory in await store.find(await store.resolve("", frozenset({scope})))
        if memory.recallable and memory.kind is not Kind.EVIDENCE
    ]
    assert len(found) == 1
    return found[0]


# remember


async def test_what_is_remembered_is_important_and_found_at_once(rig: CommandRig) -> None:
    answer = await rig.ask("remember", "I am allergic to peanuts")
    memory = await only(rig)
    assert answer == f"Remembered ({memory.id[:6]}): I am allergic to peanuts"
    assert memory.exempt
    assert (memory.source, memory.speaker) == (Source.USER, Speaker("901", "Ann"))
    assert memory.origin.session == ANN.session
    assert "allergic to peanuts" in await rig.ask("search", "peanuts")


async def test_what_was_learnt_already_becomes_important(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    answer = await rig.ask("remember", "Ann keeps bees")
    assert answer == (
        f"Remembered already, and marked important now ({memory.id[:6]}): Ann keeps bees"
    )
    assert (await only(rig)).exempt


async def test_in_a_group_what_another_said_does_not_become_important(rig: CommandRig) -> None:
    await rig.remember("the club meets on fridays", of=in_group(BEN))
    answer = await rig.ask("remember", "the club meets on fridays", by=in_group(ANN))
    assert answer.startswith("Remembered already (")
    assert not (await only(rig)).exempt


async def test_in_a_group_it_belongs_to_the_group_under_the_speakers_name(rig: CommandRig) -> None:
    await rig.ask("remember", "I love nuts", by=in_group(ANN))
    memory = await only(rig)
    assert (memory.scope, memory.speaker) == (GROUP.key, Speaker("901", "Ann"))
    assert "nuts" not in await rig.ask("search", "nuts")
    assert "nuts" in await rig.ask("search", "nuts", by=in_group(BEN))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "Usage: /memory remember TEXT"),
        ("  ", "Usage: /memory remember TEXT"),
        ("?!", "There is nothing in that to remember."),
        ("the", "There is nothing in that to remember."),
        ("b" * 1_001, "That is too long: 1000 characters at most."),
        ("潮" * 100_000, "That is too long: 1000 characters at most."),
    ],
)
async def test_what_cannot_be_kept_is_refused(rig: CommandRig, text: str, answer: str) -> None:
    assert (await rig.ask("remember", text)).startswith(answer)
    assert not await rig.engine.store.scopes()


async def test_a_long_memory_is_kept_whole_and_shown_short(rig: CommandRig) -> None:
    text = "bees " * 199 + "wasps"
    answer = await rig.ask("remember", text)
    assert len(answer) < 140
    assert (await only(rig)).text == text


# correct


async def test_a_correction_says_what_it_is_now_and_what_it_was(rig: CommandRig) -> None:
    old = await rig.remember("Ann lives in Paris")
    answer = await rig.ask("correct", f"{old.id[:6]} Ann lives in Rome")
    new = await only(rig)
    assert answer == f"Corrected ({new.id[:6]}): Ann lives in Rome\nIt was: Ann lives in Paris"
    assert new.source is Source.CORRECTION
    assert "Rome" in await rig.ask("search", "where does Ann live?")
    assert "Paris" not in await rig.ask("search", "where does Ann live?")
    assert f"corrected by {new.id[:6]}" in await rig.ask("show", old.id)


async def test_correcting_what_was_corrected_names_what_it_is_now(rig: CommandRig) -> None:
    old = await rig.remember("Ann lives in Paris")
    await rig.ask("correct", f"{old.id} Ann lives in Rome")
    new = await only(rig)
    answer = await rig.ask("correct", f"{old.id} Ann lives in Oslo")
    assert answer == f"It was corrected already, by ({new.id[:6]}): Ann lives in Rome"


async def test_nothing_is_told_of_what_is_gone_or_anothers(rig: CommandRig) -> None:
    old = await rig.remember("Paris", successor=Successor("gone", Succession.SUPERSEDES))
    answer = await rig.ask("correct", f"{old.id} Rome")
    assert answer == "It was superseded already, and the newer one is gone."
    secret = await rig.remember("Ben's secret", of=BEN)
    old = await rig.remember("Paris", successor=Successor(secret.id, Succession.CORRECTS))
    answer = await rig.ask("correct", f"{old.id} Rome")
    assert "secret" not in answer
    secret = await rig.remember("Ben's secret", of=BEN)
    answer = await rig.ask("correct", f"{secret.id} no secret")
    assert answer.startswith("There is no such memory.")
    assert (await rig.engine.store.get(secret.id)) == secret


async def test_the_same_text_is_no_correction(rig: CommandRig) -> None:
    old = await rig.remember("Ann lives in Paris")
    answer = await rig.ask("correct", f"{old.id} ann lives in paris")
    assert answer.startswith("That is what it says already.")
    old = await rig.remember("Ann lives in Paris")
    await rig.ask("forget", old.id)
    answer = await rig.ask("correct", f"{old.id} Ann lives in Rome")
    assert answer.startswith("It is in the bin; an admin can bring it back")


async def test_in_a_group_one_corrects_only_what_one_said(rig: CommandRig) -> None:
    old = await rig.remember("Ben lives in Paris", of=in_group(BEN))
    argument = f"{old.id} Ben lives in Rome"
    refusal = "In a group you can change only what you said yourself; ask an admin for the rest."
    assert await rig.ask("correct", argument, by=in_group(ANN)) == refusal
    assert "Corrected" in await rig.ask("correct", argument, by=admin(in_group(ANN)))
    assert (await only(rig)).scope == GROUP.key


async def test_a_correction_given_elsewhere_brings_no_name_used_there(rig: CommandRig) -> None:
    ben, here = in_group(BEN), in_group(ANN)
    old = await rig.remember("The choir rows on Sunday", of=here)
    boss = replace(admin(ANN), name="Ann-HIV-support")
    assert "Corrected" in await rig.ask("correct", f"{old.id} I row on Monday", by=boss)
    new = await only(rig)
    assert (new.speaker.name, new.about) == ("", ())
    for answer in (
        await rig.ask("show", new.id, by=ben),
        await rig.ask("search", "who rows on Monday?", by=ben),
    ):
        assert "Monday" in answer
        assert "HIV" not in answer


async def test_a_correction_from_another_account_keeps_the_account(rig: CommandRig) -> None:
    web = replace(ANN, scope=replace(ANN.scope, platform="web", subject="ann"), person="ann")
    old = await rig.remember("Ann lives in Paris", of=web)
    for argument in ("add qq 901 ann", "add web ann ann"):
        await rig.ask("alias", argument, by=admin(BEN))
    assert "Corrected" in await rig.ask("correct", f"{old.id} Ann lives in Rome")
    new = await only(rig)
    assert (new.scope, new.speaker) == (web.scope.key, Speaker("ann", "Ann"))
