"""The owner of the page and their own accounts in chats, linked by a code or a click."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.privacy.revelations import RevelationKind

from ..command_rig import ANN, BEN, CommandRig, in_group
from .page import asked, data

LOGIN = ["dashboard", "owner"]


async def test_a_code_said_in_chat_makes_login_and_account_one_person(rig: CommandRig) -> None:
    await rig.say("hello")
    own = await rig.remember("Ann hides her diary under the stairs")
    await rig.remember("Ben owes 40 crowns", of=BEN)
    code = (await data(rig, "POST me/code"))["code"]
    answer = await rig.ask("link", code.lower())
    assert "dashboard/owner" in answer
    assert "qq/901" in answer
    me = await data(rig, "GET me")
    assert [(each["platform"], each["user"]) for each in me["accounts"]] == [("qq", "901")]
    shown = (await data(rig, "GET memories"))["page"]["entries"]
    assert {each["text"] for each in shown} == {own.text, ""}
    written = await data(rig, "POST memories/write", id=own.id, text="Ann hides it in the attic")
    [memory] = await rig.engine.parts.store.find([written["memory"]["id"]])
    assert memory.speaker is not None
    assert (memory.speaker.id, memory.speaker.name, memory.scope) == ("901", "Ann", own.scope)
    assert "attic" in await rig.ask("mine")
    assert (
        await rig.engine.parts.journal.audit_by_action(frozenset({RevelationKind.REVEALED})) == []
    )


async def test_a_code_is_good_once_and_only_in_private(rig: CommandRig) -> None:
    code = (await data(rig, "POST me/code"))["code"]
    assert "private chat" in await rig.ask("link", code, by=in_group(ANN))
    assert "wrong or too old" in await rig.ask("link", "ABCDEF")
    await rig.ask("link", code)
    assert "wrong or too old" in await rig.ask("link", code, by=BEN)
    assert ("qq", "902") not in await rig.engine.parts.journal.aliases()
    late = (await data(rig, "POST me/code"))["code"]
    rig.clock.at += 301
    assert "wrong or too old" in await rig.ask("link", late, by=BEN)


async def test_a_namesake_does_not_become_the_same_person(rig: CommandRig) -> None:
    await rig.engine.parts.journal.set_alias("telegram", "7", "Ann")
    await rig.ask("link", (await data(rig, "POST me/code"))["code"])
    people = await rig.engine.parts.journal.aliases()
    assert people["qq", "901"] == people["dashboard", "owner"] != people["telegram", "7"]


async def test_accounts_that_were_one_person_stay_so(rig: CommandRig) -> None:
    await rig.engine.parts.journal.set_alias("telegram", "7", "Annie")
    await rig.engine.parts.journal.set_alias("qq", "901", "Annie")
    for by in (BEN, ANN):
        await rig.ask("link", (await data(rig, "POST me/code"))["code"], by=by)
    assert len(set((await rig.engine.parts.journal.aliases()).values())) == 1
    me = await data(rig, "GET me")
    assert {each["user"] for each in me["accounts"]} == {"7", "901", "902"}


async def test_the_web_account_of_the_same_login_is_linked_by_a_click(rig: CommandRig) -> None:
    assert (await data(rig, "GET me"))["webchat"] is None
    scope = Scope(ScopeKind.PRIVATE, "webchat", "owner", "default")
    web = replace(ANN, scope=scope, session="webchat:1", person="owner", name="owner")
    await rig.remember("The owner keeps parrots", of=web)
    assert (await data(rig, "GET me"))["webchat"]["user"] == "owner"
    joined = await data(rig, "POST me/webchat")
    assert sorted(joined["accounts"]) == [LOGIN, ["webchat", "owner"]]
    [row] = (await data(rig, "GET memories"))["page"]["entries"]
    assert row["text"] == "The owner keeps parrots"
    assert (await data(rig, "GET me"))["webchat"] is None


async def test_a_key_handed_to_a_program_is_nobodys_login(rig: CommandRig) -> None:
    for name in ("POST me/code", "POST me/webchat"):
        answer = await asked(rig, name, by="api_key:7")
        assert answer["message"] == "refused.not_by_key"
