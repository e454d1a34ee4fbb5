"""The names people go by now, kept in memory: a turn costs no read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from ..model.conversation import Account, NewTurn, Role, Scope
from ..ports import Journal
from ..text.display_names import entity_id


class People:
    """Newest names by account. The journal's are read once; later ones are noticed as they come."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[Account, str] | None = None
        self._noticed: dict[Account, str] = {}
        self._called: set[str] | None = None
        self._earlier: dict[Account, set[str]] = {}

    async def names(self) -> Mapping[Account, str]:
        """(platform, user id) -> the name that person last spoke under; without empty ones.

        Raises StorageError while the journal cannot be read; then the next call tries again.
        """
        if self._known is None:
            read = await self._journal.names()
            self._known = {**read, **self._noticed}
        return self._known

    async def called(self) -> Set[str]:
        """The entity ids of all these names, and of those that were newest since the start.

        Raises StorageError like `names`.
        """
        names = await self.names()
        if self._called is None:
            self._called = {entity_id(name) for name in names.values()}
        return self._called

    async def same(self) -> Mapping[str, Sequence[str]]:
        """By name (`entity_id`), the other names of whoever goes by it, for those with several.

        They are the names of accounts that an alias joins, and those that were newest since the
        start. Raises StorageError while the journal cannot be read.
        """
        aliases, names = await self._journal.aliases(), await self.names()
        joined: defaultdict[Account | str, set[str]] = defaultdict(set)
        for account in {*aliases, *self._earlier}:
            known = {names.get(account, ""), *self._earlier.get(account, ())}
            joined[aliases.get(account, account)] |= {entity_id(name) for name in known if name}
        several = [called for called in joined.values() if len(called) > 1]
        same: defaultdict[str, set[str]] = defaultdict(set)
        for called in several:
            for name in called:
                same[name] |= called - {name}
        return {name: sorted(others) for name, others in same.items()}

    def forget(self, accounts: Iterable[Account]) -> None:
        """Forget what these go by, until they speak again."""
        self._called = None
        for account in accounts:
            self._earlier.pop(account, None)
            self._noticed.pop(account, None)
            if self._known is not None:
                self._known.pop(account, None)

    def notice(self, turn: NewTurn) -> None:
        """Somebody has spoken, perhaps under another name than before."""
        if turn.role is Role.ASSISTANT or not turn.speaker.name:
            return
        account = (Scope.parse(turn.place.scope).platform, turn.speaker.id)
        names = self._noticed if self._known is None else self._known
        before = names.get(account)
        if before is not None and before != turn.speaker.name:
            self._earlier.setdefault(account, set()).add(before)
        names[account] = turn.speaker.name
        if self._called is not None:
            self._called.add(entity_id(turn.speaker.name))
