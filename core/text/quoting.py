"""Making untrusted text safe to quote in a prompt. Pure."""

import re
import unicodedata

_ANGLES = str.maketrans({"<": "‹", ">": "›", "＜": "‹", "＞": "›", "﹤": "‹", "﹥": "›"})
_MARKS = str.maketrans("()[],:#", "（）［］，：＃")
_BLANKS = re.compile(r"\s+")


def quoted(text: str, limit: int) -> str:
    """One line without control, format or surrogate characters and without angle brackets.

    Nothing in it can close a delimiter, start a line of its own or reorder what is shown. Cut
    to `limit` characters with an ellipsis.
    """
    spaced = _BLANKS.sub(" ", text[: 4 * limit].translate(_ANGLES))
    # What is printable has no such character, and most texts are.
    line = (spaced if spaced.isprintable() else "".join(filter(_is_shown, spaced))).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def quoted_name(name: str, limit: int) -> str:
    """A quoted name that cannot end the brackets it stands in, nor add to what they say.

    Nor does it hold the `#` that tells two people of one name apart.
    """
    return quoted(name, limit).translate(_MARKS)


def _is_shown(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs")
