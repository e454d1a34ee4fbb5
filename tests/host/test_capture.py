"""What the host's hooks put on record: who said what, once, and where an episode ends."""

import json
from typing import Any

from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench
from astrbot_plugin_tidemark.scripts.hostkit.model_server import Reply, ToolCall
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from .chat_client import (
    group,
    heard,
    indexed,
    journal,
    learning_calls,
    private,
    recalled,
    release,
    said,
    turns,
    until,
    web,
)
from .conftest import newer_host

ASKED, ANSWERED, OVERHEARD = Role.USER, Role.ASSISTANT, Role.BYSTANDER


async def test_group_chatter_is_recalled_with_its_speaker_when_asked(host: Bench) -> None:
    await host.chat.say(901, "The rehearsal moves to the boathouse on Friday", group=6001)
    await heard(host, group(6001))
    assert host.model.asked() == []
    await indexed(host)
    await host.chat.ask(902, "Where is the rehearsal on Friday?", group=6001, mention=True)
    (found,) = [m for m in recalled(host.model.asked()[-1]) if "boathouse" in m]
    assert "Anna" in found
    overheard, asked, _ = await turns(host, group(6001))
    assert (overheard.role, overheard.speaker.id, overheard.speaker.name) == (
        OVERHEARD,
        "901",
        "Anna",
    )
    assert (asked.role, asked.speaker.name) == (ASKED, "Ben")


async def test_what_was_said_in_a_group_or_in_private_stays_there(host: Bench) -> None:
    await host.chat.say(1201, "The treasure map is under the piano", group=6002)
    await heard(host, group(6002))
    await host.chat.ask(1201, "My safe code for the treasure is 7291")
    await indexed(host)
    await host.chat.ask(1201, "What about the treasure map, where is it?")
    assert not any("piano" in memory for memory in recalled(host.model.asked()[-1]))
    await host.chat.ask(1201, "What is the treasure safe code?", group=6002, mention=True)
    assert not any("7291" in memory for memory in recalled(host.model.asked()[-1]))
    await host.chat.ask(1202, "What is the treasure safe code?")
    assert not any("7291" in memory for memory in recalled(host.model.asked()[-1]))
    await host.chat.ask(1201, "/new")
    await host.chat.ask(1201, "What is the treasure safe code?")
    assert any("7291" in memory for memory in recalled(host.model.asked()[-1]))


async def test_what_others_say_of_who_is_mentioned_is_theirs_to_put_right(host: Bench) -> None:
    at_ben = ("at", {"qq": "902"})
    await host.chat.say(902, "Good morning, all of you", group=6003)
    await heard(host, group(6003), "Good morning")
    await host.chat.say(901, "Who is allergic to walnuts?", group=6003, media=[at_ben])
    await heard(host, group(6003), "walnuts")
    assert [text for _, text in await said(host, group(6003))][-1].endswith("@Ben(902)")
    told = "@Ben(902) is allergic to walnuts"
    await host.chat.ask(901, f"/memory remember {told}", group=6003)
    listed = await host.chat.ask(902, "/memory mine about", group=6003)
    (line,) = [line for line in listed.splitlines() if told in line]
    correct = f"/memory correct {line.split()[0]} Ben eats walnuts"
    answer = await host.chat.ask(902, correct, group=6003)
    assert "Ben eats walnuts" in answer
    assert told not in await host.chat.ask(902, "/memory mine about", group=6003)
    assert told not in await host.chat.ask(903, "/memory mine about", group=6003)


async def test_whoever_quotes_a_message_of_a_group_answers_it(host: Bench) -> None:
    asked = await host.chat.say(901, "How old is your cat?", group=6004)
    await heard(host, group(6004), "your cat")
    await host.chat.say(903, "The ferry is late again", group=6004)
    await heard(host, group(6004), "ferry")
    await host.chat.say(902, "Three years", group=6004, reply_to=asked)
    await heard(host, group(6004), "Three years")
    question, _, answer = await turns(host, group(6004))
    assert answer.answers == question.seq
    await host.chat.ask(903, "When does it leave?", group=6004, mention=True)
    reply = host.chat.sent[-1].id
    await host.chat.ask(902, "Who says so?", group=6004, reply_to=reply)
    *_, told, asking, _ = await turns(host, group(6004))
    assert (told.role, asking.role) == (ANSWERED, ASKED)
    assert asking.answers == told.seq


async def test_a_tool_loop_is_one_reply_with_what_was_added(host: Bench, webchat: Webchat) -> None:
    host.model.script(
        Reply("Let me look.", tool=ToolCall("probe_wait", {"topic": "ferries"})),
        Reply("The ferry leaves at nine."),
    )
    seen = len(host.chat.sent)
    await host.chat.say(1203, "When does the ferry leave?")
    await until(lambda: len(host.model.asked()) == 1)
    await host.chat.say(1203, "The one to Bergen I mean")
    await heard(host, private(1203), "Bergen")
    await until(lambda: "Captured follow-up message" in host.log())
    await release(webchat)
    await until(lambda: any("nine" in sent.text for sent in host.chat.sent[seen:]))
    assert "Bergen" in json.dumps(host.model.asked()[-1].body, ensure_ascii=False)
    assert await said(host, private(1203)) == [
        (ASKED, "When does the ferry leave?"),
        (ASKED, "The one to Bergen I mean"),
        (
            ANSWERED,
            "The ferry leaves at nine.\n⊳ probe_wait(topic=ferries) → nothing new about ferries",
        ),
    ]


@newer_host
async def test_a_failing_model_leaves_the_question_on_record_and_no_answer(host: Bench) -> None:
    host.model.script(Reply(status=500), Reply(status=500))
    await host.chat.ask(1204, "Is the bridge open today?")
    host.model.clear()
    assert await host.chat.ask(1204, "And the tunnel?") == "echo: And the tunnel?"
    assert await said(host, private(1204)) == [
        (ASKED, "Is the bridge open today?"),
        (ASKED, "And the tunnel?"),
        (ANSWERED, "echo: And the tunnel?"),
    ]


async def test_an_empty_answer_is_not_recorded(host: Bench, guests: Webchat) -> None:
    host.model.script(*[Reply("")] * 4)
    await guests.chat("Say nothing at all", session="empty", username="ida")
    host.model.clear()
    assert await guests.chat("Now say it", session="empty", username="ida") == "echo: Now say it"
    assert await said(host, web("ida", "empty")) == [
        (ASKED, "Say nothing at all"),
        (ASKED, "Now say it"),
        (ANSWERED, "echo: Now say it"),
    ]


async def test_a_stopped_answer_is_not_recorded(host: Bench) -> None:
    host.model.script(Reply("A very long story", delay=20.0))
    await host.chat.say(1205, "Tell me a story")
    await until(lambda: len(host.model.asked()) == 1)
    await host.chat.say(1205, "/stop")
    await until(lambda: any(sent.user == 1205 for sent in host.chat.sent))
    host.model.clear()
    seen = len(host.chat.sent)
    await host.chat.say(1205, "A short one then")
    await until(lambda: any("short" in sent.text for sent in host.chat.sent[seen:]))
    record = await said(host, private(1205))
    assert [text for role, text in record if role is ASKED] == [
        "Tell me a story",
        "A short one then",
    ]
    assert [text for role, text in record if role is ANSWERED] == ["echo: A short one then"]


async def test_a_streamed_reply_is_recorded_once(host: Bench, guests: Webchat) -> None:
    host.model.script(Reply("It is a long way to the lighthouse, take the coast path."))
    await guests.chat("How do I get there?", session="s", username="joe", streaming=True)
    assert await said(host, web("joe", "s")) == [
        (ASKED, "How do I get there?"),
        (ANSWERED, "It is a long way to the lighthouse, take the coast path."),
    ]


async def test_a_message_delivered_twice_is_one_turn_a_reused_id_is_two(host: Bench) -> None:
    await host.chat.ask(1208, "The fog horn is broken", message_id=77_000)
    await host.chat.ask(1208, "The fog horn is broken", message_id=77_000)
    await host.chat.ask(1208, "The fog horn works again", message_id=77_000)
    record = await said(host, private(1208))
    assert [text for role, text in record if role is ASKED] == [
        "The fog horn is broken",
        "The fog horn works again",
    ]


async def test_reset_and_new_end_the_episode_and_it_is_learnt_from(host: Bench) -> None:
    await host.chat.ask(1206, "I collect azure stamps")
    await host.chat.ask(1206, "/reset")
    await until(lambda: len(learning_calls(host.model, "azure stamps")) == 1)
    await host.chat.ask(1206, "I also collect crimson coins")
    await host.chat.ask(1206, "/new")
    await until(lambda: len(learning_calls(host.model, "crimson coins")) == 1)
    assert learning_calls(host.model, "azure stamps") != learning_calls(host.model, "crimson coins")


async def test_a_history_emptied_in_the_web_ends_the_episode(host: Bench, webchat: Webchat) -> None:
    await host.chat.ask(1207, "My violin is by Stainer")
    (conversation,) = await until(lambda: _saved(webchat, private(1207), "Stainer"))
    emptied = await webchat.api(
        "PUT",
        f"/api/v1/conversations/{conversation['cid']}/messages?user_id={private(1207)}",
        {"messages": []},
    )
    assert emptied.json()["status"] == "ok"
    await host.chat.ask(1207, "Which varnish suits it?")
    await until(lambda: len(learning_calls(host.model, "Stainer")) == 1)
    assert "varnish" not in learning_calls(host.model, "Stainer")[0].user
    async with journal(host) as opened:
        episode = await opened.open_episode(private(1207))
        rest = [turn.text for turn in await opened.turns_of(episode.id)]
    assert rest == ["Which varnish suits it?", "echo: Which varnish suits it?"]


async def _saved(webchat: Webchat, session: str, word: str) -> list[Any]:
    """The session's conversations; none until their history holds the word.

    The host saves a turn after it has sent the answer.
    """
    listed = await webchat.api("GET", f"/api/v1/conversations?umo={session}")
    return [c for c in listed.json()["data"]["conversations"] if word in c["history"]]
