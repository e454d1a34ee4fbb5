"""The rules are in the actions: who comes past the chat command meets them all the same."""

import json
from dataclasses import asdict, fields, replace

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS, Command
from astrbot_plugin_tidemark.commands.chat.request import Request
from astrbot_plugin_tidemark.core.actions import (
    details,
    edits,
    explanation,
    listing,
    reports,
    views,
)
from astrbot_plugin_tidemark.core.actions.answers import Caller, Refusal, Refused
from astrbot_plugin_tidemark.core.actions.context import Context
from astrbot_plugin_tidemark.core.actions.listing import ListRequest
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Claim, Entity, Relation

from .command_rig import ANN, BEN, CommandRig, admin

ARGUMENTS = {
    "pin": "abcdef",
    "unpin": "abcdef",
    "restore": "abcdef",
    "purge": "abcdef",
    "decay": "--preview 7",
    "feedback": "abcdef useful",
    "alias": "list",
    "config": "list",
    "embedder": "install",
    "storage": "migrate sqlite",
    "restore-backup": "20250615T150640",
}
"""Well formed, where a command does nothing without an argument."""

ASKS_NOTHING = {"recover"}
"""It only says that memory is open."""


def context(rig: CommandRig, caller: Caller) -> Context:
    return Context(caller, rig.engine, rig.services)


@pytest.mark.parametrize(
    "command",
    [each for each in COMMANDS if each.admin and each.name not in ASKS_NOTHING],
    ids=lambda command: command.name,
)
async def test_what_admins_may_do_is_refused_to_others(command: Command, rig: CommandRig) -> None:
    argument = ARGUMENTS.get(command.name, "")
    request = Request(command.name, ANN, argument, context(rig, ANN), rig.phrases)
    assert await command.answer(request) == rig.phrases.say("en", "refused.admins_only")


async def test_a_view_of_anothers_private_memory_holds_no_word_of_it(rig: CommandRig) -> None:
    secret = await rig.remember(
        "secret word",
        of=BEN,
        summary="secret",
        cues=("secret",),
        about=("secret",),
        entities=(Entity("secret", "secret"),),
        relations=(Relation("secret", "is", "secret"),),
        speaker=Speaker("902", "secret"),
        claim=Claim("secret", "secret", "secret", 0.0),
    )
    (view,) = await views.views(context(rig, admin(ANN)), [secret])
    assert view.masked
    assert "secret" not in repr(view)
    (own,) = await views.views(context(rig, BEN), [secret])
    assert own.memory == secret


async def test_only_an_admin_can_give_a_reason_for_seeing_private_memories(rig: CommandRig) -> None:
    secret = await rig.remember("secret word", of=BEN)
    asking = replace(context(rig, ANN), reveal="I want to")
    with pytest.raises(Refused, match=Refusal.ADMINS_ONLY):
        await views.seen(asking, [secret], "show")


async def test_a_page_says_why_memories_are_masked_and_only_then(rig: CommandRig) -> None:
    await rig.remember("secret word", of=BEN)
    boss = context(rig, admin(ANN))
    theirs = await listing.browse(boss, ListRequest(scope=BEN.scope.key))
    own = await listing.browse(boss, ListRequest())
    assert theirs.why_masked is Refusal.REASON_NEEDED
    assert own.why_masked is None


async def test_what_an_action_answers_is_data_that_a_page_can_have_as_json(rig: CommandRig) -> None:
    boss = context(rig, admin(ANN))
    memory = await rig.remember("Ann keeps bees")
    await rig.ask("correct", f"{memory.id} Ann keeps wasps")
    for answer in (
        await listing.browse(boss, ListRequest(status=None)),
        await listing.list_scopes(boss, 1),
        await details.details(boss, memory.id),
        *(await details.details(boss, memory.id)).history,
        await explanation.search(boss, "bees"),
        await reports.tier_counts(boss),
        await edits.forget(boss, memory.id),
    ):
        told = json.loads(json.dumps(asdict(answer)))
        assert set(told) == {field.name for field in fields(answer)}
