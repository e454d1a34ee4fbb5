"""The columns of a turn: whether it asks, of whom, and in how large a scope. Pure."""

from collections.abc import Sequence

from ..languages.inquiries import Inquiry, asks_of_self, inquiries
from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..languages.registry import written_out
from ..scoring.columns import Known, TurnColumn, expected_best


def turn_columns(
    text: str,
    memories: int,
    asked: Sequence[Inquiry] | None = None,
    *,
    names: bool = False,
    recalls: float = 0.0,
    seen: float = 0.0,
) -> Known:
    """What is known of a turn in scopes of so many memories; `asked` if that is known.

    `names` tells that it names somebody whom some candidate is about, `recalls` is how likely it
    is to ask for what is remembered, `seen` how likely the model sees a memory that is needed. A
    question is one by its words as well as by its mark: in chat many have none.
    """
    text = written_out(text)
    codes = codes_in(text)

    def has(what: Marker) -> bool:
        return marker(what, codes).search(text) is not None

    of_self, of_bot = has(Marker.SELF), has(Marker.BOT)
    asks = has(Marker.ASKING) or has(Marker.QUESTION)
    wants = has(Marker.REQUEST) or (has(Marker.BACK) and (of_self or not of_bot))
    own = bool(inquiries(text) if asked is None else asked) or asks_of_self(text)
    of_somebody = of_self or of_bot or wants or own or names
    return {
        TurnColumn.SIZE: expected_best(memories),
        TurnColumn.OF_BOT: float(of_bot and not of_self and not wants),
        TurnColumn.OF_BOTH: float(of_bot and of_self and asks and not wants and not own),
        TurnColumn.TELLS: float(not asks and not wants and not own),
        TurnColumn.OF_NOBODY: float(asks and not of_somebody),
        TurnColumn.OWN: float(own),
        TurnColumn.RECALLS: recalls,
        # What asks for memory is answered by what the model sees, too; what only tells is not.
        TurnColumn.SEEN: seen * (float(own) + recalls / 2.0),
    }
