"""The call that re-words the page about a person: numbered lines in, the same ones out. Pure."""

from collections.abc import Mapping, Sequence

from ..languages.scripts import language_of
from ..ports import Prompt
from ..text.quoting import quoted
from .instructions import OURS, Instructions
from .reading import ReadRecord, Text, Whole, items_in, record_of
from .schema import list_of, object_of

VERSION = 2
LONGEST_LINE = 300
LONGEST_WORDING = 90

REPLY: Mapping[str, object] = object_of(
    {"lines": list_of(object_of({"number": {"type": "integer"}, "text": {"type": "string"}}))}
)


def build(lines: Sequence[str], instructions: Instructions = OURS) -> Prompt:
    """The prompt for these lines, numbered from 1."""
    numbered = [f"{number} {quoted(text, LONGEST_LINE)}" for number, text in enumerate(lines, 1)]
    ours = instructions.of("rewording", language_of("\n".join(lines)))
    return Prompt(
        system=f"tidemark:rewording/{VERSION}\n{ours}",
        user="\n".join(["<lines>", *numbered, "</lines>"]),
        schema=REPLY,
        name="rewording",
    )


class _Line(ReadRecord):
    number: Whole = 0
    text: Text = ""


def parse(reply: str, lines: int) -> Mapping[int, str]:
    """The wording of each line that got one, by its number, 1 to `lines`; the first counts.

    One longer than `LONGEST_WORDING` is left out, for cut it would say something else. Raises
    ReplyMalformed if nothing can be read.
    """
    found: dict[int, str] = {}
    for item in items_in(reply, ("lines",), ("number",)):
        line = record_of(_Line, item)
        plain = quoted(line.text, LONGEST_LINE) if line else ""
        if line and plain and 1 <= line.number <= lines and len(plain) <= LONGEST_WORDING:
            found.setdefault(line.number, plain)
    return found
