"""Making untrusted text safe to quote in a prompt. Pure."""

import re
import unicodedata

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
