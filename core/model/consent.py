"""What the owner of memories has chosen about them. Values only."""

from dataclasses import dataclass, replace
from enum import StrEnum

from .conversation import ANY_PERSONA, Scope, ScopeKind
from .recording import GroupRecording


@dataclass(frozen=True, slots=True)
class Consent:
    """The choices of one person or one group; the defaults hold for whoever never chose.

    `paused`: nothing is recorded or recalled. `shared`: private memories may be used in groups,
    in answers to this person. `keep_days`: memories older than that go to the bin; None keeps
    them as long as they prove useful. `reminded`: a message on the day of what they mean to do.
    `recording`: what is recorded of a group; None as the settings say. `silent`: it is recorded,
    but nothing is brought up.
    """

    paused: bool = False
    shared: bool = False
    keep_days: float | None = None
    reminded: bool = False
    recording: GroupRecording | None = None
    silent: bool = False


class Pause(StrEnum):
    """Who has paused recording and recall, or recall alone: the person, or the group."""

    PERSON = "person"
    GROUP = "group"


def person_in(scope: Scope, user: str) -> Scope:
    """The private scope, under any persona, of the `user` who speaks in `scope`.

    In a private chat that is the chat's own subject: some adapters name no user there.
    """
    if scope.kind is ScopeKind.PRIVATE:
        return replace(scope, persona=ANY_PERSONA)
    return Scope(ScopeKind.PRIVATE, scope.platform, user)
