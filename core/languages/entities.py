"""Names in a text: those that its script marks, and those that are known. Pure."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import lru_cache
from itertools import pairwise

from ..model.knowledge import Entity
from ..text.quoting import IDEOGRAPHIC, LONGEST_NAME, entity_id
from .scripts import in_one_script
from .terms import content_terms
from .times import times_in

MOST = 8
"""Names of one turn; the first ones."""

LONGEST_TEXT = 1_000
"""Characters of a turn that are read."""

_TITLE = re.compile(r"《([^《》\n]{1,40})》")
_WORD = re.compile(r"[^\W\d_][\w'’&-]*")
_BEGINS = re.compile(r"(?:^|[.!?。！？:;\n…—\"“(*-]\s*)\Z")
_OWN = re.compile(r"(?:['’]s|['’&-]+)\Z")
_ACRONYM = 5
"""Letters of a word in capitals that may be a name; longer ones are shouted."""


def names_written(text: str) -> list[Entity]:
    """Names that the script marks: 《titles》, and capital letters within a sentence.

    What begins a sentence is a name where it goes on in capitals. Function words, dates and what
    is written in capitals throughout, unless it is short, are none. Scripts without capital
    letters mark none: their names are told by a model.
    """
    read = text[:LONGEST_TEXT]
    titles = [Entity(entity_id(t), t.strip(), "work") for t in _TITLE.findall(read)]
    return first_of([*titles, *(Entity(entity_id(name), name) for name in _capitalised(read))])


def first_of(entities: Iterable[Entity], most: int = MOST) -> list[Entity]:
    """The first entities of different names that have content."""
    found: dict[str, Entity] = {}
    for entity in entities:
        if content_terms(entity.name) and len(entity.name) <= LONGEST_NAME:
            found.setdefault(entity.id, entity)
    return list(found.values())[:most]


def _capitalised(text: str) -> Iterator[str]:
    """Runs of capitalised words. One word that begins a sentence must be a name elsewhere, too."""
    runs = list(_runs(text))
    inside = {name for name, begins in runs if not begins}
    for name, begins in runs:
        if " " in name or not begins or name in inside:
            yield name


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """Each run without the function words before it, and whether a sentence begins with it."""
    times = times_in(text, 0.0, UTC)
    words = [word for word in _WORD.finditer(text) if _is_capital(word[0])]
    dated = {word for word in words for time in times if time.start <= word.start() < time.end}
    run: list[re.Match[str]] = []
    for word in (*(word for word in words if word not in dated), None):
        if run and (word is None or text[run[-1].end() : word.start()] != " "):
            start, end = run[0].start(), run[-1].end()
            begins = _BEGINS.search(text[max(0, start - 4) : start])
            yield _OWN.sub("", text[start:end]), begins is not None
            run = []
        if word is not None:
            run.append(word)


def _is_capital(word: str) -> bool:
    plain = re.sub(r"['’].*", "", word)
    shouted = plain.isupper() and len(plain) > _ACRONYM
    return len(plain) > 1 and word[0].isupper() and not shouted and bool(content_terms(plain))


MOST_CANDIDATES = 500
LONGEST = 150
"""Characters of a question in which the names of those who speak are looked for."""

LONGEST_WORDS = 4
"""Words of a name in a script with spaces."""

LONGEST_CHARACTERS = 8
"""Units of a name with ideographs in it, a word of another script being one unit."""

ENDS = 60
"""Units that are looked at from the beginning of a long text, and as many from its end."""

type Span = tuple[int, int]
"""From the first character to behind the last."""

_UNIT = re.compile(rf"(?P<ideograph>[{IDEOGRAPHIC}])|(?:(?![{IDEOGRAPHIC}])[^\W_])+")
_IDEOGRAPH = re.compile(f"[{IDEOGRAPHIC}]")
_LETTER = rf"[^\W_{IDEOGRAPHIC}]"
_WITHIN = re.compile(r"[·・‧.'’_&+-]")
"""What may stand between the units of a name with ideographs: 列奥纳多·达·芬奇."""

_MOST_SYMBOLS = 8
_SYMBOLS = re.compile(rf"[^\w\s]{{1,{_MOST_SYMBOLS}}}")
_SYMBOLS_BEFORE = re.compile(rf"{_SYMBOLS.pattern}\Z")
_OPENING = "'‘\"“([{（【《「『,，、。：:;；"
_CLOSING = ".,;:!?。，；：！？、…'’\"”)]}）】》」』"


@dataclass(frozen=True, slots=True)
class _Unit:
    """An ideograph, or a word with the places where symbols beside it begin and end."""

    start: int
    end: int
    from_symbols: int
    to_symbols: int
    ideograph: bool


@lru_cache(maxsize=16)
def candidates(text: str) -> Mapping[Span, str]:
    """Every run of words, and of ideographs two or more, short enough to be a name.

    `text` is an `entity_id`, so that what is cut from it is one too. At most `MOST_CANDIDATES`:
    of a long text the two ends, and there the shorter runs first. A recall asks several times.
    """
    places = list(_UNIT.finditer(text))
    if len(places) > 2 * ENDS:
        places = places[:ENDS] + places[-ENDS:]
    units = [_unit(text, place) for place in places]
    found: dict[Span, str] = {}
    for length in range(1, LONGEST_CHARACTERS + 1):
        for first in range(len(units) - length + 1):
            for start, end in _spans(text, units[first : first + length]):
                if len(found) == MOST_CANDIDATES:
                    return found
                found[start, end] = text[start:end]
    return found


def longest(text: str, offered: Mapping[Span, str], known: Collection[str]) -> tuple[str, ...]:
    """The known names in a text, in its order, each once; of two that overlap the longer one.

    A name of function words alone is none.
    """
    matches = [span for span, name in offered.items() if name in known and content_terms(name)]
    taken: list[Span] = []
    for start, end in sorted(matches, key=lambda span: (span[0] - span[1], span[0])):
        if all(end <= other[0] or other[1] <= start for other in taken):
            taken.append((start, end))
    return tuple(dict.fromkeys(offered[span] for span in sorted(taken)))


def names_in(text: str, known: Collection[str]) -> tuple[str, ...]:
    """`longest` of the `candidates` of any text."""
    asked = entity_id(text)
    return longest(asked, candidates(asked), known)


def named(name: str, asked: str) -> bool:
    """Whether a turn, `folded`, names somebody or something; as a whole word in Latin script."""
    wanted = entity_id(name)
    if len(wanted) < 2 or wanted not in asked or not content_terms(wanted):
        return False
    if not re.match("[a-z0-9]", wanted):
        return True
    return re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", asked) is not None


def named_among(texts: Iterable[str], called: Collection[str]) -> list[str]:
    """Entity ids of `called` that occur in the beginnings of the texts, longest first.

    Names of function words alone, or of one character, do not count.
    """
    if not called:
        return []
    offered = {name for text in texts for name in candidates(entity_id(text[:LONGEST])).values()}
    telling = [name for name in offered.intersection(called) if len(name) > 1]
    return sorted(filter(content_terms, telling), key=lambda name: (-len(name), name))


def struck(text: str, names: Iterable[str]) -> str:
    """The text without these names and the "'s" after them; in Latin script they are words."""
    for name in sorted(filter(str.strip, names), key=len, reverse=True):
        spelled = r"\s+".join(map(re.escape, name.split()))
        if not _IDEOGRAPH.search(name):
            spelled = rf"(?<!{_LETTER}){spelled}(?:['’]s)?(?!{_LETTER})"
        text = re.sub(spelled, " ", text, flags=re.IGNORECASE)
    return text


def without_names(text: str, names: Iterable[str]) -> str:
    """The text without these entity ids; whole if nothing else is left.

    In a chat a name is mostly said to call somebody, so that by meaning a question with a name in
    it is nearest to what was said to that person, whatever it asks.
    """
    rest = struck(in_one_script(unicodedata.normalize("NFKC", text)), names)
    return " ".join(rest.split()) if content_terms(rest) else text


def _unit(text: str, place: re.Match[str]) -> _Unit:
    start, end = place.span()
    if place.lastgroup == "ideograph":
        return _Unit(start, end, start, end, ideograph=True)
    before = _SYMBOLS_BEFORE.search(text[max(0, start - _MOST_SYMBOLS) : start])
    after = _SYMBOLS.match(text, end)
    return _Unit(
        start,
        end,
        start - len(before[0].lstrip(_OPENING)) if before else start,
        end + len(after[0].rstrip(_CLOSING)) if after else end,
        ideograph=False,
    )


def _spans(text: str, units: Sequence[_Unit]) -> Iterator[Span]:
    """The run of these units as it stands, and with the symbols that belong to it: C++."""
    first, last = units[0], units[-1]
    if any(unit.ideograph for unit in units):
        if len(units) > 1 and _hang_together(text, units):
            yield first.start, last.end
    elif len(units) <= LONGEST_WORDS:
        for start in {first.start: None, first.from_symbols: None}:
            for end in {last.end: None, last.to_symbols: None}:
                yield start, end


def _hang_together(text: str, units: Sequence[_Unit]) -> bool:
    return all(
        one.end == another.start or _WITHIN.fullmatch(text, one.end, another.start)
        for one, another in pairwise(units)
    )
