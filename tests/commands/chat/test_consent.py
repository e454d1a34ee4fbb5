"""What people decide about their memories, and what they are told of it."""

import re
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.commands.chat.caller import ChatCaller
from astrbot_plugin_tidemark.core.engine.engine import Ask
from astrbot_plugin_tidemark.core.model.consent import Pause
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import UserFeedback
from astrbot_plugin_tidemark.core.sleep.sweep import LAST_SWEEP

from ..command_rig import ANN, BEN, DAY, GROUP, Desk, admin, in_group

ANN_ZH = replace(ANN, language="zh")


async def pause_of(desk: Desk, caller: ChatCaller) -> Pause | None:
    return await desk.engine.consents.pause(caller.scope, caller.person)


async def test_who_pauses_is_told_that_nothing_is_recorded_and_how_to_undo_it(desk: Desk) -> None:
    answer = await desk.ask("pause")
    assert "nothing you say" in answer
    assert "/memory resume" in answer
    assert await pause_of(desk, ANN) is Pause.PERSON
    assert await pause_of(desk, in_group(ANN)) is Pause.PERSON
    assert await pause_of(desk, BEN) is None


async def test_pausing_in_a_group_pauses_the_person_not_the_group(desk: Desk) -> None:
    await desk.ask("pause", by=in_group(admin(ANN)))
    assert await pause_of(desk, ANN) is Pause.PERSON
    assert await pause_of(desk, in_group(BEN)) is None


async def test_pausing_again_says_that_it_is_so_already(desk: Desk) -> None:
    await desk.ask("pause")
    assert "already" in await desk.ask("pause")
    assert await pause_of(desk, ANN) is Pause.PERSON


async def test_resuming_records_again(desk: Desk) -> None:
    assert "not paused" in await desk.ask("resume")
    await desk.ask("pause")
    assert "on again" in await desk.ask("resume")
    assert await pause_of(desk, ANN) is None


@pytest.mark.parametrize("word", ["group", "GROUP", "群", "本群"])
async def test_an_admin_pauses_a_group_for_everybody(desk: Desk, word: str) -> None:
    answer = await desk.ask("pause", word, by=in_group(admin(ANN)))
    assert "/memory resume group" in answer
    assert await pause_of(desk, in_group(BEN)) is Pause.GROUP
    assert await pause_of(desk, ANN) is None
    assert "already" in await desk.ask("pause", word, by=in_group(admin(BEN)))
    await desk.ask("resume", word, by=in_group(admin(BEN)))
    assert await pause_of(desk, in_group(BEN)) is None


@pytest.mark.parametrize("command", ["pause", "resume"])
async def test_only_an_admin_pauses_or_resumes_a_group(desk: Desk, command: str) -> None:
    if command == "resume":
        await desk.ask("pause", "group", by=in_group(admin(ANN)))
    before = await pause_of(desk, in_group(BEN))
    assert "admins" in await desk.ask(command, "group", by=in_group(BEN))
    assert await pause_of(desk, in_group(BEN)) is before


async def test_a_group_is_paused_from_within_it(desk: Desk) -> None:
    assert "in a group only" in await desk.ask("pause", "group", by=admin(ANN))
    assert await pause_of(desk, ANN) is None


@pytest.mark.parametrize("command", ["pause", "resume"])
async def test_other_words_pause_nothing(desk: Desk, command: str) -> None:
    assert await desk.ask(command, "everything") == f"Usage: /memory {command} [group]"
    assert await pause_of(desk, ANN) is None


async def test_who_resumes_in_a_paused_group_is_told_of_the_other_pause(desk: Desk) -> None:
    there = in_group(admin(ANN))
    await desk.ask("pause", "group", by=there)
    await desk.ask("pause", by=there)
    assert "For you alone it is still paused" in await desk.ask("resume", "group", by=there)
    await desk.ask("pause", "group", by=there)
    assert "In this group it is still paused" in await desk.ask("resume", by=there)


async def test_while_paused_remember_refuses_and_the_other_commands_work(desk: Desk) -> None:
    memory = await desk.remember("Ann keeps bees behind the chapel")
    await desk.ask("pause")
    assert "/memory resume" in await desk.ask("remember", "I keep goats")
    assert "bees" in await desk.ask("mine")
    assert "bees" in await desk.ask("search", "bees behind the chapel")
    assert "bees" in await desk.ask("show", memory.id)
    assert "In the bin" in await desk.ask("forget", memory.id)
    assert "goats" not in await desk.ask("mine")


async def test_while_a_group_is_paused_remember_refuses_there(desk: Desk) -> None:
    await desk.ask("pause", "group", by=in_group(admin(ANN)))
    assert "resume group" in await desk.ask("remember", "I keep goats", by=in_group(BEN))
    assert "goats" in await desk.ask("remember", "I keep goats", by=BEN)


async def used(desk: Desk, text: str, by: ChatCaller) -> list[str]:
    """What is recalled for the caller's turn there."""
    seq = await desk.say(text, by=by)
    recalled = await desk.engine.recall(Ask(by.scope, text, seq, asker=by.person))
    await desk.engine.recorded()
    assert recalled is not None
    return [memory.text for memory in recalled.memories]


async def test_sharing_lets_private_memories_answer_their_person_in_a_group(desk: Desk) -> None:
    await desk.remember("Ann keeps bees behind the chapel")
    question = "bees behind the chapel"
    assert await used(desk, question, in_group(ANN)) == []
    assert "your private memories may be used" in await desk.ask("share", "on")
    assert await used(desk, question, in_group(ANN)) == ["Ann keeps bees behind the chapel"]
    assert await used(desk, question, in_group(BEN)) == []
    assert await used(desk, question, BEN) == []
    assert "not used in any group" in await desk.ask("share", "off")
    assert await used(desk, question, in_group(ANN)) == []


async def test_sharing_can_be_asked_for_and_is_off_at_first(desk: Desk) -> None:
    assert "It is off" in await desk.ask("share")
    assert "off already" in await desk.ask("share", "off")
    await desk.ask("share", "ON")
    assert "It is on" in await desk.ask("share", by=in_group(ANN))
    assert "on already" in await desk.ask("share", "on")
    assert await desk.ask("share", "maybe") == "Usage: /memory share [on|off]"
    assert "It is off" in await desk.ask("share", by=BEN)


async def test_commands_in_a_group_show_no_shared_private_memory(desk: Desk) -> None:
    memory = await desk.remember("Ann keeps bees behind the chapel")
    await desk.ask("share", "on")
    there = in_group(ANN)
    for command, argument in (("mine", ""), ("search", "bees"), ("list", "")):
        assert "chapel" not in await desk.ask(command, argument, by=admin(there))
    for command in ("show", "audit", "forget", "important"):
        assert "no such memory" in (await desk.ask(command, memory.id, by=there)).lower()


async def test_why_shows_a_shared_memory_to_its_person_and_only_counts_it_to_others(
    desk: Desk,
) -> None:
    memory = await desk.remember("Ann keeps bees behind the chapel")
    await desk.remember("The bees of the group swarm", of=in_group(BEN))
    await desk.ask("share", "on")
    await used(desk, "bees behind the chapel that swarm", in_group(ANN))
    assert "Ann keeps bees" in await desk.ask("why", by=in_group(ANN))
    for other in (in_group(BEN), in_group(admin(BEN))):
        told = await desk.ask("why", by=other)
        assert "1 private memories of the person who asked" in told
        assert "chapel" not in told.partition("\n")[2].partition("\n")[2]
        assert memory.id[:6] not in told
        assert "swarm" in told
    await desk.ask("share", "off")
    assert "1 private memories" in await desk.ask("why", by=in_group(ANN))


async def test_why_after_the_details_were_deleted_says_so(desk: Desk) -> None:
    await desk.remember("The bees of the group swarm", of=in_group(ANN))
    await used(desk, "the bees that swarm", in_group(BEN))
    await forgotten(desk, ANN)
    assert "have been deleted" in await desk.ask("why", by=in_group(BEN))


async def test_old_memories_go_to_the_bin_at_the_next_sleep(desk: Desk) -> None:
    long_ago = desk.clock.at - 40 * DAY
    await desk.remember("Ann keeps bees", created_at=long_ago)
    kept = UserFeedback(important=True)
    await desk.remember("Ann keeps goats", created_at=long_ago, feedback=kept)
    assert "No number of days is set" in await desk.ask("retention")
    told = await desk.ask("retention", "30")
    assert "30 days" in told
    assert "(now 1)" in told
    assert told == await desk.ask("retention")
    # Else the nightly sweep, which is due at the first start, may come before the command.
    await desk.engine.parts.journal.set_note(LAST_SWEEP, repr(desk.clock.at))
    desk.engine.start()
    assert "1 memories went to the bin" in await desk.ask("sleep", by=admin(ANN))
    assert "older than it is to be kept" in await desk.ask("bin", by=admin(ANN))
    assert "goats" in await desk.ask("mine")
    assert "No number of days is set" in await desk.ask("retention", "off")


async def test_in_a_group_an_admin_decides_how_long_the_group_s_are_kept(desk: Desk) -> None:
    assert "admins" in await desk.ask("retention", "30", by=in_group(ANN))
    assert "of this group" in await desk.ask("retention", "30", by=in_group(admin(BEN)))
    assert "30 days" in await desk.ask("retention", by=in_group(ANN))
    assert "No number of days" in await desk.ask("retention", by=ANN)
    assert await desk.engine.consents.retentions() == {GROUP.owner: 30.0}


@pytest.mark.parametrize("days", ["0", "0.5", "-3", "36501", "1e3", "nan", "ten", "3 4", "on"])
async def test_other_numbers_of_days_are_refused(desk: Desk, days: str) -> None:
    assert await desk.ask("retention", days) == "Usage: /memory retention [DAYS|off]"
    assert await desk.engine.consents.retentions() == {}


async def code_of(desk: Desk, caller: ChatCaller) -> str:
    """The code that forget-me prints."""
    found = re.search(r"/memory forget-me ([A-Z0-9]{6})$", await desk.ask("forget-me", by=caller))
    assert found is not None
    return found[1]


async def forgotten(desk: Desk, caller: ChatCaller) -> str:
    return await desk.ask("forget-me", await code_of(desk, caller), by=caller)


async def test_forget_me_says_what_would_go_and_takes_nothing_yet(desk: Desk) -> None:
    await desk.remember("Ann keeps bees")
    await desk.say("I keep bees")
    told = await desk.ask("forget-me")
    assert "1 memories and 1 recorded messages" in told
    assert "qq/901" in told
    assert "bees" in await desk.ask("mine")


async def test_the_code_erases_and_says_how_much_and_what_is_not_ours(desk: Desk) -> None:
    await desk.remember("Ann keeps bees")
    await desk.remember("Ben keeps goats", of=BEN)
    await desk.say("I keep bees")
    told = await forgotten(desk, ANN)
    assert "1 memories and 1 recorded messages" in told
    assert "/reset" in told
    assert "/memory pause" in told
    assert "Nothing is kept of you" in await desk.ask("forget-me")
    assert "goats" in await desk.ask("mine", by=BEN)


async def test_who_is_paused_stays_so_and_is_told(desk: Desk) -> None:
    await desk.remember("Ann keeps bees")
    await desk.ask("pause")
    assert "stays paused" in await forgotten(desk, ANN)
    assert await pause_of(desk, ANN) is Pause.PERSON


async def test_a_wrong_an_old_or_another_s_code_takes_nothing(desk: Desk) -> None:
    await desk.remember("Ann keeps bees")
    await desk.remember("Ben keeps goats", of=BEN)
    code, other = await code_of(desk, ANN), await code_of(desk, BEN)
    for wrong in ("XXXXXX", other, f"{code} {code}"):
        assert "wrong" in await desk.ask("forget-me", wrong)
    assert "wrong" in await desk.ask("forget-me", code, by=in_group(ANN))
    desk.clock.at += 301
    assert "wrong" in await desk.ask("forget-me", code)
    assert "bees" in await desk.ask("mine")


async def test_a_code_works_once(desk: Desk) -> None:
    await desk.remember("Ann keeps bees")
    code = await code_of(desk, ANN)
    await desk.ask("forget-me", code.lower())
    await desk.remember("Ann keeps goats")
    assert "wrong" in await desk.ask("forget-me", code)
    assert "goats" in await desk.ask("mine")


async def test_in_a_group_the_person_goes_and_no_account_is_named(desk: Desk) -> None:
    journal = desk.engine.parts.journal
    await journal.set_alias("qq", "901", "ann")
    await journal.set_alias("tg", "secret_ann", "ann")
    there = Scope(ScopeKind.PRIVATE, "tg", "secret_ann", "default")
    await desk.remember("Ann keeps bees", of=replace(ANN, scope=there))
    await desk.remember("Ann likes tea", of=in_group(ANN))
    await desk.remember("Ben likes tea", of=in_group(BEN), speaker=Speaker("902", "Ben"))
    told = await desk.ask("forget-me", by=in_group(ANN))
    assert "your accounts (2)" in told
    assert "secret_ann" not in told
    assert "2 memories" in await forgotten(desk, in_group(ANN))
    assert "Ben likes tea" in await desk.ask("mine", by=in_group(BEN))


@pytest.mark.parametrize(
    ("command", "argument"),
    [
        ("pause", ""),
        ("resume", ""),
        ("pause", "group"),
        ("share", ""),
        ("share", "on"),
        ("share", "off"),
        ("retention", ""),
        ("retention", "30"),
        ("retention", "off"),
        ("forget-me", ""),
        ("forget-me", "ABCDEF"),
    ],
)
async def test_in_a_chinese_chat_no_english_is_said(
    desk: Desk, command: str, argument: str
) -> None:
    await desk.remember("小雨养蜂", of=ANN_ZH)
    told = await desk.ask(command, argument, by=ANN_ZH)
    commands = r"/memory [a-z-]+( (group|on|off|[A-Z0-9]{6}))?|/reset|“group”|qq/901"
    assert re.findall("[A-Za-z]{2,}", re.sub(commands, "", told)) == []


async def test_forget_me_says_so_if_it_cannot_be_done_at_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.remember("Ann keeps bees")
    code = await code_of(desk, ANN)

    async def locked(*_: object) -> frozenset[str]:
        raise StorageError("memories.db is locked by another program")

    with monkeypatch.context() as patched:
        patched.setattr(desk.engine.parts.store, "purge", locked)
        told = await desk.ask("forget-me", code)
    assert "everything of yours up to this moment will be deleted as soon as possible" in told
    assert "Deleted for good" not in told
