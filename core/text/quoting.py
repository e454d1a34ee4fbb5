"""Texts made safe to quote, to compare and to name by: quotes, names, topic words. Pure."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping

from ..model.conversation import Speaker
from .traditional import SIMPLIFIED

_ANGLES = str.maketrans({"<": "‹", ">": "›", "＜": "‹", "＞": "›", "﹤": "‹", "﹥": "›"})
_MARKS = str.maketrans("()[],:#↳", "（）［］，：＃→")
_BLANKS = re.compile(r"\s+")
_JOINERS = "\u200c\u200d"
_PICTURE = "\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff"
_CURSIVE = "\u0620-\u06d3\u0750-\u077f\u0900-\u0dff\u1000-\u109f\u1780-\u17d3"
"""Letters of scripts in which an invisible joiner is spelling: Persian, Hindi, Sinhala, Khmer."""
_WITH_JOINERS = re.compile(
    rf"(?<=[{_PICTURE}])\u200d(?=[{_PICTURE}])"
    rf"|(?<=[{_CURSIVE}])[{_JOINERS}](?=[{_CURSIVE}])|([{_JOINERS}])"
)


def quoted(text: str, limit: int) -> str:
    """One line without control, format or surrogate characters and without angle brackets.

    Of the format characters those stay that make one picture or letter of two.
    Nothing in it can close a delimiter, start a line of its own or reorder what is shown. Cut
    to `limit` characters with an ellipsis.
    """
    spaced = _BLANKS.sub(" ", text[: 4 * limit].translate(_ANGLES))
    # What is printable has no such character, and most texts are.
    line = (spaced if spaced.isprintable() else _shown(spaced)).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip().rstrip(_JOINERS) + "…"


def quoted_name(name: str, limit: int) -> str:
    """A quoted name that cannot end the brackets it stands in, nor add to what they say.

    Nor does it hold the `#` that tells two people of one name apart, or the mark of an answer.
    """
    return quoted(name, limit).translate(_MARKS)


def _shown(text: str) -> str:
    kept = "".join(filter(_is_shown, text))
    return _WITH_JOINERS.sub(lambda found: "" if found[1] else found[0], kept)


def _is_shown(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character) not in ("Cc", "Cf", "Cs")


IDEOGRAPHIC = (
    "\u3040-\u30ff\u3105-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Ranges of a character class: ideographs, kana, hangul, which are written without spaces."""

SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f\n])")
"""The place behind a sentence."""


def folded(text: str) -> str:
    """`normalise`, with traditional Chinese characters as simplified ones: what is searched by."""
    plain = normalise(text)
    return plain if plain.isascii() else plain.translate(SIMPLIFIED)


def normalise(text: str) -> str:
    """NFKC, lower case, no lone surrogates: the form in which texts are compared."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", sound(text)).lower()


def sound(text: str) -> str:
    """Without lone surrogates, which cannot be encoded: no database or host would take them."""
    return text.encode("utf-8", "replace").decode("utf-8")


LONGEST_NAME = 40
SHORTEST_MARK = 4


def entity_id(name: str) -> str:
    """Id of the entity called `name` within a scope.

    Width, case, spacing and which Chinese script it is written in do not matter.
    """
    return " ".join(folded(name).split())


def marks[K: Hashable](speakers: Mapping[K, Speaker]) -> dict[K, str]:
    """What to put after each one's name so that no two of these people are called the same.

    Nothing after a name that nobody else here bears, else `#` and the end of the person's id; so
    too after no name at all. Names that look the same are the same. A quoted name holds no `#`
    of its own.
    """
    namesakes: dict[str, list[K]] = defaultdict(list)
    for key, speaker in speakers.items():
        namesakes[entity_id(quoted_name(speaker.name, LONGEST_NAME))].append(key)
    found: dict[K, str] = {}
    for name, keys in namesakes.items():
        ids = {key: quoted_name(speakers[key].id, LONGEST_NAME) for key in keys}
        alone = name and len(set(ids.values())) == 1
        length = _telling(set(ids.values()))
        found |= {key: "" if alone else f"#{own[-length:]}" for key, own in ids.items()}
    return found


def _telling(ids: set[str]) -> int:
    """How many last characters tell these ids apart."""
    lengths = range(SHORTEST_MARK, max(map(len, ids)))
    enough = (length for length in lengths if len({own[-length:] for own in ids}) == len(ids))
    return next(enough, LONGEST_NAME)


MOST_TAGS = 12
"""Of one memory; the first ones stay."""

LONGEST_TAG = 40
"""Characters. What is longer is no topic word and is not taken, rather than cut."""

_EDGES = " \t#＃,，、;；.。"
_READ = 10 * LONGEST_TAG
"""Characters that are looked at: a text of any length costs no more."""


def tag_of(text: str) -> str:
    """The tag in a text: lower case, one line, without "#"; "" if it is none."""
    if len(text) > _READ:
        return ""
    tag = " ".join(normalise(text).replace("\0", " ").split()).strip(_EDGES)
    return tag if len(tag) <= LONGEST_TAG and tag.isprintable() else ""


def tag_key(text: str) -> str:
    """The form in which tags are compared: in one Chinese script; "" if the text is no tag."""
    return folded(tag_of(text))


def tags_of(texts: Iterable[str]) -> tuple[str, ...]:
    """The first `MOST_TAGS` different tags among the texts, in their order."""
    found: dict[str, str] = {}
    for text in texts:
        if tag := tag_of(text):
            found.setdefault(folded(tag), tag)
        if len(found) == MOST_TAGS:
            break
    return tuple(found.values())
