"""The views of a memory: vectors of further texts of it, beside that of the whole. Values only.

A search takes the view that is nearest, so a text of several clauses is found by one of them, and
a memory by a question that it will answer. Views are in no text index and in no prompt.
"""

from enum import StrEnum


class ViewSource(StrEnum):
    """What a memory has views from."""

    OFF = "off"
    CLAUSES = "clauses"
    CUES = "cues"
    BOTH = "both"


WHOLE = ""
"""The name of the memory as a whole, which every embedded memory has."""

MOST_CLAUSES = 6
MOST_CUES = 2
VIEWS = (
    *(f"clause {number}" for number in range(1, MOST_CLAUSES + 1)),
    *(f"cue {number}" for number in range(1, MOST_CUES + 1)),
)
"""Names of the views beside the whole; a store numbers them by their place here, from 1."""
