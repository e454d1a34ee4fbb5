"""The scopes that may be read in a chat: its own, and the same person's on other platforms. In a
group, people may let their own private memories be used in answers to them.
"""

from dataclasses import dataclass, replace

from ..model.consent import person_in
from ..model.conversation import ANY_PERSONA, Scope, ScopeKind
from ..ports import MemoryReader
from ..settings import ScopeSettings
from .consents import Consents


@dataclass(frozen=True, slots=True)
class ScopeAccess:
    """Answers from aliases and consents. No data is moved, so undoing one takes effect at once."""

    store: MemoryReader
    consents: Consents
    settings: ScopeSettings

    async def readable(self, scope: Scope, asker: str | None = None) -> frozenset[str]:
        """Keys of every scope that may be recalled from here.

        A private memory is readable only by its person (all aliases of them); a group's only in
        that group. Memories of no particular persona are readable under every persona. In a
        group the private memories of the `asker` (a user id of its platform) are readable too
        if that person shares them: only for what answers the asker alone.
        """
        owners = await self.consents.accounts(scope)
        if asker is not None and scope.kind is ScopeKind.GROUP:
            owners |= await self._shared_by(replace(person_in(scope, asker), persona=scope.persona))
        if self.settings.persona_separation:
            personas = {scope.persona, ANY_PERSONA}
            return frozenset(
                replace(owner, persona=persona).key for owner in owners for persona in personas
            )
        wanted = {owner.owner for owner in owners}
        known = [Scope.parse(key) for key in await self.store.scopes()]
        return frozenset({s.key for s in known if s.owner in wanted} | wanted)

    async def chats(self, scope: Scope) -> frozenset[str]:
        """The chats (`Scope.owner`) whose names may be told here, whoever asks.

        A person's own, on all accounts; in a group that group alone, also where the asker shares
        private memories: what somebody is called elsewhere is not told with them.
        """
        return frozenset(one.owner for one in await self.consents.accounts(scope))

    async def _shared_by(self, person: Scope) -> frozenset[Scope]:
        if not (await self.consents.of(person)).shared:
            return frozenset()
        return await self.consents.accounts(person)
