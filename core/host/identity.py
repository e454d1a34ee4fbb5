"""Who speaks, where, and whose memory that is, from a host event."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.platform import Group
from astrbot.api.star import Context

from ..model.consent import Utterance
from ..model.conversation import ANY_PERSONA, Place, Role, Scope, ScopeKind, Speaker
from ..transfer.host_history import texts_of

LONGEST_NAME = 80
DEFAULT_PERSONA = "default"
GROUP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Identity:
    """A message's place, scope, speaker and part in the chat; and the group's name, or "".

    `persona` is the one that answers, whether or not its memories are apart.
    """

    scope: Scope
    place: Place
    speaker: Speaker
    role: Role
    chat_name: str
    persona: str

    @property
    def utterance(self) -> Utterance:
        """What decides whether it may be recorded."""
        addressed = self.role is not Role.BYSTANDER
        return Utterance(self.scope, self.speaker.id, self.persona, addressed)


async def identify(
    event: AstrMessageEvent, context: Context, *, separate_personas: bool
) -> Identity:
    """Private chats belong to (platform, user), whatever the session; groups to the group.

    Where an adapter names no user or no group, the session stands in: a missing name never makes
    people share a memory, and only a private chat is taken for one.
    """
    session = event.unified_msg_origin
    conversation, own_persona = await _conversation(session, context)
    platform = event.get_platform_name()
    persona = await persona_of(context, session, platform, own_persona)
    scope = _scope(event, persona if separate_personas else ANY_PERSONA)
    speaker = Speaker(event.get_sender_id(), event.get_sender_name()[:LONGEST_NAME])
    addressed = scope.kind is ScopeKind.PRIVATE or event.is_at_or_wake_command
    role = Role.USER if addressed else Role.BYSTANDER
    place = Place(session, conversation, scope.key)
    return Identity(scope, place, speaker, role, _chat_name(event, scope), persona)


async def keeps_group(event: AstrMessageEvent) -> bool:
    """Whether the platform says that the sender owns or administers the group.

    It is asked for that: only where it decides. One that does not answer says no.
    """
    if not event.get_group_id():
        return False
    asked = asyncio.wait_for(event.get_group(), GROUP_SECONDS)
    # What adapters raise is their own.
    (group,) = await asyncio.gather(asked, return_exceptions=True)
    if not isinstance(group, Group):
        return False
    keepers = (group.group_owner, *(group.group_admins or ()))
    return event.get_sender_id() in map(str, keepers)


def history_texts(contexts: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Every text of the user in the history that goes with a request; parts count apart."""
    said = (each.get("content") for each in contexts if each.get("role") == "user")
    return frozenset(text for content in said for text in texts_of(content))


def _scope(event: AstrMessageEvent, persona: str) -> Scope:
    platform, group, session = event.get_platform_id(), event.get_group_id(), event.session_id
    if group or not event.is_private_chat():
        return Scope(ScopeKind.GROUP, platform, group or session, persona)
    return Scope(ScopeKind.PRIVATE, platform, event.get_sender_id() or session, persona)


def _chat_name(event: AstrMessageEvent, scope: Scope) -> str:
    """What came with the message. `event.get_group` may ask the platform, which takes its time."""
    group: Any = event.message_obj.group if scope.kind is ScopeKind.GROUP else None
    name = getattr(group, "group_name", None)
    return name[:LONGEST_NAME] if isinstance(name, str) else ""


async def _conversation(session: str, context: Context) -> tuple[str, str | None]:
    conversations = context.conversation_manager
    current = await conversations.get_curr_conversation_id(session)
    if not current:
        return "", None
    conversation = await conversations.get_conversation(session, current)
    return current, conversation.persona_id if conversation else None


async def persona_of(context: Context, session: str, platform: str, own: str | None) -> str:
    """Which persona answers in a session; `own` is that of its conversation, `platform` a name."""
    selected, _, _, web_default = await context.persona_manager.resolve_selected_persona(
        umo=session, conversation_persona_id=own, platform_name=platform
    )
    # The web chat's default persona has a name of its own; to a person it is the same bot.
    return DEFAULT_PERSONA if web_default or not selected else selected
