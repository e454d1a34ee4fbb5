"""How a model has put what a memory says. Values only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """`text` says what the memory does, "" where the memory's own words are to stay.

    `of` is a digest of the memory's text: to another text it does not belong.
    """

    text: str
    of: str
