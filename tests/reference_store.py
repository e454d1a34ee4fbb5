"""A store of plain dictionaries: the reference for every backend, and a fake to derive from."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

import numpy as np
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, DecayPlan
from astrbot_plugin_tidemark.core.graph.communities import mentions, provenance
from astrbot_plugin_tidemark.core.languages import terms as tokens
from astrbot_plugin_tidemark.core.model.memory import WHOLE, Kind, Memory, Status
from astrbot_plugin_tidemark.core.ports import (
    Amendment,
    Ancestor,
    Change,
    Condition,
    DecayCount,
    Embedded,
    Filter,
    MemoryStore,
    Mention,
    Order,
    Scored,
    Tally,
    Tiers,
    Unreadable,
    Vector,
    Views,
)
from astrbot_plugin_tidemark.core.records.news import is_news
from astrbot_plugin_tidemark.core.records.serialisation import indexed_text, searched_terms
from astrbot_plugin_tidemark.core.text import bm25
from astrbot_plugin_tidemark.storage import ranking
from astrbot_plugin_tidemark.storage.changes import Changes
from astrbot_plugin_tidemark.storage.ranking import SORT_KEYS, Provenance, matches, walk


class ReferenceStore(MemoryStore):
    """Plain dictionaries and exhaustive search. A write has no await, so it is never half done."""

    def __init__(self) -> None:
        self._memories: dict[str, Memory] = {}
        self._terms: dict[str, Counter[str]] = {}
        self._mentions: dict[str, tuple[str, ...]] = {}
        self._vectors: dict[str, tuple[str, Vector]] = {}
        self._views: dict[str, dict[str, Vector]] = {}
        self._owner: str | None = None
        self._changes = Changes[str]()

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        added = {m.id: m for m in reversed(memories) if m.id not in self._memories}
        for memory in added.values():
            self._keep(memory)
            self._changes.note([memory.scope])
        return frozenset(added)

    async def find(self, ids: Sequence[str], scopes: frozenset[str] | None = None) -> list[Memory]:
        known = [self._memories[id] for id in dict.fromkeys(ids) if id in self._memories]
        return [memory for memory in known if scopes is None or memory.scope in scopes]

    async def resolve(self, prefix: str, scopes: frozenset[str] | None) -> list[str]:
        start = prefix.lower()
        inside = self._matching(Filter(scopes=scopes, status=None))
        return sorted(m.id for m in inside if m.id.lower().startswith(start))[:10]

    async def page(
        self, where: Filter, *, order: Order = Order.NEWEST, limit: int = 20, offset: int = 0
    ) -> list[Memory]:
        return sorted(self._matching(where), key=SORT_KEYS[order])[offset : offset + limit]

    async def pages(self, where: Filter, *, size: int = 200) -> AsyncIterator[list[Memory]]:
        after = ""
        while found := sorted(
            (m for m in self._matching(where) if m.id > after), key=lambda m: m.id
        )[:size]:
            yield found
            after = found[-1].id

    async def count(self, where: Filter) -> int:
        return sum(1 for _ in self._matching(where))

    async def tally(self, tiers: Tiers, scopes: frozenset[str] | None = None) -> Tally:
        every = list(self._matching(Filter(scopes=scopes, status=None)))
        live = [memory for memory in every if memory.standing.status is Status.LIVE]
        by_tier = Counter(tiers.tier(memory.vitality.useful_score) for memory in live)
        return Tally(
            by_status=Counter(memory.standing.status for memory in every),
            by_kind=Counter(memory.kind for memory in live),
            tiers=(by_tier[0], by_tier[1], by_tier[2]),
        )

    async def scopes(self) -> Mapping[str, int]:
        live: Counter[str] = Counter()
        for memory in self._memories.values():
            live[memory.scope] += memory.standing.status is Status.LIVE
        return dict(live)

    async def distilled(
        self, turns: Sequence[int], scopes: frozenset[str]
    ) -> Mapping[int, tuple[str, ...]]:
        learnt = [m for m in self._recallable(scopes) if m.kind is not Kind.EVIDENCE]
        return {
            turn: tuple(sorted(memory.id for memory in learnt if turn in memory.origin.turns))
            for turn in turns
        }

    async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        before = await self.find(ids)
        amendments = [Amendment(memory, change(memory)) for memory in before]
        for each in amendments:
            if (each.before.id, each.before.scope) != (each.after.id, each.after.scope):
                raise ValueError(f"a change must keep id and scope of {each.before.id}")
        amendments = [each for each in amendments if each.before != each.after]
        for each in amendments:
            retold = indexed_text(each.before) != indexed_text(each.after)
            if retold or each.after.standing.status is Status.ARCHIVED:
                self._forget_vector(each.after.id)
            self._keep(each.after)
            self._changes.note([each.after.scope] if is_news(each.before, each.after) else ())
        return amendments

    async def decay(
        self,
        now: float,
        plan: DecayPlan,
        bin_policy: BinPolicy,
        scopes: frozenset[str] | None = None,
    ) -> DecayCount:
        weakened = binned = 0
        for before in list(self._matching(Filter(scopes=scopes))):
            after = plan.applied(before, now=now, bin_policy=bin_policy)
            weakened += after.vitality != before.vitality
            binned += after.standing != before.standing
            self._memories[before.id] = after
            self._changes.note([before.scope] if is_news(before, after) else ())
        return DecayCount(weakened, binned)

    async def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        existing = frozenset(ids) & self._memories.keys()
        if only is not None:
            existing = frozenset(id for id in existing if only(self._memories[id]))
        for memory_id in existing:
            self._changes.note([self._memories[memory_id].scope] if only is None else ())
            del self._memories[memory_id], self._terms[memory_id], self._mentions[memory_id]
            self._forget_vector(memory_id)
        return existing

    async def changes(self, scope: str) -> str:
        return self._changes.of(scope)

    async def unreadable(self) -> list[Unreadable]:
        return []

    async def wiped(self) -> None:
        """Nothing is ever on a disk."""

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        due = [
            (memory.standing.purge_at, memory.id)
            for memory in self._matching(Filter(status=Status.BINNED))
            if memory.standing.purge_at is not None and memory.standing.purge_at <= now
        ]
        return [memory_id for _, memory_id in sorted(due)[:limit]]

    async def search_text(
        self,
        query: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
        own: str = "",
    ) -> list[Scored]:
        terms = searched_terms(query)
        found: list[Scored] = []
        for scope in scopes:
            inside = [m for m in self._recallable(frozenset({scope})) if m.id != own]
            wanted = {m.id for m in inside if kinds is None or m.kind in kinds}
            rows = {m.id: self._terms[m.id] for m in inside}
            hits = await asyncio.to_thread(_search_rows, terms, rows)
            found += [hit for hit in hits if hit.id in wanted]
        return ranking.best(found, limit)

    async def indexed(self, scopes: frozenset[str]) -> dict[str, int]:
        return Counter(memory.scope for memory in self._recallable(scopes))

    async def search_vector(
        self,
        query: Vector,
        fingerprint: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
    ) -> list[Scored]:
        ids = [
            memory.id
            for memory in self._matching(Filter(scopes=scopes, recallable=True, kinds=kinds))
            if self._embedding(memory.id) == fingerprint
            and self._vectors[memory.id][1].size == query.size
        ]
        if not ids:
            return []
        rows = [
            (id, name, vector)
            for id in ids
            for name, vector in {WHOLE: self._vectors[id][1], **self._views.get(id, {})}.items()
        ]
        matrix = np.stack([vector for *_, vector in rows])
        cosines = await asyncio.to_thread(np.einsum, "ij,j->i", matrix, ranking.unit(query))
        scores = (ranking.cosine_score(float(cosine)) for cosine in cosines)
        hits = (
            Scored(id, score, view=name) for (id, name, _), score in zip(rows, scores, strict=True)
        )
        return ranking.best(ranking.by_best_view(hits), limit)

    async def known_entities(self, ids: Sequence[str], scopes: frozenset[str]) -> Mapping[str, int]:
        wanted = set(ids)
        found = Counter(
            entity
            for memory in self._recallable(scopes)
            for entity in self._mentions[memory.id]
            if entity in wanted
        )
        return dict(found)

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        newest = sorted(self._recallable(scopes), key=SORT_KEYS[Order.NEWEST])
        of = {entity: list[Mention]() for entity in entities}
        for memory in newest:
            for entity in self._mentions[memory.id]:
                if entity in of and len(of[entity]) < limit:
                    of[entity].append(Mention(entity, memory.id))
        return [mention for each in of.values() for mention in each]

    async def ancestors(
        self, ids: Sequence[str], scopes: frozenset[str], *, depth: int = 5
    ) -> list[Ancestor]:
        def read(level: Sequence[str]) -> Provenance:
            known = [self._memories[id] for id in level if id in self._memories]
            return {m.id: provenance(m.id, m.relations) for m in known if m.scope in scopes}

        return walk(ids, depth, read)

    async def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        units, further = ranking.all_units(vectors, views)
        known = {id: (fingerprint, unit) for id, unit in units.items() if id in self._memories}
        for id in known:
            self._forget_vector(id)
            self._changes.note([self._memories[id].scope])
        self._vectors.update(known)
        self._views.update({id: each for id, each in further.items() if id in known})
        return len(known)

    async def vectors(self, ids: Sequence[str]) -> Mapping[str, Embedded]:
        return {
            id: Embedded(*self._vectors[id], self._views.get(id, {}))
            for id in ids
            if id in self._vectors
        }

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        lacking = [m for m in self._recallable() if self._embedding(m.id) != fingerprint]
        return sorted(lacking, key=SORT_KEYS[Order.NEWEST])[:limit]

    async def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        recallable = [memory.id for memory in self._recallable()]
        return sum(self._embedding(id) == fingerprint for id in recallable), len(recallable)

    async def check(self) -> None:
        return

    async def owner(self) -> str | None:
        return self._owner

    async def belong_to(self, journal: str) -> None:
        self._owner = journal

    async def close(self) -> None:
        self._memories.clear()
        self._terms.clear()
        self._mentions.clear()
        self._vectors.clear()
        self._views.clear()

    def _keep(self, memory: Memory) -> None:
        self._memories[memory.id] = memory
        self._terms[memory.id] = Counter(tokens.index_terms(indexed_text(memory)))
        self._mentions[memory.id] = mentions(memory)

    def _forget_vector(self, id: str) -> None:
        self._vectors.pop(id, None)
        self._views.pop(id, None)

    def _embedding(self, memory_id: str) -> str | None:
        return self._vectors[memory_id][0] if memory_id in self._vectors else None

    def _recallable(self, scopes: frozenset[str] | None = None) -> Iterable[Memory]:
        return self._matching(Filter(scopes=scopes, recallable=True))

    def _matching(self, where: Filter) -> Iterable[Memory]:
        return (memory for memory in self._memories.values() if matches(memory, where))


def _search_rows(query: list[str], rows: Mapping[str, Counter[str]]) -> list[Scored]:
    rows_with = {term: sum(term in row for row in rows.values()) for term in query}
    lengths = sum(row.total() for row in rows.values())
    corpus = bm25.Corpus(len(rows), lengths / max(len(rows), 1), rows_with)
    wanted = ranking.probes(query, corpus)
    score, rarity = (
        bm25.scorer(ranking.counted(query, corpus), corpus),
        ranking.rarities(query, corpus),
    )
    most, found = ranking.most_of(query, corpus), list[Scored]()
    for id, row in rows.items():
        if any(term in row for term in wanted):
            nats = score(row, row.total())
            rarest = max((rare for term, rare in rarity.items() if row.get(term)), default=0.0)
            found.append(Scored(id, bm25.shared(nats, most), rarest, nats=nats))
    return found
