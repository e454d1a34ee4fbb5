"""Index terms for any language: bigrams of CJK, kana and hangul, stemmed words of other scripts.

FTS5's own tokenizers find nothing in Chinese (default) or nothing of two characters (trigram).
`INDEX_VERSION` changes whenever the same text would yield other terms: indexes are then rebuilt.
"""

import re
import unicodedata

from .stemming import stem

INDEX_VERSION = 1

IDEOGRAPHIC = (
    "\u3040-\u30ff\u3105-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Ranges of a character class: ideographs, kana, hangul, which are written without spaces."""

# Vowel signs, points and accents belong to their word; variation selectors to no word.
_MARKS = "".join(
    chr(code) for code in range(0x300, 0xFE00) if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
_RUN = re.compile(rf"([{IDEOGRAPHIC}]+)|((?:(?![{IDEOGRAPHIC}])[^\W_][{_MARKS}]*)+)")
_LONGEST_TERM = 40

STOP_WORDS = frozenset(
    stem(word)
    for word in """a an and are as at be been but by can could d did do does for from had has have
    he her him his how i if in is it its just ll m me my no not of on or our s she so t than that
    the their them then there these they this to us ve was we were what when where which who why
    will with would you your yes ok okay hi hello hey thank thanks bye please sorry haha
    lol""".split()
) | frozenset(
    """什么 怎么 怎样 如何 为何 为什 哪里 哪个 哪些 多少 是不 不是 有没
    没有 可以 能不 这个 那个 这样 那样 我们 你们 他们 她们 咱们 就是
    还是 或者 但是 因为 所以 如果 然后 一个 一下 一些 的话 了吗 了吧
    是吗 是什 的是 我的 你的 他的 她的 吗我 吗你 知道 觉得 还有 已经
    现在 你好 谢谢 好的 请问""".split()
)
"""Function words, as the index sees them."""

_FUNCTION_CHARACTERS = frozenset("我你您他她它们的了吗呢吧啊呀嘛么什哪这那谁")


def normalise(text: str) -> str:
    """NFKC, lower case, no lone surrogates: the form in which texts are compared."""
    sound = text.encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFKC", sound).lower()


def terms(text: str) -> list[str]:
    """Index terms of `text` in order, repetitions kept. A lone ideograph is its own term."""
    return _terms(normalise(text))


def query_terms(text: str) -> list[str]:
    """Distinct terms worth searching for: function words dropped unless nothing else is left."""
    every = list(dict.fromkeys(terms(text)))
    return [term for term in every if carries_meaning(term)] or every


def content_terms(text: str) -> frozenset[str]:
    """Terms that carry meaning; empty for a text of function words only."""
    return frozenset(term for term in terms(text) if carries_meaning(term))


def carries_meaning(term: str) -> bool:
    """Whether an index term is more than a function word or a piece of one."""
    # A bigram with a pronoun or particle in it mostly spans a word boundary.
    return term not in STOP_WORDS and _FUNCTION_CHARACTERS.isdisjoint(term)


def _terms(text: str) -> list[str]:
    found: list[str] = []
    for ideographs, word in _RUN.findall(text):
        if word:
            found.append(stem(word[:_LONGEST_TERM]))
        elif len(ideographs) == 1:
            found.append(ideographs)
        else:
            found += map(str.__add__, ideographs, ideographs[1:])
    return found
