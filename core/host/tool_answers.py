"""What the chat model reads when it has used memory as a tool. Pure."""

from collections.abc import Mapping

from ..actions.tools import LookedUp, MovedToBin, StoredFact, ToolRefusal
from ..records.manual import LONGEST_TEXT

NOTHING_FOUND = "Nothing is remembered about that."
TOO_LATE = "Memory did not answer in time. Go on without it."
NOT_AVAILABLE = "Memory is not available now. Go on without it."
STORED = "Remembered as {id}."
KNOWN = "That is remembered already, as {id}."
MOVED = "Forgotten, until an admin brings it back: {texts}. The user has been told so."
REFUSED: Mapping[ToolRefusal, str] = {
    ToolRefusal.NO_QUERY: "Say what to look for.",
    ToolRefusal.NOT_ASKED: "Nothing was forgotten: this message does not name it. Ask what"
    " is meant.",
    ToolRefusal.TOO_LATE: TOO_LATE,
    ToolRefusal.SWITCHED_OFF: "Memory is switched off here. Go on without it.",
    ToolRefusal.PERSON_PAUSED: "This person has paused memory: nothing is recalled for them.",
    ToolRefusal.GROUP_PAUSED: "Memory is paused in this group: nothing is recalled here.",
    ToolRefusal.NOT_RECORDED: "Nothing was stored: nothing said here is kept. Go on without it.",
    ToolRefusal.NOBODY_SPEAKS: "Nothing was stored: nobody is speaking in a scheduled task.",
    ToolRefusal.EMPTY: "Nothing was stored: the text says nothing.",
    ToolRefusal.TOO_LONG: f"Nothing was stored: one fact of at most {LONGEST_TEXT} characters,"
    " please.",
    ToolRefusal.ERASED: "Nothing was stored: this person has just had everything deleted.",
    ToolRefusal.PRIVATE: "Nothing was stored: private memories of another chat have been used here,"
    " so only people's own words are kept here, and those are without you. Go on.",
}


type Answer = LookedUp | StoredFact | MovedToBin | ToolRefusal


def told(answer: Answer) -> str:
    """The block, or one sentence."""
    match answer:
        case LookedUp(block):
            return block or NOTHING_FOUND
        case StoredFact(id, new):
            return (STORED if new else KNOWN).format(id=id)
        case MovedToBin(texts):
            return MOVED.format(texts="; ".join(texts)) if texts else NOTHING_FOUND
        case ToolRefusal():
            return REFUSED[answer]
