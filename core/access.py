"""Which scopes a place may read: its own, the same person's on other platforms, and no other."""

from dataclasses import dataclass, replace

from .conversation import ANY_PERSONA, Scope, ScopeKind
from .ports import Journal, MemoryStore
from .settings import ScopeSettings


@dataclass(frozen=True, slots=True)
class ScopeAccess:
    """Answers from the alias table; moves no data, so an alias is undone by removing it."""

    store: MemoryStore
    journal: Journal
    settings: ScopeSettings

    async def readable(self, scope: Scope) -> frozenset[str]:
        """Keys of every scope that may be recalled from here.

        A private memory is readable only by its person (all aliases of them); a group's only in
        that group. Memories of no particular persona are readable under every persona.
        """
        people = await self._same_person(scope)
        if self.settings.persona_separation:
            personas = {scope.persona, ANY_PERSONA}
            return frozenset(
                replace(person, persona=persona).key for person in people for persona in personas
            )
        subjects = {(person.kind, person.platform, person.subject) for person in people}
        known = [Scope.parse(key) for key in await self.store.scopes()]
        theirs = {s.key for s in known if (s.kind, s.platform, s.subject) in subjects}
        return frozenset(theirs | {replace(p, persona=ANY_PERSONA).key for p in people})

    async def _same_person(self, scope: Scope) -> set[Scope]:
        if scope.kind is not ScopeKind.PRIVATE:
            return {scope}
        aliases = await self.journal.aliases()
        person = aliases.get((scope.platform, scope.subject))
        if person is None:
            return {scope}
        twins = {
            replace(scope, platform=platform, subject=user)
            for (platform, user), name in aliases.items()
            if name == person
        }
        return twins | {scope}
