"""Finding memories on a server by its own search, while the index of their scope is not in memory.

A scope of less than a page is read in one request, and what is found is what the index would find.
Of a larger one the words of the question are asked for one by one. Then three numbers that BM25
needs are approximate: how many memories there are (those set aside are counted, too), their mean
length (of the first page), and how many have a word that more than a page of them have (their
share of the first page). Of memories that have no word but such common ones, one page is seen.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Protocol

from ...core.model.memory import Kind
from ...core.ports import Scored
from ...core.text import bm25
from .. import ranking
from .documents import IndexedTerms, of_kinds, said, term, with_kinds, with_term, with_turns
from .mapping import STATE, State
from .namespace import Namespace
from .quotas import PAGE

MOST_ASKED = 16
"""Words of one search that are asked for, each with a page."""

type Found = Mapping[str, IndexedTerms]


class Read(Protocol):
    """Runs blocking work beside the event loop."""

    def __call__[T](self, work: Callable[[], T]) -> Awaitable[T]:
        """What the work returns."""
        ...


class ServerSearch:
    """Searches scopes whose documents a server has."""

    def __init__(self, namespace: Namespace, read: Read) -> None:
        self._namespace = namespace
        self._read = read

    def serves(self, scope: str) -> bool:
        """Whether every recallable memory of the scope has its document on the server."""
        return self._namespace.searches_text(scope)

    async def rows(self, scope: str) -> int:
        """How many memories the scope has; from a page on, those set aside are counted, too."""
        collection = self._namespace.records(scope)
        if collection is None:
            return 0
        first = await self._read(lambda: collection.listed(self._recallable(scope), PAGE, 0))
        return len(first) if len(first) < PAGE else await self._count(scope)

    async def search(
        self,
        scope: str,
        query: Sequence[str],
        limit: int,
        kinds: Collection[Kind] | None,
        own: str = "",
    ) -> list[Scored]:
        """As `ScopeIndex.search`; of a scope of a page or more one row is not told from none."""
        words = [term(each) for each in query]
        first = await self._page(scope)
        if len(first) < PAGE:
            first.pop(own, None)
            return _ranked(words, first, _corpus(len(first), first, words, {}), limit, kinds)
        rows = await self._count(scope)
        asked = _asked(words, first)
        pages = await asyncio.gather(*(self._with(scope, word) for word in asked))
        having = dict(zip(asked, pages, strict=True))
        corpus = _corpus(rows, first, words, having)
        found: dict[str, IndexedTerms] = {}
        for word in ranking.probes(words, corpus):
            found |= having.get(word, {})
            if kinds is not None and len(having.get(word, ())) >= PAGE:
                found |= await self._with(scope, word, kinds)
        found.pop(own, None)
        return _ranked(words, found, corpus, limit, kinds)

    async def distilled(self, scope: str, turns: Collection[int]) -> dict[int, list[str]]:
        """As `ScopeIndex.learnt_from`, of these turns."""
        found: dict[str, IndexedTerms] = {}
        for where in with_turns(sorted(turns)):
            found |= await self._all(scope, where)
        return {
            turn: sorted(id for id, each in found.items() if turn in each.turns) for turn in turns
        }

    async def of_kinds(self, scope: str, kinds: Collection[Kind]) -> frozenset[str]:
        """As `ScopeIndex.of_kinds`."""
        return frozenset(await self._all(scope, with_kinds(kinds)))

    async def _count(self, scope: str) -> int:
        collection = self._namespace.records(scope)
        return 0 if collection is None else await self._read(collection.count)

    async def _with(
        self, scope: str, word: str, kinds: Collection[Kind] | None = None
    ) -> dict[str, IndexedTerms]:
        """A page of what has a term, of these kinds."""
        where = with_term(word) if kinds is None else {"$and": [with_term(word), with_kinds(kinds)]}
        found = await self._page(scope, where)
        return {id: each for id, each in found.items() if word in each.terms}

    async def _all(self, scope: str, where: Mapping[str, object]) -> dict[str, IndexedTerms]:
        found: dict[str, IndexedTerms] = {}
        while len(page := await self._page(scope, where, len(found))) == PAGE:
            found |= page
        return found | page

    async def _page(
        self, scope: str, where: Mapping[str, object] | None = None, offset: int = 0
    ) -> dict[str, IndexedTerms]:
        collection = self._namespace.records(scope)
        if collection is None:
            return {}
        among = self._recallable(scope)
        texts = await self._read(lambda: collection.documents(among, where, PAGE, offset))
        return {id: said(text) for id, text in texts.items()}

    def _recallable(self, scope: str) -> Mapping[str, str]:
        return {STATE: self._namespace.place(scope).state(State.RECALLABLE)}


def _asked(words: Sequence[str], first: Found) -> list[str]:
    """The words for which the server is asked: the rarest of the first page."""
    seen = _rows_with(words, first)
    return sorted(words, key=lambda word: seen[word])[:MOST_ASKED]


def _corpus(
    rows: int, first: Found, words: Sequence[str], having: Mapping[str, Found]
) -> bm25.Corpus:
    """The scope's statistics, as far as they are known: see the module."""
    share = rows / max(len(first), 1)
    rows_with: dict[str, int] = {}
    for word, seen in _rows_with(words, first).items():
        told = len(having.get(word, ()))
        known = word in having and told < PAGE
        rows_with[word] = told if known else max(told, round(seen * share))
    mean = sum(len(each.terms) for each in first.values()) / max(len(first), 1)
    return bm25.Corpus(rows, mean, rows_with)


def _rows_with(words: Sequence[str], found: Found) -> Counter[str]:
    seen = Counter(dict.fromkeys(words, 0))
    for each in found.values():
        seen.update(seen.keys() & set(each.terms))
    return seen


def _ranked(
    words: Sequence[str],
    found: Found,
    corpus: bm25.Corpus,
    limit: int,
    kinds: Collection[Kind] | None,
) -> list[Scored]:
    wanted = set(ranking.probes(words, corpus))
    rows = [
        ranking.Row(id, Counter(each.terms), len(each.terms))
        for id, each in of_kinds(found, kinds).items()
        if not wanted.isdisjoint(each.terms)
    ]
    return ranking.best(ranking.text_scores(list(words), rows, corpus), limit)
