"""When recording began: of what the host has stored, only what is older may be learnt from."""

from ..ports import Journal
from ..records.notes import number_note

BEGAN = "recording_began"


async def noted_beginning(journal: Journal, now: float) -> float:
    """When it began, noted the first time it is asked; where nothing is recorded yet, now.

    What was said later and is not recorded must stay so: somebody had paused, or a rule excluded
    it.
    """
    began = await number_note(journal, BEGAN)
    if began is None:
        first = await journal.first_opened()
        began = now if first is None else min(now, first)
        await journal.set_note(BEGAN, repr(began))
    return began
