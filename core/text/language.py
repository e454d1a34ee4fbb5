"""Which of the two languages of this plugin a text is nearer to. Pure."""

import re
from typing import Literal

type Language = Literal["zh", "en"]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def language_of(text: str, default: Language = "zh") -> Language:
    """zh if it has at least as many Han characters as Latin words; `default` without either."""
    han, latin = len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))
    if han == latin == 0:
        return default
    return "zh" if han >= latin else "en"
