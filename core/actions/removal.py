"""Why a memory was moved away, as it is recorded and as it is told."""

from dataclasses import dataclass
from enum import StrEnum

from ..capture.grounding import Lack
from ..feedback.credit import USELESS
from ..forgetting.lifecycle import HAND, PURGING, RETENTION, UNDECIDED
from ..records.intention_outcomes import OVER, STALE
from ..records.merging import MERGED, TAKEN_APART
from ..sleep.policy_passes import DECAYED, POLICY, SUMMARISED


class Cause(StrEnum):
    """Why a memory was moved. OTHER is told as it was written down."""

    DECAYED = "decayed"
    USELESS = "useless"
    PURGING = "purging"
    RETENTION = "retention"
    POLICY = "policy"
    SUMMARISED = "summarised"
    MERGED = "merged"
    TAKEN_APART = "taken_apart"
    BY_HAND = "by_hand"
    STALE = "stale"
    OVER = "over"
    UNDECIDED = "undecided"
    UNSAID_NUMBER = "unsaid_number"
    UNSAID_NAME = "unsaid_name"
    UNSAID_NEGATION = "unsaid_negation"
    UNSAID_SUBJECT = "unsaid_subject"
    UNSAID_SUPPORT = "unsaid_support"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Removal:
    """Why a memory was moved; `detail` is the policy that did it, or what was written down."""

    cause: Cause
    detail: str = ""


_WHOLE = {
    HAND: Cause.BY_HAND,
    DECAYED: Cause.DECAYED,
    USELESS: Cause.USELESS,
    PURGING: Cause.PURGING,
    RETENTION: Cause.RETENTION,
    STALE: Cause.STALE,
    OVER: Cause.OVER,
    TAKEN_APART: Cause.TAKEN_APART,
    UNDECIDED: Cause.UNDECIDED,
    Lack.NUMBER: Cause.UNSAID_NUMBER,
    Lack.NAME: Cause.UNSAID_NAME,
    Lack.NEGATION: Cause.UNSAID_NEGATION,
    Lack.SUBJECT: Cause.UNSAID_SUBJECT,
    Lack.SUPPORT: Cause.UNSAID_SUPPORT,
}
_BEGINNINGS = {POLICY: Cause.POLICY, SUMMARISED: Cause.SUMMARISED, MERGED: Cause.MERGED}


def removal(recorded: str) -> Removal:
    """A recorded reason, read."""
    if recorded in _WHOLE:
        return Removal(_WHOLE[recorded])
    for beginning, cause in _BEGINNINGS.items():
        if recorded.startswith(beginning):
            detail = recorded.removeprefix(beginning) if cause is Cause.POLICY else ""
            return Removal(cause, detail)
    return Removal(Cause.OTHER, recorded)
