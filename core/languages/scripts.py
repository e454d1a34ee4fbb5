"""The script of a text, and the language that a text is mainly in. Pure."""

import re

from .registry import languages_in


def in_one_script(text: str) -> str:
    """With the characters that its languages read as others, one for one."""
    if text.isascii():
        return text
    for language in languages_in(text):
        text = text.translate(language.folding)
    return text


UNDETERMINED = "und"
"""The code of a text in no known language; what all languages share holds for it."""

_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str, default: str = UNDETERMINED) -> str:
    """The code of the language with most characters or words; `default` for a text without words.

    Of two with as many the one whose rules are tried first. A text with more words of no known
    language is in none.
    """
    words = _WORD.findall(text)
    if not words:
        return default
    found = languages_in(text)
    unknown = sum(not any(each.script.search(word) for each in found) for word in words)
    counts = {each.code: len(each.unit.findall(text)) for each in found}
    best = max(counts, key=counts.__getitem__, default=UNDETERMINED)
    return best if counts.get(best, 0) >= unknown else UNDETERMINED
