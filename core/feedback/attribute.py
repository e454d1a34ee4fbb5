"""Which recalled memories the bot's replies drew on, judged by words alone. Pure.

A stand-in where no model has judged: it finds a memory whose words were said again, not one
that was used in other words. Algorithms, section 11.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from ..languages.registry import languages
from ..languages.terms import content_terms

LEAST_TERMS = 2
LEAST_SHARE = 0.15
MANY_TERMS = 4
LONG_WORD = 6


def useful_numbers(
    replies: Sequence[str], queries: Sequence[str], known: Mapping[int, str]
) -> frozenset[int]:
    """Numbers of the `known` memories whose own content comes up in the replies.

    A memory's own content is its content terms that the queries do not hold (the bot may
    simply repeat the question), that are not everyday words, and that fewer than half of three
    or more memories share (the speaker's name is in all of them). Of these the replies must
    hold

    - two or more that make up 15 % of them: two words of a sentence of ten, or in Chinese a
      run of three characters (two bigrams), since one bigram is met by chance; or
    - four or more, whatever the length of the memory; or
    - one word of six letters or more that no other memory has: such words are rare enough to
      be a name or a topic of their own.
    """
    own, holders = _own_terms(queries, known)
    said = _terms(replies) - _terms(queries) - _everyday()
    return frozenset(number for number, terms in own.items() if _drawn_on(terms, said, holders))


def undecided_numbers(queries: Sequence[str], known: Mapping[int, str]) -> frozenset[int]:
    """Numbers of the `known` memories that say nothing of their own beside the queries.

    Whether a reply drew on them cannot be seen: what the person said themselves is in both.
    """
    own, _ = _own_terms(queries, known)
    return frozenset(number for number, terms in own.items() if not terms)


def _own_terms(
    queries: Sequence[str], known: Mapping[int, str]
) -> tuple[dict[int, frozenset[str]], Counter[str]]:
    """The own content of each memory, see `useful_numbers`, and how many hold each term."""
    asked = _terms(queries)
    contents = {number: content_terms(text) - asked - _everyday() for number, text in known.items()}
    holders = Counter(term for terms in contents.values() for term in terms)
    shared_by_most = {
        term for term, count in holders.items() if len(known) >= 3 and 2 * count >= len(known)
    }
    return {number: terms - shared_by_most for number, terms in contents.items()}, holders


def _terms(texts: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(content_terms, texts))


def _drawn_on(own: frozenset[str], said: frozenset[str], holders: Mapping[str, int]) -> bool:
    used = own & said
    telling = any(len(term) >= LONG_WORD and holders[term] == 1 for term in used)
    if telling or len(used) >= MANY_TERMS:
        return True
    return len(used) >= LEAST_TERMS and len(used) >= LEAST_SHARE * len(own)


@cache
def _everyday() -> frozenset[str]:
    return frozenset(content_terms(" ".join(language.everyday for language in languages())))
