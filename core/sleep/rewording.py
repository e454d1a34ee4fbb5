"""Whether a model's wording of a profile line says neither more nor less than the line. Pure.

Held against the memory in both directions: what capture holds a learnt memory to, and what would
keep two memories from being one.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import tzinfo
from functools import cache

from ..capture.grounding import Grounds, doubt
from ..conflict.word_patterns import FILLING, LINKING
from ..languages.detection import language_of
from ..languages.terms import SINGLE, index_terms, with_meaning
from ..model.conversation import Place, Role, Speaker, Turn
from ..model.lesson import Candidate
from ..model.memory import Memory
from ..records.corroboration import default_names, impersonal
from ..records.sameness import otherwise
from ..text.normalisation import IDEOGRAPHIC, folded

KEPT = 0.5
"""Share of the content of a claim that stays, besides its whole value."""

_IDEOGRAPH = re.compile(f"[{IDEOGRAPHIC}]")


def keeps_values(memory: Memory, wording: str, where: tzinfo | None) -> bool:
    """Whether the wording tells of the memory neither more nor less, but for how it is put.

    Of a claim the value and half of the rest stay; of anything else every word with a meaning.
    Days are those of the zone `where` (None: the machine's own). It may look into dictionaries:
    not on the event loop.
    """
    reworded = replace(memory, text=wording)
    return (
        language_of(memory.text) == language_of(wording)
        and otherwise(impersonal(memory), impersonal(reworded)) is None
        and _names_all(memory, wording)
        and _tells_the_same(memory, reworded)
        and _bears_out(memory, wording, where)
        and _bears_out(reworded, memory.text, where)
    )


def _bears_out(memory: Memory, said: str, where: tzinfo | None) -> bool:
    """Whether what is `said` holds what the memory says, as capture asks it of a turn."""
    speaker = memory.speaker or Speaker("", "")
    place = Place("", "", memory.scope)
    turn = Turn(0, "", place, Role.USER, speaker, said, memory.created_at)
    people = {speaker.name} - {""}
    told = Candidate(memory.text, "", (1,), about=memory.about, entities=memory.entities)
    return doubt(told, Grounds([turn], [], people=people), where) is None


def _names_all(memory: Memory, wording: str) -> bool:
    """Whether whatever the memory names is named, but for whoever the page is about."""
    speaker = () if memory.speaker is None else (memory.speaker.name,)
    themselves = {folded(name) for name in (*speaker, *default_names())}
    named = {folded(name) for name in (*memory.about, *(each.name for each in memory.entities))}
    own, told = folded(memory.text), folded(wording)
    return all(name in told for name in named - themselves if name in own)


def _tells_the_same(memory: Memory, reworded: Memory) -> bool:
    own, told = _matter(impersonal(memory)), _matter(impersonal(reworded))
    if told - own - _linking():
        return False
    if memory.claim is None:
        return own <= told
    return _matter(memory.claim.value) & own <= told and len(own & told) >= KEPT * len(own)


@cache
def _linking() -> frozenset[str]:
    return _matter(LINKING)


def _matter(text: str) -> frozenset[str]:
    """Words with a meaning, and each such character of a script without spaces."""
    found = with_meaning(index_terms(FILLING.sub(" ", text)))
    return frozenset(piece for term in found for piece in _pieces(term))


def _pieces(term: str) -> Iterable[str]:
    return term.removesuffix(SINGLE) if _IDEOGRAPH.search(term) else (term,)
