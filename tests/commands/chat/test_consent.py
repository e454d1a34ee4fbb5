"""What people decide about their memories, and what they are told of it."""

import re
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.commands.chat.request import ChatCaller
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.consent import Pause
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import UserFeedback

from ..command_rig import ANN, BEN, DAY, GROUP, CommandRig, admin, in_group

ANN_ZH = replace(ANN, language="zh")


async def pause_of(rig: CommandRig, caller: ChatCaller) -> Pause | None:
    return await rig.engine.consents.pause(caller.scope, caller.person)


async def test_who_pauses_is_told_nothing_is_recorded_and_how_to_undo_it(rig: CommandRig) -> None:
    answer = await rig.ask("pause")
    assert "nothing you say" in answer
    assert "/memory resume" in answer
    assert await pause_of(rig, ANN) is Pause.PERSON
    assert await pause_of(rig, in_group(ANN)) is Pause.PERSON
    assert await pause_of(rig, BEN) is None
    await rig.ask("pause")
    assert "already" in await rig.ask("pause")
    assert await pause_of(rig, ANN) is Pause.PERSON


async def test_who_resumes_is_recorded_again(rig: CommandRig) -> None:
    assert "not paused" in await rig.ask("resume")
    await rig.ask("pause")
    assert "on again" in await rig.ask("resume")
    assert await pause_of(rig, ANN) is None
    await rig.ask("pause", by=in_group(admin(ANN)))
    assert await pause_of(rig, ANN) is Pause.PERSON
    assert await pause_of(rig, in_group(BEN)) is None


@pytest.mark.parametrize("word", ["group", "GROUP", "群", "本群"])
async def test_an_admin_pauses_a_group_for_everybody(rig: CommandRig, word: str) -> None:
    answer = await rig.ask("pause", word, by=in_group(admin(ANN)))
    assert "/memory resume group" in answer
    assert await pause_of(rig, in_group(BEN)) is Pause.GROUP
    assert await pause_of(rig, ANN) is None
    assert "already" in await rig.ask("pause", word, by=in_group(admin(BEN)))
    await rig.ask("resume", word, by=in_group(admin(BEN)))
    assert await pause_of(rig, in_group(BEN)) is None


@pytest.mark.parametrize(("word", "by"), [("recall", ANN), ("群 想起", in_group(admin(ANN)))])
async def test_recall_alone_is_paused(rig: CommandRig, word: str, by: ChatCaller) -> None:
    assert "recorded" in await rig.ask("pause", word, by=by)
    consents = rig.engine.consents
    whose = Pause.GROUP if by.scope == GROUP else Pause.PERSON
    assert await consents.pause(by.scope, by.person, recall=True) is whose
    assert await pause_of(rig, by) is None
    assert await consents.pause(BEN.scope, BEN.person, recall=True) is None
    assert "already" in await rig.ask("pause", word, by=by)
    await rig.ask("resume", word, by=by)
    assert await consents.pause(by.scope, by.person, recall=True) is None


@pytest.mark.parametrize("command", ["pause", "resume"])
async def test_only_an_admin_pauses_or_resumes_a_group(rig: CommandRig, command: str) -> None:
    if command == "resume":
        await rig.ask("pause", "group", by=in_group(admin(ANN)))
    before = await pause_of(rig, in_group(BEN))
    assert "admins" in await rig.ask(command, "group", by=in_group(BEN))
    assert await pause_of(rig, in_group(BEN)) is before


async def test_a_group_is_paused_from_within_it(rig: CommandRig) -> None:
    assert "in a group only" in await rig.ask("pause", "group", by=admin(ANN))
    assert await pause_of(rig, ANN) is None


async def test_who_resumes_in_a_paused_group_is_told_of_the_other_pause(rig: CommandRig) -> None:
    there = in_group(admin(ANN))
    await rig.ask("pause", "group", by=there)
    await rig.ask("pause", by=there)
    assert "For you alone it is still paused" in await rig.ask("resume", "group", by=there)
    await rig.ask("pause", "group", by=there)
    assert "In this group it is still paused" in await rig.ask("resume", by=there)


async def test_while_paused_remember_refuses_and_the_other_commands_work(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees behind the chapel")
    await rig.ask("pause")
    assert "/memory resume" in await rig.ask("remember", "I keep goats")
    assert "bees" in await rig.ask("mine")
    assert "bees" in await rig.ask("search", "bees behind the chapel")
    assert "bees" in await rig.ask("show", memory.id)
    assert "In the bin" in await rig.ask("forget", memory.id)
    assert "goats" not in await rig.ask("mine")
    await rig.ask("pause", "group", by=in_group(admin(ANN)))
    assert "resume group" in await rig.ask("remember", "I keep goats", by=in_group(BEN))
    assert "goats" in await rig.ask("remember", "I keep goats", by=BEN)


async def used(rig: CommandRig, text: str, by: ChatCaller) -> list[str]:
    """What is recalled for the caller's turn there."""
    seq = await rig.say(text, by=by)
    recalled = await rig.engine.recalls.recall(RecallRequest(by.scope, text, seq, asker=by.person))
    await rig.engine.recalls.recorded()
    return [memory.text for memory in recalled.memories]


async def test_sharing_lets_private_memories_answer_their_own_in_a_group(rig: CommandRig) -> None:
    await rig.remember("Ann keeps bees behind the chapel")
    question = "bees behind the chapel"
    assert await used(rig, question, in_group(ANN)) == []
    assert "your private memories may be used" in await rig.ask("share", "on")
    assert await used(rig, question, in_group(ANN)) == ["Ann keeps bees behind the chapel"]
    assert await used(rig, question, in_group(BEN)) == []
    assert await used(rig, question, BEN) == []
    assert "not used in any group" in await rig.ask("share", "off")
    assert await used(rig, question, in_group(ANN)) == []


async def test_sharing_is_off_at_first_and_shows_nothing_by_commands(rig: CommandRig) -> None:
    assert "It is off" in await rig.ask("share")
    assert "off already" in await rig.ask("share", "off")
    await rig.ask("share", "ON")
    assert "It is on" in await rig.ask("share", by=in_group(ANN))
    assert "on already" in await rig.ask("share", "on")
    assert await rig.ask("share", "maybe") == "Usage: /memory share [on|off]"
    assert "It is off" in await rig.ask("share", by=BEN)
    memory = await rig.remember("Ann keeps bees behind the chapel")
    await rig.ask("share", "on")
    there = in_group(ANN)
    for command, argument in (("mine", ""), ("search", "bees"), ("list", "")):
        assert "chapel" not in await rig.ask(command, argument, by=admin(there))
    for command in ("show", "audit", "forget", "important"):
        assert "no such memory" in (await rig.ask(command, memory.id, by=there)).lower()


async def test_why_shows_a_shared_memory_to_its_person_alone(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees behind the chapel")
    await rig.remember("The bees of the group swarm", of=in_group(BEN))
    await rig.ask("share", "on")
    await used(rig, "bees behind the chapel that swarm", in_group(ANN))
    assert "Ann keeps bees" in await rig.ask("why", by=in_group(ANN))
    for other in (in_group(BEN), in_group(admin(BEN))):
        told = await rig.ask("why", by=other)
        assert "1 private memories of the person who asked" in told
        # What was asked in the group everybody there has read.
        assert "chapel" not in told.replace("bees behind the chapel that swarm", "")
        assert memory.id[:6] not in told
        assert "swarm" in told
    await rig.ask("share", "off")
    assert "1 private memories" in await rig.ask("why", by=in_group(ANN))


async def test_why_after_the_details_were_deleted_says_so(rig: CommandRig) -> None:
    await rig.remember("The bees of the group swarm", of=in_group(ANN))
    await used(rig, "the bees that swarm", in_group(BEN))
    await forgotten(rig, ANN)
    assert "have been deleted" in await rig.ask("why", by=in_group(BEN))


async def test_old_memories_go_to_the_bin_at_the_next_sleep(rig: CommandRig) -> None:
    long_ago = rig.clock.at - 40 * DAY
    await rig.remember("Ann keeps bees", created_at=long_ago)
    kept = UserFeedback(important=True)
    await rig.remember("Ann keeps goats", created_at=long_ago, feedback=kept)
    assert "No number of days is set" in await rig.ask("retention")
    told = await rig.ask("retention", "30")
    assert "30 days" in told
    assert "(now 1)" in told
    assert told == await rig.ask("retention")
    rig.engine.start()
    await rig.sleep(patience=20.0)
    assert "1 put into the bin" in await rig.ask("sleep", "status", by=admin(ANN))
    assert "older than the retention limit" in await rig.ask("bin", by=admin(ANN))
    assert "goats" in await rig.ask("mine")
    assert "No number of days is set" in await rig.ask("retention", "off")


async def test_in_a_group_an_admin_decides_how_long_the_group_s_are_kept(rig: CommandRig) -> None:
    assert "admins" in await rig.ask("retention", "30", by=in_group(ANN))
    assert "of this group" in await rig.ask("retention", "30", by=in_group(admin(BEN)))
    assert "30 days" in await rig.ask("retention", by=in_group(ANN))
    assert "No number of days" in await rig.ask("retention", by=ANN)
    assert await rig.engine.consents.retentions() == {GROUP.owner: 30.0}


async def code_of(rig: CommandRig, caller: ChatCaller) -> str:
    found = re.search(r"/memory forget-me ([A-Z0-9]{6})$", await rig.ask("forget-me", by=caller))
    return found[1]


async def forgotten(rig: CommandRig, caller: ChatCaller) -> str:
    return await rig.ask("forget-me", await code_of(rig, caller), by=caller)


async def test_forget_me_tells_what_would_go_and_that_a_pause_stays(rig: CommandRig) -> None:
    await rig.remember("Ann keeps bees")
    await rig.say("I keep bees")
    told = await rig.ask("forget-me")
    assert "1 memories and 1 recorded messages" in told
    assert "qq/901" in told
    assert "bees" in await rig.ask("mine")
    await rig.ask("pause")
    assert "stays paused" in await forgotten(rig, ANN)
    assert await pause_of(rig, ANN) is Pause.PERSON


async def test_the_right_code_alone_erases_and_says_how_much(rig: CommandRig) -> None:
    await rig.remember("Ann keeps bees")
    await rig.remember("Ben keeps goats", of=BEN)
    code, other = await code_of(rig, ANN), await code_of(rig, BEN)
    for wrong in ("XXXXXX", other, f"{code} {code}"):
        assert "wrong" in await rig.ask("forget-me", wrong)
    assert "wrong" in await rig.ask("forget-me", code, by=in_group(ANN))
    rig.clock.at += 301
    assert "wrong" in await rig.ask("forget-me", code)
    assert "bees" in await rig.ask("mine")
    await rig.say("I keep bees")
    told = await forgotten(rig, ANN)
    assert "1 memories and 1 recorded messages" in told
    assert "/reset" in told
    assert "/memory pause" in told
    assert "Nothing is kept of you" in await rig.ask("forget-me")
    assert "goats" in await rig.ask("mine", by=BEN)


async def test_in_a_group_the_person_goes_and_no_account_is_named(rig: CommandRig) -> None:
    journal = rig.engine.journal
    await journal.set_alias("qq", "901", "ann")
    await journal.set_alias("tg", "secret_ann", "ann")
    there = Scope(ScopeKind.PRIVATE, "tg", "secret_ann", "default")
    await rig.remember("Ann keeps bees", of=replace(ANN, scope=there))
    await rig.remember("Ann likes tea", of=in_group(ANN))
    await rig.remember("Ben likes tea", of=in_group(BEN), speaker=Speaker("902", "Ben"))
    told = await rig.ask("forget-me", by=in_group(ANN))
    assert "your accounts (2)" in told
    assert "secret_ann" not in told
    assert "2 memories" in await forgotten(rig, in_group(ANN))
    assert "Ben likes tea" in await rig.ask("mine", by=in_group(BEN))


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
async def test_in_chinese_no_english_is_said(rig: CommandRig, command: str, argument: str) -> None:
    await rig.remember("小雨养蜂", of=ANN_ZH)
    told = await rig.ask(command, argument, by=ANN_ZH)
    commands = r"/memory [a-z-]+( (group|on|off|[A-Z0-9]{6}))?|/reset|“group”|qq/901"
    assert re.findall("[A-Za-z]{2,}", re.sub(commands, "", told)) == []


async def test_forget_me_tells_of_a_delay(rig: CommandRig, monkeypatch: pytest.MonkeyPatch) -> None:
    await rig.remember("Ann keeps bees")
    code = await code_of(rig, ANN)

    async def locked(*_: object) -> frozenset[str]:
        raise StorageError("memories.db is locked by another program")

    with monkeypatch.context() as patched:
        patched.setattr(rig.engine.store, "purge", locked)
        told = await rig.ask("forget-me", code)
    assert "everything of yours up to this moment will be deleted as soon as possible" in told
    assert "Deleted for good" not in told


async def test_reminders_are_off_until_asked_for_and_hold_for_the_person(rig: CommandRig) -> None:
    assert "It is off" in await rig.ask("remind")
    assert "a message, once" in await rig.ask("remind", "on", by=in_group(ANN))
    assert "on already" in await rig.ask("remind", "开")
    assert "It is on" in await rig.ask("remind")
    assert "It is off" in await rig.ask("remind", by=BEN)
    assert "remind [on|off]" in await rig.ask("remind", "maybe")
    assert "no messages any more" in await rig.ask("remind", "off")
    assert "off already" in await rig.ask("remind", "关", by=in_group(ANN))
    assert "提醒一次" in await rig.ask("remind", "on", by=ANN_ZH)


async def test_the_host_is_told_whenever_somebody_asks_for_reminders(rig: CommandRig) -> None:
    asked: list[bool] = []

    async def reschedule() -> None:
        asked.append(bool(await rig.engine.consents.reminded()))

    rig.services = replace(rig.services, reschedule=reschedule)
    for word in ("on", "on", "off"):
        await rig.ask("remind", word)
    assert asked == [True, True, False]


async def test_what_is_recorded_here_is_told_and_chosen_by_admins_alone(rig: CommandRig) -> None:
    assert "private" in await rig.ask("recording")
    assert "Only a group" in await rig.ask("recording", "none", by=admin(ANN))
    told = await rig.ask("recording", by=in_group(ANN))
    assert "Everything" in told
    assert "default setting" in told
    assert "admins" in await rig.ask("recording", "none", by=in_group(ANN))
    assert "Nothing" in await rig.ask("recording", "NONE", by=in_group(admin(ANN)))
    assert "Nothing" in await rig.ask("recording", by=in_group(BEN))
    assert "not recorded" in await rig.ask("remember", "We meet at noon", by=in_group(BEN))
    assert "to me" in await rig.ask("recording", "对我说的", by=in_group(admin(ANN)))
    assert "default setting" in await rig.ask("recording", "default", by=in_group(admin(ANN)))
    assert "/memory recording" in await rig.ask("recording", "some", by=in_group(admin(ANN)))
