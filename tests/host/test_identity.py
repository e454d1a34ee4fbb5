"""Whose memory a message belongs to where an adapter leaves a name out."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Role, Scope, ScopeKind

pytestmark = pytest.mark.usefixtures("host_code")


class Nobody:
    """A host without conversations or personas."""

    @property
    def conversation_manager(self) -> "Nobody":
        return self

    @property
    def persona_manager(self) -> "Nobody":
        return self

    async def get_curr_conversation_id(self, session: str) -> None:
        return None

    async def resolve_selected_persona(self, **asked: Any) -> tuple[None, None, None, bool]:
        return None, None, None, False


def event(kind: str, *, session: str, sender: Any = "901", group: str = "") -> Any:
    from astrbot.api.event import AstrMessageEvent
    from astrbot.core.platform import AstrBotMessage, MessageMember, PlatformMetadata

    message = AstrBotMessage()
    message.type = kind
    message.sender = MessageMember(sender, "Ann")
    message.group_id = group
    message.message_str = "hello"
    return AstrMessageEvent("hello", message, PlatformMetadata("x", "", "x"), session)


async def scope_of(event: Any) -> tuple[Scope, Role]:
    from astrbot_plugin_tidemark.core.host.identity import identify

    nobody: Any = Nobody()
    identity = await identify(event, nobody, separate_personas=False)
    return identity.scope, identity.role


async def test_whatever_names_nobody_reaches_no_private_memory() -> None:
    first, _ = await scope_of(event("FriendMessage", session="chat-1", sender=17))
    second, _ = await scope_of(event("FriendMessage", session="chat-2", sender=18))
    assert first.kind is second.kind is ScopeKind.PRIVATE
    assert first != second
    here, role = await scope_of(event("GroupMessage", session="room-1"))
    assert (here.kind, here.subject) == (ScopeKind.GROUP, "room-1")
    assert role is Role.BYSTANDER
    here, _ = await scope_of(event("OtherMessage", session="note%901"))
    assert here.kind is ScopeKind.GROUP


async def test_memory_is_the_persons_or_the_groups_in_all_their_sessions() -> None:
    assert (await scope_of(event("FriendMessage", session="s")))[0].subject == "901"
    assert (await scope_of(event("GroupMessage", session="s", group="50")))[0].subject == "50"
    first, _ = await scope_of(event("GroupMessage", session="901_50", group="50"))
    second, _ = await scope_of(event("GroupMessage", session="902_50", group="50", sender="902"))
    assert first == second
    assert first.subject == "50"
    sessions = ("webchat!fay!a1", "webchat!fay!b2")
    scopes = [await scope_of(event("FriendMessage", session=s, sender="fay")) for s in sessions]
    assert scopes[0] == scopes[1]
    assert scopes[0][0].subject == "fay"


@pytest.mark.parametrize(
    ("told", "kept"), [("Rowers", "Rowers"), ("x" * 200, "x" * 80), (None, ""), (7, "")]
)
async def test_a_group_goes_by_the_name_that_came_with_the_message(told: Any, kept: str) -> None:
    from astrbot_plugin_tidemark.core.host.identity import identify

    nobody: Any = Nobody()
    heard = event("GroupMessage", session="s", group="50")
    heard.message_obj.group.group_name = told
    assert (await identify(heard, nobody, separate_personas=False)).chat_name == kept
    private = event("FriendMessage", session="s")
    assert (await identify(private, nobody, separate_personas=False)).chat_name == ""
