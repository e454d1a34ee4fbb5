"""The verdict call: what became of the notes that a bot had in a conversation. Pure.

Only made where notes were shown, or something of what is known may be over. What is named for no
reason costs nothing: notes that were not there are ignored, and who names all has named none.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from string import ascii_uppercase

from ..languages.registry import learning_wording
from ..model.conversation import Turn
from ..model.memory import Memory
from ..ports import Prompt
from ..text.quoting import quoted
from .instructions import OURS, Instructions
from .learn import ShowTime, turn_lines
from .reading import ReadRecord, Texts, object_in
from .schema import choice_of, list_of, object_of

VERSION = 1

MOST_NOTES = 40
MOST_CHARACTERS = 16_000
LONGEST_NOTE = 300

SEVERAL_SHOWN = 3
"""Notes of which not all can have been made use of at once."""

TORN = 3
"""Lists of what became of a note that cannot all name it."""

_NAMES = ("used", "done", "dropped", "changed", "wrong", "again")


@dataclass(frozen=True, slots=True)
class NoteVerdicts:
    """Numbers of notes. `used`: None where the reply said nothing that can be believed."""

    used: frozenset[int] | None = None
    done: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()
    again: frozenset[int] = frozenset()


class _Reply(ReadRecord):
    used: Texts = ()
    done: Texts = ()
    dropped: Texts = ()
    changed: Texts = ()
    wrong: Texts = ()
    again: Texts = ()


def build(
    turns: Sequence[Turn],
    notes: Mapping[int, Memory],
    *,
    shown_time: ShowTime,
    language: str,
    instructions: Instructions = OURS,
) -> Prompt:
    """The prompt for these notes, each under the letter of its number, and what was said."""
    words = learning_wording(language)
    lines = [
        f"{letter(number)}. ({shown_time(memory.happened_at)}) {quoted(memory.text, LONGEST_NOTE)}"
        for number, memory in notes.items()
    ]
    said = turn_lines(turns, shown_time, words, MOST_CHARACTERS)
    letters = [letter(number) for number in notes]
    return Prompt(
        system=f"tidemark:verdict/{VERSION}\n{instructions.of('verdict', language)}",
        user="\n".join([words.notes, *lines, "", words.talk, *said]),
        schema=object_of({name: list_of(choice_of(letters), len(letters)) for name in _NAMES}),
        name="verdict",
    )


def parse(text: str, notes: Mapping[int, Memory], shown: frozenset[int]) -> NoteVerdicts:
    """What a reply says of the notes, of which those `shown` were in the bot's prompt.

    Raises ReplyMalformed if nothing in it can be read.
    """
    document = object_in(text, _NAMES)
    reply = _Reply.model_validate(document)
    known = {letter(number): number for number in notes}

    def named(letters: Sequence[str]) -> frozenset[int]:
        return frozenset(known[each] for each in map(plain_letter, letters) if each in known)

    used = named(reply.used)
    believed = (
        "used" in document
        and len(used) == len({*reply.used})
        and used <= shown
        and (len(shown) < SEVERAL_SHOWN or used != shown)
    )
    lists = (reply.done, reply.dropped, reply.changed, reply.wrong, reply.again)
    told = Counter(chain.from_iterable(map(named, lists)))
    # What is said to be done, given up and wrong at once was not looked at.
    torn = {number for number, times in told.items() if times >= TORN}
    done, dropped, changed, wrong, again = (named(each) - torn for each in lists)
    done -= dropped
    again -= done | dropped | changed | wrong
    return NoteVerdicts(used if believed else None, done, dropped, changed - wrong, wrong, again)


def letter(number: int) -> str:
    """The name of a note by its number from 1: A to Z, then AA."""
    name = ""
    while number > 0:
        number, place = divmod(number - 1, len(ascii_uppercase))
        name = ascii_uppercase[place] + name
    return name


def plain_letter(name: str) -> str:
    """A letter as a reply may write it: "a.", "[B]"."""
    return name.strip().strip(".[]()").upper()
