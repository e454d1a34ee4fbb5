"""What may be recorded, and what the owner of memories has chosen about them. Values only."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import unquote

from .conversation import ANY_PERSONA, Account, Scope, ScopeKind

_APART = re.compile(r"[\s,;，；、]+")
ANY = "*"


class EntryKind(StrEnum):
    """What an entry of a rule list names; `PRIVATE` is a person, in private chats alone."""

    PLATFORM = "platform"
    GROUP = "group"
    PRIVATE = "private"
    PERSON = "person"
    PERSONA = "persona"


class GroupRecording(StrEnum):
    """What is recorded of a group."""

    ALL = "all"
    ADDRESSED = "addressed"
    NONE = "none"


class Unrecorded(StrEnum):
    """Why what somebody says is not recorded."""

    RULES = "rules"
    GROUP = "group"
    NOT_ADDRESSED = "not_addressed"


@dataclass(frozen=True, slots=True)
class Utterance:
    """Who says something where. `persona` is the one that answers there, "" if unknown.

    `joined` are other accounts of the same person.
    """

    scope: Scope
    user: str
    persona: str = ""
    addressed: bool = True
    joined: frozenset[Account] = frozenset()

    def ids(self, kind: EntryKind) -> tuple[str, ...]:
        """What an entry of that kind may say to mean this; nothing where it does not apply."""
        private = self.scope.kind is ScopeKind.PRIVATE
        match kind:
            case EntryKind.PLATFORM:
                return (self.scope.platform,)
            case EntryKind.PERSONA:
                known = self.persona or self.scope.persona
                return () if known in ("", ANY_PERSONA) else (known,)
            case EntryKind.GROUP if not private:
                return _written((self.scope.platform, self.scope.subject))
            case EntryKind.PERSON:
                return self._person
            case EntryKind.PRIVATE if private:
                return self._person
            case EntryKind.GROUP | EntryKind.PRIVATE:
                return ()

    @property
    def _person(self) -> tuple[str, ...]:
        # In a private chat some adapters name no user: it is the chat's own subject.
        private = self.scope.kind is ScopeKind.PRIVATE
        own = (self.scope.platform, self.scope.subject if private else self.user)
        accounts = {own, *self.joined}
        return tuple(id for account in accounts for id in _written(account))


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a rule list."""

    kind: EntryKind
    id: str

    def means(self, said: Utterance) -> bool:
        """Whether it names the platform, the group, the person or the persona of what is said."""
        ids = said.ids(self.kind)
        return bool(ids) if self.id == ANY else self.id in ids


@dataclass(frozen=True, slots=True)
class RecordingRules:
    """Lists of what is recorded and what is not; a denial comes first.

    Of each kind that `allow` names, only what it names is recorded: with one group in it the other
    groups are not, private chats are. Kinds that it does not name are all recorded.
    """

    allow: tuple[Entry, ...] = ()
    deny: tuple[Entry, ...] = ()

    def refuse(self, said: Utterance) -> bool:
        """Whether nothing of it may be recorded."""
        if any(entry.means(said) for entry in self.deny):
            return True
        return any(self._left_out(kind, said) for kind in {entry.kind for entry in self.allow})

    def _left_out(self, kind: EntryKind, said: Utterance) -> bool:
        # An unknown persona is not one of those allowed; a private chat has no group at all.
        applies = kind is EntryKind.PERSONA or bool(said.ids(kind))
        return applies and not any(e.means(said) for e in self.allow if e.kind is kind)


def _written(account: Account) -> tuple[str, ...]:
    platform, id = account
    return (id, f"{platform}/{id}")


def entries_in(text: str) -> tuple[Entry, ...] | None:
    """The entries of a rule list as it is written; None if it cannot be read."""
    read = [_entry(part) for part in _APART.split(text) if part]
    found = tuple(entry for entry in read if entry is not None)
    return found if len(found) == len(read) else None


def _entry(part: str) -> Entry | None:
    kind, _, id = part.replace("：", ":").partition(":")
    name = kind.casefold()
    known = next((each for each in EntryKind if each == name), None)
    return Entry(known, unquote(id)) if known is not None and id else None


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
