"""What is already known when an episode is learnt from: the memories beside it in the prompt.

Only what a recall for the same chat could bring up. Async.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from ..languages.terms import content_terms
from ..model.conversation import Injected, Role, Scope, Turn
from ..model.memory import RAW, Kind, Memory
from ..ports import Filter, Journal, MemoryReader, MemoryStore
from ..recall.weighing import reciprocal_rank
from ..records.coverage import Rarity, rarities
from ..records.evidence import LONGEST_TURN, evidence_id
from .covering import may_tell_anew

MOST_INTENDED = 8
MOST_SEARCHED = 20
"""Open intentions that an episode is read beside, and those that are looked at for them. Where
there are no more all are: one told in another language is far from its own by words and vectors."""

MOST_NEAR = 12
MOST_ASKED = 20
"""Memories near to what is told that an episode is read beside, and turns they are looked for by:
the last ones."""

MOST_BY_VECTOR = 3
LEAST_SHARED = 2
"""Nearest ones by meaning that each turn brings, and content terms that one by words shares:
of a common word alone most would be about something else, and each is paid for in the prompt."""

MOST_LINES = 10
MOST_PEOPLE = 3
"""Lines of the profile page, and whose."""

LONGEST_QUERY = 2_000
NEWEST = 300
"""Raw turns of a scope by which it is told how rare a term is."""

_FACTS = frozenset({Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL})

type Readable = Callable[[Scope], Awaitable[frozenset[str]]]
"""Keys of the scopes that a recall in a scope may read."""

type PageOf = Callable[[Scope, str], Awaitable[Sequence[Memory]]]
"""What the profile page of a person says in a chat, in its order."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """Finds what is known. No text is embedded for it: turns have their vectors already."""

    journal: Journal
    store: MemoryStore
    readable: Readable
    page: PageOf

    async def injected(self, turns: Sequence[Turn]) -> list[Injected]:
        """What the model was shown in the turns."""
        episodes = dict.fromkeys(turn.episode for turn in turns)
        found = [item for episode in episodes for item in await self.journal.injected_in(episode)]
        seqs = {turn.seq for turn in turns}
        return [item for item in found if item.turn in seqs]

    async def shown(self, injected: Sequence[Injected]) -> list[Memory]:
        """The same, once each, in the order of the turns."""
        return await self.store.find(list(dict.fromkeys(item.memory for item in injected)))

    async def intended(self, turns: Sequence[Turn]) -> list[Memory]:
        """Open intentions that the people of an episode may be talking about."""
        said = _said(turns)
        if not said:
            return []
        text = " ".join(turn.text for turn in said)[:LONGEST_QUERY]
        scope, kinds = frozenset({said[0].place.scope}), frozenset({Kind.PROSPECTIVE})
        hits = await self.store.search_text(text, scope, limit=MOST_SEARCHED, kinds=kinds)
        meant = await self._by_vectors(said, scope, kinds, MOST_INTENDED)
        found = await self.store.find(_best([[hit.id for hit in hits], *meant]), scope)
        earlier = _earlier(found, turns)
        return [m for m in earlier if m.intention and m.intention.pending][:MOST_INTENDED]

    async def beside(self, turns: Sequence[Turn]) -> list[Memory]:
        """What is nearest to what the people tell, then what their profile pages say."""
        said = [turn for turn in _said(turns) if may_tell_anew(turn)]
        if not said:
            return []
        scopes = await self.readable(Scope.parse(said[0].place.scope))
        by_vectors = await self._by_vectors(said, scopes, _FACTS, MOST_BY_VECTOR)
        meant = {id for ids in by_vectors for id in ids}
        best = _best([*await self._by_words(said, scopes), *by_vectors])
        found = _earlier(await self.store.find(best[: 4 * MOST_NEAR], scopes), turns)
        terms = [content_terms(turn.text[:LONGEST_TURN]) for turn in said]
        near = [m for m in found if m.recallable and (m.id in meant or _shares(m, terms))]
        return [*near[:MOST_NEAR], *await self._on_pages(said)]

    async def rarity(self, scope: str) -> Rarity:
        """How much each term tells in the scope."""
        return await rarity_in(self.store, scope, newest=NEWEST)

    async def _by_words(self, said: Sequence[Turn], scopes: frozenset[str]) -> list[list[str]]:
        found: list[list[str]] = []
        for turn in said[-MOST_ASKED:]:
            text = turn.text[:LONGEST_TURN]
            hits = await self.store.search_text(text, scopes, limit=MOST_NEAR, kinds=_FACTS)
            found.append([hit.id for hit in hits])
        return found

    async def _by_vectors(
        self, said: Sequence[Turn], scopes: frozenset[str], kinds: frozenset[Kind], most: int
    ) -> list[list[str]]:
        raw = [evidence_id(self.journal.id, turn.seq) for turn in said[-MOST_ASKED:]]
        found: list[list[str]] = []
        for own in (await self.store.vectors(raw)).values():
            hits = await self.store.search_vector(
                own.vector, own.fingerprint, scopes, limit=most, kinds=kinds
            )
            found.append([hit.id for hit in hits])
        return found

    async def _on_pages(self, said: Sequence[Turn]) -> list[Memory]:
        scope = Scope.parse(said[0].place.scope)
        people = list(dict.fromkeys(turn.speaker.id for turn in reversed(said)))[:MOST_PEOPLE]
        lines = [memory for person in people for memory in await self.page(scope, person)]
        return _earlier(lines, said)[:MOST_LINES]


async def rarity_in(store: MemoryReader, scope: str, *, newest: int) -> Rarity:
    """How much each term tells in a scope, by so many of its newest raw turns."""
    page = await store.page(Filter(frozenset({scope}), status=None, kinds=RAW), limit=newest)
    return await asyncio.to_thread(rarities, [memory.text for memory in page])


def _best(found: Sequence[Sequence[str]]) -> list[str]:
    """Ids of several searches, those first that are found most often and highest."""
    ranks: dict[str, list[int]] = defaultdict(list)
    for ids in found:
        for rank, id in enumerate(ids, start=1):
            ranks[id].append(rank)
    return sorted(ranks, key=lambda id: (-reciprocal_rank(ranks[id]), id))


def _said(turns: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in turns if turn.role is not Role.ASSISTANT]


def _shares(memory: Memory, terms: Sequence[frozenset[str]]) -> bool:
    told = content_terms(memory.text)
    return any(len(told & each) >= LEAST_SHARED for each in terms)


def _earlier(found: Sequence[Memory], turns: Sequence[Turn]) -> list[Memory]:
    """Without what was made of these turns, in an episode whose end may have moved since."""
    seqs, episodes = {turn.seq for turn in turns}, {turn.episode for turn in turns}
    others = [memory for memory in found if memory.origin.episode not in episodes]
    return [memory for memory in others if seqs.isdisjoint(memory.origin.turns[:1])]
