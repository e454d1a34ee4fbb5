"""Cutting a chat message into clauses that state something in the speaker's own name. Pure."""

import re
from collections.abc import Iterator
from functools import cache

from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..languages.registry import languages, written_out

LONGEST_MESSAGE = 4_000
LONGEST_ADDRESS = 20
"""Characters behind a mention in which the speaker says "I"."""

type Codes = tuple[str, ...]
"""The languages of a message."""

_QUOTED = re.compile(
    r"“[^”\n]*”?|「[^」\n]*」?|『[^』\n]*』?|【[^】\n]*】?|\"[^\"\n]*\"?|`[^`\n]*`"
)
_MARKUP = re.compile(
    r"```.*?(?:```|\Z)|^[>|/][^\n]*$|https?://\S+|\[[^\[\]\n]{1,1000}\]|\b@\S+", re.S | re.M
)
"""In brackets stands what a picture shows, at length: nobody has said that."""

_MENTION = re.compile(r"@(?:[^@()\n]{1,80}\([^()\s]{1,80}\)|\S+)")
"""`@NAME(ID)`, as the host writes it, or `@NAME`."""

_GAP = "⋯"
_EDGES = " \t\r\n。！!？?；;~～…，,、：:.-—()（）*#"


def sentences(message: str) -> Iterator[tuple[str, ...]]:
    """The clauses of each sentence that the speaker states, without marks and particles.

    No questions, quotations, suppositions or words of others. A message that asks for a text
    to be written, translated or acted states nothing. Only the first `LONGEST_MESSAGE`
    characters are read.
    """
    heard = written_out(message[:LONGEST_MESSAGE])
    codes = codes_in(heard)
    if marker(Marker.FICTION, codes).search(heard):
        return
    spoken = _QUOTED.sub(_GAP, _of_speaker(_MARKUP.sub("\n", heard), codes))
    for sentence in _sentence_end().split(spoken):
        stated = tuple(_stated(sentence, codes))
        if stated:
            yield stated


def _of_speaker(message: str, codes: Codes) -> str:
    """Without mentions, and with a gap for one of whom something may be said: it has no subject.

    Where the speaker goes on about themselves a mention only says to whom, and where they have
    begun so, with whom.
    """
    first_person = marker(Marker.FIRST_PERSON, codes)

    def apart(found: re.Match[str]) -> str:
        line = message.rfind("\n", 0, found.start()) + 1
        own = first_person.search(message, line, found.start())
        after = message[found.end() : found.end() + LONGEST_ADDRESS].lstrip(f"{_EDGES}@")
        return "\n" if own or first_person.match(after) else f"\n{_GAP}"

    return _MENTION.sub(apart, message)


def _stated(sentence: str, codes: Codes) -> Iterator[str]:
    trimmed = (part.strip(_EDGES) for part in marker(Marker.STATEMENT_END, codes).split(sentence))
    parts = [part for part in trimmed if part]
    tag, reminder = marker(Marker.TAG, codes), marker(Marker.REMINDER, codes)
    asked = (
        2 if parts and tag.fullmatch(parts[-1]) else int(sentence.rstrip().endswith(("?", "？")))
    )
    # "Can you remind me to call?" asks for nothing that is not told.
    asked = 1 if asked == 2 and len(parts) > 1 and reminder.search(parts[-2]) else asked
    asked = 0 if asked == 1 and parts and reminder.search(parts[-1]) else asked
    parts = parts[: len(parts) - asked] if asked else parts
    unreal, question = marker(Marker.UNREAL, codes), marker(Marker.QUESTION, codes)
    for place, part in enumerate(parts, start=1):
        if _GAP in part or unreal.search(part) or (place < len(parts) and _reports(part, codes)):
            return
        if reminder.search(part) or not question.search(part):
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
