"""The views of a memory: vectors of the parts of a long text, and of questions that it answers.

A search takes the view that is nearest, so that what stands far behind in a long message is found
by its meaning, too. Views are in no text index and in no prompt.
"""

WHOLE = ""
"""The name of the memory as a whole, which every embedded memory has."""

MOST_PARTS = 12
ASKED = "asked"
"""The name of the view of the question that a claim answers."""


NEEDED = "needed"
"""The name of the view of the cues that sleep has added."""

VIEWS = (*(f"part {number}" for number in range(1, MOST_PARTS + 1)), ASKED, NEEDED)
"""Names of the views beside the whole; a store numbers them by their place here, from 1."""
