"""Whether an episode must be read by a model before others can join the call. Pure.

Algorithms, section 10.5. It is told by days, by what is known to be open, and by plain requests.
"""

from collections.abc import Iterator, Sequence
from datetime import tzinfo

from ..conflict.slots import has_several, same_value
from ..languages.terms import content_terms
from ..languages.times import times_in
from ..model.claims import Claim
from ..model.conversation import Role, Turn
from ..records.claims import claim_of
from ..records.corroboration import impersonal
from ..text.time.calendar import Leaning
from .joint import EpisodeReading
from .statements import extract, is_request


def is_urgent(reading: EpisodeReading, until: float, where: tzinfo | None) -> bool:
    """Whether the episode must be read before the Unix time `until`.

    Somebody asks that something be remembered or takes something back, tells of a day that begins
    before then, speaks of an open plan, or claims another value of what is known to hold. Not on
    the event loop.
    """
    said = [turn for turn in reading.turns if turn.role is not Role.ASSISTANT]
    if any(is_request(turn.text) or _is_near(turn, until, where) for turn in said):
        return True
    known = reading.joint.known.values()
    plans = [memory for memory in known if memory.intended and memory.intended.pending]
    if _concerns(said, [content_terms(impersonal(plan)) for plan in plans]):
        return True
    held = [memory.claim for memory in known if memory.claim is not None and memory.holds]
    return any(_differs(claim, other) for claim in _claims(reading, where) for other in held)


def _is_near(turn: Turn, until: float, where: tzinfo | None) -> bool:
    told = times_in(turn.text, turn.at, where, leaning=Leaning.FUTURE)
    return any(turn.at < each.interval.start < until for each in told)


def _concerns(said: Sequence[Turn], plans: Sequence[frozenset[str]]) -> bool:
    """Whether a turn shares words with a plan and says more than it."""
    told = [content_terms(turn.text) for turn in said]
    return any(each & plan and each - plan for plan in plans for each in told)


def _claims(reading: EpisodeReading, where: tzinfo | None) -> Iterator[Claim]:
    for each in extract(reading.turns, where).candidates:
        turn = reading.turns[each.turns[0] - 1]
        claim = claim_of(each, turn.speaker, turn.place.scope, turn.at)
        if claim is not None:
            yield claim


def _differs(claim: Claim, held: Claim) -> bool:
    if claim.slot != held.slot or has_several(claim.attribute, claim.subject):
        return False
    return not same_value(claim.attribute, claim.value, held.value)
