"""Names in a text: found by rules and dictionaries, or matched with known ones."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, pairwise

from ..model.knowledge import Entity
from ..text.quoting import IDEOGRAPHIC, LONGEST_NAME, entity_id
from .language import Marker, NameWords
from .markers import codes_in, marker
from .registry import languages, languages_in
from .scripts import in_one_script
from .terms import content_terms

MOST = 8
"""Names of one turn; the first ones."""

LONGEST_TEXT = 1_000
"""Characters of a turn that are read."""

_TITLE = re.compile(r"《([^《》\n]{1,40})》|“([^“”\n]{2,40})”|\"([^\"\n]{2,40})\"")
_WORD = re.compile(r"[^\W\d_][\w'’&-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？:;\n…—\"“(*-]\s*)\Z")
_ACRONYM = 5
"""Letters of a word in capitals that may be a name; longer ones are shouted."""


def names_by_rule(text: str) -> list[Entity]:
    """Titles in quotation marks and capitalised names that do not merely begin a sentence."""
    read = text[:LONGEST_TEXT]
    titles = [Entity(entity_id(t), t.strip(), "work") for t in _titles(read)]
    called = marker(Marker.CALLED, codes_in(read))
    people = [Entity(m[0], m[0], "person") for m in called.finditer(read)]
    return first_of([*titles, *people, *(Entity(entity_id(n), n) for n in _capitalised(read))])


def first_of(entities: Iterable[Entity], most: int = MOST) -> list[Entity]:
    """The first entities of different names that have content."""
    found: dict[str, Entity] = {}
    for entity in entities:
        if content_terms(entity.name) and len(entity.name) <= LONGEST_NAME:
            found.setdefault(entity.id, entity)
    return list(found.values())[:most]


def has_dictionary(text: str) -> bool:
    """Whether a language of the text has a dictionary of names, which takes time to look into."""
    return any(language.names is not None for language in languages_in(text))


def names_by_dictionary(text: str) -> list[Entity]:
    """Names that the dictionaries of its languages know. Not on the event loop."""
    finders = [each.names for each in languages_in(text) if each.names is not None]
    return [entity for find in finders for entity in find(text)]


def _titles(text: str) -> Iterator[str]:
    for match in _TITLE.finditer(text):
        book, *quotes = match.groups()
        if book:
            yield book
            continue
        # A quotation may be anything that was said; a title is short, or begins with a capital.
        (quote,) = filter(None, quotes)
        if (quote.isascii() and quote[0].isupper() and quote[-1].isalnum()) or (
            not quote.isascii() and len(quote) <= 8
        ):
            yield quote


def _capitalised(text: str) -> Iterator[str]:
    """Runs of capitalised words. One that begins a sentence must be a name elsewhere, or go on."""
    runs = list(_runs(text))
    inside = {name for name, begins in runs if not begins}
    for name, begins in runs:
        if not begins or name in inside or " " in name:
            yield name


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    words = [match for match in _WORD.finditer(text) if _is_capital(match[0])]
    run: list[re.Match[str]] = []
    for word in words:
        if run and not _joining().fullmatch(text, run[-1].end(), word.start()):
            yield _run(text, run)
            run = []
        run.append(word)
    if run:
        yield _run(text, run)


def _run(text: str, words: Sequence[re.Match[str]]) -> tuple[str, bool]:
    begins = bool(_SENTENCE_START.search(text[max(0, words[0].start() - 4) : words[0].start()]))
    if begins and len(words) > 1 and words[0][0].replace("’", "'").lower() in _words().openers:
        words, begins = words[1:], False
    start = words[0].start()
    name = re.sub(r"(?:['’]s|['’&-]+)\Z", "", text[start : words[-1].end()])
    return name, begins


@cache
def _words() -> NameWords:
    """Those of all languages: a name is often in a text of another one."""
    every = [language.name_words for language in languages()]
    return NameWords(
        frozenset[str]().union(*(each.no_names for each in every)),
        frozenset[str]().union(*(each.openers for each in every)),
        frozenset[str]().union(*(each.joining for each in every)),
    )


@cache
def _joining() -> re.Pattern[str]:
    between = "|".join(sorted(_words().joining)) or "(?!)"
    return re.compile(rf" (?:(?:{between}) ){{0,2}}")


def _is_capital(word: str) -> bool:
    plain = re.sub(r"['’].*", "", word)
    shouted = plain.isupper() and len(plain) > _ACRONYM
    return (
        len(plain) > 1
        and word[0].isupper()
        and not shouted
        and plain.lower() not in _words().no_names
    )


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

type Cut = Callable[[str], Iterable[str]]
"""A segmenter: the words of a text in order, which joined are the text again."""

_UNIT = re.compile(rf"(?P<ideograph>[{IDEOGRAPHIC}])|(?:(?![{IDEOGRAPHIC}])[^\W_])+")
_IDEOGRAPH = re.compile(f"[{IDEOGRAPHIC}]")
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


def longest(
    text: str, offered: Mapping[Span, str], known: Collection[str], cut: Cut | None = None
) -> tuple[str, ...]:
    """The known names in a text, in its order, each once; of two that overlap the longer one.

    A name of function words alone is none. With a segmenter, none that begins or ends inside
    one of its words.
    """
    matches = [span for span, name in offered.items() if name in known and content_terms(name)]
    taken: list[Span] = []
    for start, end in sorted(matches, key=lambda span: (span[0] - span[1], span[0])):
        apart = all(end <= other[0] or other[1] <= start for other in taken)
        if apart and not (cut is not None and _splits_a_word(text, start, end, cut)):
            taken.append((start, end))
    return tuple(dict.fromkeys(offered[span] for span in sorted(taken)))


def names_in(text: str, known: Collection[str], cut: Cut | None = None) -> tuple[str, ...]:
    """`longest` of the `candidates` of any text."""
    asked = entity_id(text)
    return longest(asked, candidates(asked), known, cut)


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


def without_names(text: str, names: Sequence[str]) -> str:
    """The text without these entity ids and the "'s" after them; whole if nothing else is left.

    In a chat a name is mostly said to call somebody, so that by meaning a question with a name in
    it is nearest to what was said to that person, whatever it asks.
    """
    rest = in_one_script(unicodedata.normalize("NFKC", text))
    for name in names:
        rest = re.sub(_pattern(name), " ", rest, flags=re.IGNORECASE)
    return " ".join(rest.split()) if content_terms(rest) else text


def _pattern(name: str) -> str:
    spaced = r"\s+".join(map(re.escape, name.split()))
    if _IDEOGRAPH.search(name):
        return spaced
    return rf"(?<![^\W_]){spaced}(?:['’]s)?(?![^\W_])"


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


def _splits_a_word(text: str, start: int, end: int, cut: Cut) -> bool:
    # The words around it are enough, however long the run of ideographs is.
    before = _longest_run(reversed(text[max(0, start - LONGEST_CHARACTERS) : start]))
    after = _longest_run(text[end : end + LONGEST_CHARACTERS])
    words = cut(text[start - before : end + after])
    ends = set(accumulate(map(len, words), initial=start - before))
    return not {start, end} <= ends


def _longest_run(characters: Iterable[str]) -> int:
    """How many of these are ideographs before the first that is none."""
    count = 0
    for character in characters:
        if not _IDEOGRAPH.match(character):
            break
        count += 1
    return count
