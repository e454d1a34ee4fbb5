"""The names people go by now in each chat, kept in memory: a turn costs no read.

A name belongs to the chat it was used in (`Scope.owner`): a group's card may tell what no other
group is to know.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set

from ..model.conversation import Account, NewTurn, Role, Scope
from ..ports import Accounts
from ..text.quoting import entity_id


class People:
    """Newest names by chat and account.

    The journal's are read once; later ones are noticed as they come.
    """

    def __init__(self, journal: Accounts) -> None:
        self._journal = journal
        self._known: dict[str, dict[Account, str]] | None = None
        self._noticed: dict[str, dict[Account, str]] = {}
        self._called: dict[str, set[str]] = {}
        self._earlier: dict[str, dict[Account, set[str]]] = {}
        self._changes = 0

    async def names(self, chats: Collection[str]) -> Mapping[Account, str]:
        """(platform, user id) -> the name that person last spoke under in one of these chats.

        Without empty ones. Raises StorageError while the journal cannot be read; then the next
        call tries again.
        """
        known = await self._read()
        found: dict[Account, str] = {}
        for chat in sorted(chats):
            found |= known.get(chat, {})
        return found

    async def called(self, chats: Collection[str]) -> Set[str]:
        """The entity ids of all names in these chats, and of those newest since the start.

        Raises StorageError like `names`.
        """
        known = await self._read()
        for chat in chats:
            if chat not in self._called:
                self._called[chat] = {entity_id(name) for name in known.get(chat, {}).values()}
        return set[str]().union(*(self._called[chat] for chat in chats))

    async def same(self, chats: Collection[str]) -> Mapping[str, Sequence[str]]:
        """By name (`entity_id`), the other names of whoever goes by it, for those with several.

        They are the names, in these chats, of accounts that an alias joins, and those that were
        newest there since the start. Raises StorageError while the journal cannot be read.
        """
        aliases, known = await self._journal.aliases(), await self._read()
        joined: defaultdict[Account | str, set[str]] = defaultdict(set)
        for chat in chats:
            names, earlier = known.get(chat, {}), self._earlier.get(chat, {})
            for account in {*(names.keys() & aliases.keys()), *earlier}:
                called = {names.get(account, ""), *earlier.get(account, ())}
                joined[aliases.get(account, account)] |= {
                    entity_id(name) for name in called if name
                }
        return _others(called for called in joined.values() if len(called) > 1)

    def forget(self, accounts: Iterable[Account]) -> None:
        """Forget what these go by anywhere, until they speak again."""
        self._changes += 1
        self._called.clear()
        everywhere = (self._earlier, self._noticed, self._known or {})
        for account in accounts:
            for chats in everywhere:
                for names in chats.values():
                    names.pop(account, None)

    def notice(self, turn: NewTurn) -> None:
        """Somebody has spoken, perhaps under another name than before in this chat."""
        if turn.role is Role.ASSISTANT or not turn.speaker.name:
            return
        scope = Scope.parse(turn.place.scope)
        chat, account = scope.owner, (scope.platform, turn.speaker.id)
        names = (self._noticed if self._known is None else self._known).setdefault(chat, {})
        before = names.get(account)
        if before is not None and before != turn.speaker.name:
            self._earlier.setdefault(chat, {}).setdefault(account, set()).add(before)
        names[account] = turn.speaker.name
        if chat in self._called:
            self._called[chat].add(entity_id(turn.speaker.name))

    async def _read(self) -> Mapping[str, Mapping[Account, str]]:
        while self._known is None:
            changes = self._changes
            read = await self._journal.names()
            # What was read beside an erasure may be from before it.
            if changes != self._changes or self._known is not None:
                continue
            chats = read.keys() | self._noticed.keys()
            self._known = {
                chat: {**read.get(chat, {}), **self._noticed.get(chat, {})} for chat in chats
            }
        return self._known


def _others(people: Iterable[Set[str]]) -> Mapping[str, Sequence[str]]:
    same: defaultdict[str, set[str]] = defaultdict(set)
    for called in people:
        for name in called:
            same[name] |= called - {name}
    return {name: sorted(others) for name, others in same.items()}
