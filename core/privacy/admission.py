"""Whether what somebody says may be recorded: the owner's rules, and what a group has chosen."""

from dataclasses import replace

from ..model.consent import person_in
from ..model.conversation import Scope, ScopeKind
from ..model.recording import GroupRecording, RecordingRules, Unrecorded, Utterance
from ..settings import CaptureSettings
from .consents import Consents


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
