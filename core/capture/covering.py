"""Which turns tell nothing new, and which known memory tells the same. Pure.

Algorithms, section 10.5. In doubt a turn counts as news: an unneeded model call costs little, a
fact taken for known is lost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..forgetting.lifecycle import DAY
from ..languages.first_person import is_first_person
from ..languages.telling import is_question, tells
from ..languages.terms import content_terms
from ..model.conversation import Role, Turn
from ..model.memory import Kind, Memory, Source
from ..records.corroboration import default_names, without_names
from ..records.coverage import Rarity, Weigh, may_tell, says_something, weigher
from ..records.evidence import LONGEST_TURN
from ..records.sameness import eligible, named_in, otherwise
from ..text.normalisation import folded

TOLD = 0.97
"""Share of the words of a turn, by their rarity, that the one memory must have. Of recorded
observations with one word exchanged, .006, .007 and .014 pass for known then, by data set."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Of turns numbered from 1: which tell something, and the known memory that tells it too."""

    telling: frozenset[int] = frozenset()
    covered: Mapping[int, int] = field(default_factory=dict[int, int])

    @property
    def news(self) -> frozenset[int]:
        """The turns that tell something which no known memory tells."""
        return self.telling - self.covered.keys()


def gap(turns: Sequence[Turn], known: Mapping[int, Memory], rarity: Rarity) -> Gap:
    """What people tell in the turns, held against what is known, by its numbers."""
    numbered = {n: turn for n, turn in enumerate(turns, start=1) if may_tell_anew(turn)}
    weigh = weigher(rarity)
    covered = {
        number: by
        for number, turn in numbered.items()
        if (by := next((n for n, each in known.items() if covers(each, turn, weigh)), None))
    }
    return Gap(frozenset(numbered), covered)


def may_tell_anew(turn: Turn) -> bool:
    """Whether a person tells something in it; of themselves one word is enough: "I am vegan"."""
    if says_something(turn):
        return True
    spoken = turn.role is not Role.ASSISTANT and not turn.private_reply
    return spoken and is_first_person(turn.text) and tells(turn.text[:LONGEST_TURN], least=1)


def covers(memory: Memory, turn: Turn, weigh: Weigh) -> bool:
    """Whether the memory tells all that the turn tells, of the same person and the same time."""
    # Who asks for something does not say it again.
    if is_question(turn.text) or not _may_cover(memory, turn):
        return False
    own = _own_names(memory, turn)
    said, told = (without_names(text, own) for text in (turn.text[:LONGEST_TURN], memory.text))
    terms = content_terms(said)
    own, both = weigh(terms), weigh(terms & content_terms(told))
    return own > 0.0 and both / own >= TOLD and otherwise(said, told) is None


def _may_cover(memory: Memory, turn: Turn) -> bool:
    if not eligible(memory) or memory.source is Source.BOT or not may_tell(memory, turn):
        return False
    # The same done on another day is something else that was done.
    if memory.kind is Kind.EPISODIC and abs(memory.happened_at - turn.at) >= DAY:
        return False
    said, own = folded(turn.text), {folded(name) for name in _own_names(memory, turn)}
    named = {folded(name) for name in memory.about} | named_in(memory)
    return all(name in own or name in said for name in named)


def _own_names(memory: Memory, turn: Turn) -> list[str]:
    """What the speaker of the turn is called, in the memory too."""
    names = [turn.speaker.name, *default_names()]
    if memory.speaker is not None and memory.speaker.id == turn.speaker.id:
        names.append(memory.speaker.name)
    return [name for name in names if name]
