"""The claim of a text written by hand, as the rules read it. Pure."""

from dataclasses import replace

from ..conflict.slots import LONGEST_VALUE
from ..model.claims import Claim
from ..model.conversation import Place, Role, Speaker, Turn
from ..model.memory import Memory
from ..records.claims import claim_of
from .statements import extract


def with_claim(memory: Memory) -> Memory:
    """The memory with what its text claims; unchanged where no rule reads anything in it."""
    if memory.speaker is None or memory.claim is not None:
        return memory
    claim = _claim_in(memory.text, memory.speaker, memory.scope, memory.created_at)
    return memory if claim is None else replace(memory, claim=claim)


def in_the_slot_of(memory: Memory, old: Memory) -> Memory:
    """A correction with its claim: of the slot of what it corrects, and since then.

    Where no rule reads its text, the text itself is the value.
    """
    read, known = with_claim(memory).claim, old.claim
    if known is None or (read is not None and read.slot != known.slot):
        return replace(memory, claim=read)
    own = Claim(known.subject, known.attribute, memory.text[:LONGEST_VALUE], known.valid_from)
    if read is not None:
        own = replace(read, valid_from=known.valid_from)
    return replace(memory, claim=own)


def _claim_in(text: str, speaker: Speaker, scope: str, at: float) -> Claim | None:
    turn = Turn(0, "", Place("", "", scope), Role.USER, speaker, text, at)
    found = (claim_of(each, speaker, scope, at) for each in extract([turn]).candidates)
    return next((claim for claim in found if claim is not None), None)
