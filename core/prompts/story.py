"""The call that words a thread: dated lines in, sentences that cite them by number out. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..conflict.clauses import NEGATION
from ..languages.numbers import numbers
from ..languages.scripts import language_of
from ..languages.terms import carries_meaning, content_terms
from ..ports import Prompt
from ..text.quoting import entity_id, quoted
from .instructions import OURS, Instructions
from .reading import ReadRecord, Text, Wholes, items_in, record_of
from .schema import list_of, object_of

VERSION = 2
LONGEST_SENTENCE = 160
MOST_SENTENCES = 16
SUPPORTED = 0.5
"""Share of the content terms of a sentence that what it cites must hold."""

REPLY: Mapping[str, object] = object_of(
    {
        "sentences": list_of(
            object_of({"text": {"type": "string"}, "cites": list_of({"type": "integer"})})
        )
    }
)

_CAPITAL = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w’'-]*")
"""A word that no sentence begins with."""


@dataclass(frozen=True, slots=True)
class StorySentence:
    """What a model tells, and the numbers of the lines that it cites, each once."""

    text: str
    cites: tuple[int, ...]


def build(lines: Sequence[str], instructions: Instructions = OURS) -> Prompt:
    """The prompt for these lines, numbered from 1."""
    numbered = "\n".join(f"{number} {quoted(text, 300)}" for number, text in enumerate(lines, 1))
    return Prompt(
        system=f"tidemark:story/{VERSION}\n{instructions.of('story', language_of(numbered))}",
        user=f"<lines>\n{numbered}\n</lines>",
        schema=REPLY,
        name="story",
    )


class _Sentence(ReadRecord):
    text: Text = ""
    cites: Wholes = ()


def parse(reply: str) -> tuple[StorySentence, ...]:
    """The sentences of a reply as they are. Raises ReplyMalformed if nothing can be read."""
    read = [record_of(_Sentence, each) for each in items_in(reply, ("sentences",), ("text",))]
    return tuple(
        StorySentence(quoted(each.text, LONGEST_SENTENCE), tuple(dict.fromkeys(each.cites)))
        for each in read
        if each is not None and each.text.strip()
    )[:MOST_SENTENCES]


def is_grounded(sentence: StorySentence, lines: Sequence[str], names: Collection[str]) -> bool:
    """Whether the lines that it cites hold what it says.

    Every number and name of it, those of the `names` that are known among them, half of its content
    terms, and a denial just where it denies. One that cites nothing, or what was not shown, is
    not.
    """
    if not sentence.cites or not all(1 <= cite <= len(lines) for cite in sentence.cites):
        return False
    cited = " ".join(lines[cite - 1] for cite in sentence.cites)
    said, there = entity_id(sentence.text), entity_id(cited)
    words = {each.casefold() for each in _CAPITAL.findall(sentence.text) if carries_meaning(each)}
    held = words | {name for name in map(entity_id, names) if name and name in said}
    terms = content_terms(sentence.text)
    return (
        {*numbers(sentence.text)} <= {*numbers(cited)}
        and all(each in there for each in held)
        and (NEGATION.search(cited) is None) is (NEGATION.search(sentence.text) is None)
        and bool(terms)
        and len(terms & content_terms(cited)) >= SUPPORTED * len(terms)
    )
