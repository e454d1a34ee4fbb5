"""Cutting a chat message into clauses that state something in the speaker's own name. Pure."""

import re
from collections.abc import Iterator
from functools import cache

from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..languages.registry import languages

LONGEST_MESSAGE = 4_000

type Codes = tuple[str, ...]
"""The languages of a message."""

_QUOTED = re.compile(
    r"“[^”\n]*”?|「[^」\n]*」?|『[^』\n]*』?|【[^】\n]*】?|\"[^\"\n]*\"?|`[^`\n]*`"
)
_MARKUP = re.compile(
    r"```.*?(?:```|\Z)|^[>|/][^\n]*$|https?://\S+|\[[^\[\]\n]{1,40}\]|@\S+", re.S | re.M
)
_GAP = "⋯"
_EDGES = " \t\r\n。！!？?；;~～…，,、：:.-—()（）*#"


def sentences(message: str) -> Iterator[tuple[str, ...]]:
    """The clauses of each sentence that the speaker states, without marks and particles.

    No questions, quotations, suppositions or words of others. A message that asks for a text
    to be written, translated or acted states nothing. Only the first `LONGEST_MESSAGE`
    characters are read.
    """
    heard, codes = message[:LONGEST_MESSAGE], codes_in(message[:LONGEST_MESSAGE])
    if marker(Marker.FICTION, codes).search(heard):
        return
    spoken = _QUOTED.sub(_GAP, _MARKUP.sub("\n", heard))
    for sentence in _sentence_end().split(spoken):
        stated = tuple(_stated(sentence, codes))
        if stated:
            yield stated


def _stated(sentence: str, codes: Codes) -> Iterator[str]:
    trimmed = (part.strip(_EDGES) for part in marker(Marker.STATEMENT_END, codes).split(sentence))
    parts = [part for part in trimmed if part]
    tag = marker(Marker.TAG, codes)
    if sentence.rstrip().endswith(("?", "？")):
        parts = parts[:-2] if parts and tag.fullmatch(parts[-1]) else parts[:-1]
    elif parts and tag.fullmatch(parts[-1]):
        parts = parts[:-2]
    unreal, question = marker(Marker.UNREAL, codes), marker(Marker.QUESTION, codes)
    for place, part in enumerate(parts, start=1):
        if _GAP in part or unreal.search(part) or (place < len(parts) and _reports(part, codes)):
            return
        if not question.search(part):
            yield _without_particles(part, codes).strip(_EDGES)


def _reports(part: str, codes: Codes) -> bool:
    reported = marker(Marker.REPORTED, codes).search(part)
    return reported is not None and marker(Marker.ANNOUNCED, codes).search(part) is None


def _without_particles(part: str, codes: Codes) -> str:
    """Without the ones at its end, one after another."""
    particle = marker(Marker.PARTICLE, codes)
    while ending := next((m for m in particle.finditer(part) if m.end() == len(part)), None):
        part = part[: ending.start()]
    return part


@cache
def _sentence_end() -> re.Pattern[str]:
    """After a full stop only before a space, and after none of an initial or an abbreviation."""
    short = (word for language in languages() for word in language.abbreviations)
    no_end = "".join(rf"(?<!{re.escape(word)}\.)" for word in short)
    return re.compile(rf"(?<=[。！!？?；;~～…\n])\s*|(?<=\.)(?<!\b[A-Z]\.){no_end}\s+")
