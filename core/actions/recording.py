"""What is recorded where the caller is, and what an admin has a group record."""

from dataclasses import dataclass, replace

from ..model.conversation import ScopeKind
from ..model.recording import GroupRecording, Unrecorded
from .answers import Refusal, Refused
from .context import Context

__all__ = ["GroupRecording", "Unrecorded"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is recorded here, in force for everybody; None in a private chat.

    `own` if the group has chosen it, else it is as the settings say. `refused` is why what the
    caller says to the bot is not recorded all the same.
    """

    group: GroupRecording | None
    own: bool
    refused: Unrecorded | None


async def recording(context: Context) -> Recorded:
    """What is recorded here; pauses are not looked at."""
    caller, admission = context.caller, context.engine.admission
    refused = await admission.refusal(caller.utterance)
    if caller.scope.kind is not ScopeKind.GROUP:
        return Recorded(None, False, refused)
    own = (await context.engine.consents.of(caller.scope)).recording is not None
    return Recorded(await admission.of_group(caller.scope), own, refused)


async def set_recording(context: Context, wanted: GroupRecording | None) -> Recorded:
    """Have this group record that; with None what the settings say."""
    caller = context.caller
    if caller.scope.kind is not ScopeKind.GROUP:
        raise Refused(Refusal.ONLY_IN_GROUPS)
    if not await caller.keeps_group():
        raise Refused(Refusal.ADMINS_ONLY)
    consents = context.engine.consents
    await consents.change(caller.scope, lambda chosen: replace(chosen, recording=wanted))
    return await recording(context)
