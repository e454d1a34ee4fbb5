"""The form in which texts are compared; characters that are written without spaces. Pure."""

import re
import unicodedata

from .traditional import SIMPLIFIED

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
    if text.isascii():
        return text.lower()
    sound = text.encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFKC", sound).lower()
