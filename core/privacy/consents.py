"""Who may read and record what: choices of people and groups, kept in memory."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..model.consent import (
    Consent,
    GroupRecording,
    Pause,
    RecordingRules,
    Unrecorded,
    Utterance,
    person_in,
)
from ..model.conversation import ANY_PERSONA, Scope, ScopeKind
from ..ports import Journal, MemoryReader, Work
from ..settings import CaptureSettings, ScopeSettings


class Consents:
    """Reads the journal's consents once and is the only one to change them.

    A person's choices hold for every account that an alias joins, however it came to be joined:
    what one of them has paused or shared, all have; the shortest retention counts.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._choices: Mapping[str, Consent] | None = None
        self._lock = asyncio.Lock()

    async def pause(self, scope: Scope, user: str, *, recall: bool = False) -> Pause | None:
        """Who has paused recording and recall for what the `user` says in `scope`, or, with
        `recall`, at least recall; None if nobody has.

        The person's own choice comes before the group's.
        """
        known = await self._known()
        paused = {owner for owner, one in known.items() if one.paused or (recall and one.silent)}
        if not paused:
            return None
        accounts = await self.accounts(person_in(scope, user))
        if any(one.owner in paused for one in accounts):
            return Pause.PERSON
        return Pause.GROUP if scope.owner in paused else None

    async def of(self, owner: Scope) -> Consent:
        """What a person, with all accounts, or a group has chosen."""
        choices = await self._known()
        if not choices:
            return Consent()
        return _joint([choices.get(one.owner, Consent()) for one in await self.accounts(owner)])

    async def retentions(self) -> Mapping[str, float]:
        """Days that memories are kept, by owner (`Scope.owner`), where that was chosen."""
        days: dict[str, float] = {}
        for key, choice in (await self._known()).items():
            if choice.keep_days is not None:
                for one in await self.accounts(Scope.parse(key)):
                    days[one.owner] = min(choice.keep_days, days.get(one.owner, choice.keep_days))
        return days

    async def reminded(self) -> frozenset[str]:
        """Owners (`Scope.owner`) who want a message on the day of what they mean to do."""
        asked = [key for key, choice in (await self._known()).items() if choice.reminded]
        joined = [await self.accounts(Scope.parse(key)) for key in asked]
        return frozenset(one.owner for accounts in joined for one in accounts)

    async def change(self, owner: Scope, change: Callable[[Consent], Consent]) -> Consent:
        """Apply `change` to the owner's choices, on all accounts; returns what holds from now on.

        On disk when this returns. Cut short, it holds for some accounts; repeated, for all.
        """
        async with self._lock:
            accounts = await self.accounts(owner)
            stored = await self._journal.consents()
            chosen = change(_joint([stored.get(one.owner, Consent()) for one in accounts]))
            self._choices = None
            for key in sorted(one.owner for one in accounts):
                await self._journal.set_consent(key, chosen)
        return chosen

    async def forget(self, owner: Scope) -> Work:
        """Enter the owner's erasure, with all accounts; the choices go back to their defaults. A
        pause stays in force. In one transaction.
        """
        async with self._lock:
            accounts = await self.accounts(owner)
            stored = await self._journal.consents()
            paused = _joint([stored.get(one.owner, Consent()) for one in accounts]).paused
            self._choices = None
            return await self._journal.begin_erasure(
                {one.owner: Consent(paused=paused) for one in accounts}
            )

    async def reset(self, accounts: Iterable[Scope]) -> None:
        """The choices of these owners go back to their defaults; a pause stays in force.

        So does what a group has recorded.
        """
        async with self._lock:
            stored = await self._journal.consents()
            self._choices = None
            for one in accounts:
                if (chosen := stored.get(one.owner)) is not None:
                    kept = Consent(paused=chosen.paused, recording=chosen.recording)
                    await self._journal.set_consent(one.owner, kept)

    async def accounts(self, owner: Scope) -> frozenset[Scope]:
        """The same scope on every account that an alias joins to its person's."""
        if owner.kind is not ScopeKind.PRIVATE:
            return frozenset({owner})
        aliases = await self._journal.aliases()
        person = aliases.get((owner.platform, owner.subject))
        joined = {
            replace(owner, platform=platform, subject=user)
            for (platform, user), name in aliases.items()
            if name == person
        }
        return frozenset(joined | {owner})

    async def owners(self, person: Scope) -> frozenset[str]:
        """Those accounts as `Scope.owner`.

        In a chat the names of no others are told: in a group its own alone, though the asker
        shares private memories there.
        """
        return frozenset(one.owner for one in await self.accounts(person))

    async def _known(self) -> Mapping[str, Consent]:
        known = self._choices
        if known is None:
            async with self._lock:
                known = self._choices = await self._journal.consents()
        return known


def _joint(choices: Sequence[Consent]) -> Consent:
    days = [choice.keep_days for choice in choices if choice.keep_days is not None]
    return Consent(
        paused=any(choice.paused for choice in choices),
        shared=any(choice.shared for choice in choices),
        keep_days=min(days, default=None),
        reminded=any(choice.reminded for choice in choices),
        recording=next((c.recording for c in choices if c.recording is not None), None),
        silent=any(choice.silent for choice in choices),
    )


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

    async def _shared_by(self, person: Scope) -> frozenset[Scope]:
        if not (await self.consents.of(person)).shared:
            return frozenset()
        return await self.consents.accounts(person)


class Admission:
    """Asked before anything is written, while recording is on at all.

    Pauses are not its business, see `Consents.pause`.
    """

    def __init__(self, consents: Consents, capture: CaptureSettings) -> None:
        self._consents = consents
        self._usual = GroupRecording.ALL if capture.group_chatter else GroupRecording.ADDRESSED
        self._rules: RecordingRules = capture.rules()

    async def refusal(self, said: Utterance) -> Unrecorded | None:
        """Why nothing of it is recorded; None if it is.

        Rules hold for a person under every account that an alias joins.
        """
        if await self._refused(said):
            return Unrecorded.RULES
        if said.scope.kind is ScopeKind.PRIVATE:
            return None
        match await self.of_group(said.scope):
            case GroupRecording.ALL:
                return None
            case GroupRecording.ADDRESSED:
                return None if said.addressed else Unrecorded.NOT_ADDRESSED
            case GroupRecording.NONE:
                return Unrecorded.GROUP

    async def of_group(self, group: Scope) -> GroupRecording:
        """What is recorded of the group, by its own choice or else by the settings."""
        return (await self._consents.of(group)).recording or self._usual

    async def _refused(self, said: Utterance) -> bool:
        if not (self._rules.allow or self._rules.deny):
            return False
        accounts = await self._consents.accounts(person_in(said.scope, said.user))
        joined = frozenset((one.platform, one.subject) for one in accounts)
        return self._rules.refuse(replace(said, joined=joined))
