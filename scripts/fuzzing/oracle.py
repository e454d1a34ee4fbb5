"""Who may see which memory, from the privacy rules as people are told them.

Written apart from the plugin's own access rules: the two are compared.
"""

from dataclasses import dataclass, field

from ...commands.chat.request import ChatCaller
from ...core.model.conversation import ANY_PERSONA, Scope, ScopeKind

type Account = tuple[str, str]
"""Platform and user id."""

WITH_NAMES = "scopes"
"""The command that tells an admin in private what people are called in private."""

OWN_ONLY = frozenset(("mine", "search", "why", "remember", "help"))
"""Commands that show an admin no more than anybody else."""


@dataclass(slots=True)
class Oracle:
    """The aliases and consents in force. `separate` keeps the personas of the bot apart.

    `sharing` are the accounts whose person lets private memories be used in groups.
    """

    separate: bool = True
    people: dict[Account, str] = field(default_factory=dict[Account, str])
    sharing: set[Account] = field(default_factory=set[Account])

    def may_see(self, owner: Scope, place: Scope, asker: Account) -> bool:
        """Whether a memory of `owner` may be seen by `asker` when speaking in `place`."""
        if not self._same_bot(owner.persona, place.persona):
            return False
        match owner.kind, place.kind:
            case ScopeKind.PRIVATE, ScopeKind.PRIVATE:
                return self._same_person(_account(owner), _account(place))
            case ScopeKind.PRIVATE, ScopeKind.GROUP:
                return self._may_leave_home(_account(owner), asker)
            case ScopeKind.GROUP, ScopeKind.GROUP:
                return _account(owner) == _account(place)
            case _:
                return False

    def may_hear(self, chat: Scope, place: Scope) -> bool:
        """Whether what somebody is called in `chat` may be told in `place`.

        There alone, whatever the persona; in private also from chats of the same person.
        """
        if _account(chat) == _account(place) and chat.kind is place.kind:
            return True
        private = chat.kind is place.kind is ScopeKind.PRIVATE
        return private and self._same_person(_account(chat), _account(place))

    def share(self, account: Account, *, on: bool) -> None:
        """The person of the account changes their mind, for all accounts they have now."""
        own = {one for one in (*self.people, account) if self._same_person(one, account)}
        self.sharing = self.sharing | own if on else self.sharing - own

    def _same_bot(self, owner: str, place: str) -> bool:
        return not self.separate or owner in (place, ANY_PERSONA)

    def _same_person(self, one: Account, other: Account) -> bool:
        return one == other or self.people.get(one, one) == self.people.get(other, other)

    def _may_leave_home(self, owner: Account, asker: Account) -> bool:
        allowed = any(self._same_person(one, asker) for one in self.sharing)
        return allowed and self._same_person(owner, asker)


@dataclass(slots=True)
class Secrets:
    """Words that occur once. `owners`: in a memory or as the beginning of its id, by its owner.
    `ids` are those of them that say nothing but that there is a memory.

    What somebody types may be kept: `kept` is what was, with the scope to which it was taken,
    also if a word in it, such as an id, becomes a secret only later; `corrected` went into a
    memory, whose ever it is. `queries`: in what was asked, by session; only that session may see
    them again. `cards`: what somebody is called in one chat and nowhere else, by that chat.
    """

    owners: dict[str, Scope] = field(default_factory=dict[str, Scope])
    ids: set[str] = field(default_factory=set[str])
    kept: list[tuple[str, Scope]] = field(default_factory=list[tuple[str, Scope]])
    corrected: list[str] = field(default_factory=list[str])
    queries: dict[str, str] = field(default_factory=dict[str, str])
    cards: dict[str, Scope] = field(default_factory=dict[str, Scope])

    def typed(self, command: str, argument: str, caller: ChatCaller) -> None:
        """Note what a command keeps of what is typed: here, or where the corrected memory is."""
        told = argument.lower()
        match command.strip().lower():
            case "remember":
                self.kept.append((told, caller.scope))
            case "correct":
                self.corrected.append(told.partition(" ")[2])
            case _:
                pass

    def is_public(self, word: str) -> bool:
        """Whether the secret went into a correction."""
        return any(word in text for text in self.corrected)

    def scopes_of(self, word: str) -> frozenset[Scope]:
        """Where the secret may be read."""
        return frozenset({self.owners[word], *(scope for text, scope in self.kept if word in text)})

    def in_text(self, shown: str, typed: str) -> list[str]:
        """The secrets in a text, but for those that were typed."""
        told = typed.lower()
        words = (*self.owners, *self.queries)
        return [word for word in words if word in shown and word not in told]


def reveals(typed: str) -> bool:
    """Whether a command asks for what others said in private; then it says so, and it is noted."""
    return "--reveal" in typed


def sees_all(caller: ChatCaller, command: str) -> bool:
    """Whether this is an admin in private, for whom the memories of anybody are there."""
    return caller.admin and caller.scope.kind is ScopeKind.PRIVATE and command not in OWN_ONLY


def _account(scope: Scope) -> Account:
    return scope.platform, scope.subject
