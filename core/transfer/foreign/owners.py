"""The owner of another program's memory: the session it names, read as a scope. Pure.

A guess is never made: what names neither one person nor one group has no owner.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...model.conversation import ANY_PERSONA, Scope, ScopeKind

USER, GROUP, SCOPE = "user ", "group ", "scope "
"""Begin the name of a chat of which only the person, the group or the scope is known."""

DEFAULT_PERSONA = "default"
UNOWNED = "*"
"""In a rule: every chat that has no owner otherwise."""

_NO_PERSONA = frozenset({"", "default", "[%None]"})
_PER_MEMBER = re.compile(r"\d+_\d+")
"""A member's own session in a group, under the host's setting for unique sessions."""


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """A rule's target: these memories are not wanted."""


LEFT_OUT = LeaveOut()


@dataclass(frozen=True, slots=True)
class MappingRules:
    """What the admin decides beyond what the file says.

    `chats`: a chat as the file names it, or `UNOWNED` for all without an owner, to a scope.
    A target with `ANY_PERSONA` takes the memory's own persona. `personas`: names to names.
    """

    chats: Mapping[str, Scope | LeaveOut] = field(default_factory=dict[str, "Scope | LeaveOut"])
    personas: Mapping[str, str] = field(default_factory=dict[str, str])

    def target(self, chat: str, persona: str) -> Scope | LeaveOut | None:
        """Whose it becomes; None if nobody is known for it."""
        found = self.chats.get(chat) or owner_of(chat) or self.chats.get(UNOWNED)
        if not isinstance(found, Scope):
            return found
        if found.persona != ANY_PERSONA:
            return found
        return replace(found, persona=self._persona(persona))

    def _persona(self, written: str) -> str:
        named = DEFAULT_PERSONA if written.strip() in _NO_PERSONA else written
        return self.personas.get(named) or self.personas.get(ANY_PERSONA) or named


def owner_of(session: str) -> Scope | None:
    """The person or group of a session as the host names it, under any persona; None for none."""
    platform, _, rest = session.partition(":")
    kind, _, subject = rest.partition(":")
    if not platform or not subject:
        return None
    match kind:
        case "FriendMessage":
            return Scope(ScopeKind.PRIVATE, platform, _person(subject))
        case "GroupMessage" if not _PER_MEMBER.fullmatch(subject):
            return Scope(ScopeKind.GROUP, platform, subject)
        case _:
            return None


def read_target(written: str) -> Scope | LeaveOut | None:
    """What an admin writes as a target: a scope, with or without its persona, or `skip`."""
    if written.lower() in ("skip", "-"):
        return LEFT_OUT
    parts = written.split("/")
    if len(parts) == 3:
        parts.append(ANY_PERSONA)
    try:
        scope = Scope.parse("/".join(parts))
    except ValueError:
        return None
    return scope if scope.platform and scope.subject and scope.persona else None


def _person(subject: str) -> str:
    """A person of the web chat has many sessions, each named `webchat!PERSON!...`."""
    parts = subject.split("!")
    return parts[1] if len(parts) >= 3 and parts[0] == "webchat" and parts[1] else subject
