"""What is already known when an episode is learnt from, and which turns tell it again."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from ..forgetting.lifecycle import DAY
from ..forgetting.policy import ForgettingPolicy
from ..languages.entities import struck
from ..languages.markers import clauses, is_first_person, is_question, sentences, tells
from ..languages.scripts import language_of
from ..languages.terms import content_terms
from ..model.conversation import Injected, Role, Scope, ScopeKind, Turn
from ..model.memory import RAW, Kind, Memory, Source
from ..ports import Embedded, Filter, Journal, MemoryReader, MemoryStore
from ..recall.weighing import reciprocal_rank
from ..records.evidence import (
    LONGEST_TURN,
    Rarity,
    Weigh,
    evidence_id,
    may_tell,
    rarities,
    says_something,
    weigher,
)
from ..records.learnt import ageing
from ..records.sameness import (
    Proposition,
    Restatement,
    corroborated,
    default_names,
    eligible,
    named_in,
    otherwise,
    proposition_in,
    proposition_of,
)
from ..similarity.calibration import Frames
from ..text.quoting import folded

TOLD = 0.97
"""Share of the words of a turn, by their rarity, that the one memory must have. Of recorded
observations with one word exchanged, .006, .007 and .014 pass for known then, by data set."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Of turns numbered from 1: which tell something, and the known memory that tells it too."""

    telling: frozenset[int] = frozenset()
    covered: Mapping[int, int] = field(default_factory=dict[int, int])

    @property
    def news(self) -> frozenset[int]:
        """The turns that tell something which no known memory tells."""
        return self.telling - self.covered.keys()


def gap(turns: Sequence[Turn], known: Mapping[int, Memory], rarity: Rarity) -> Gap:
    """What people tell in the turns, held against what is known, by its numbers."""
    numbered = {n: turn for n, turn in enumerate(turns, start=1) if may_tell_anew(turn)}
    weigh = weigher(rarity)
    covered = {
        number: by
        for number, turn in numbered.items()
        if (by := next((n for n, each in known.items() if covers(each, turn, weigh)), None))
    }
    return Gap(frozenset(numbered), covered)


def may_tell_anew(turn: Turn) -> bool:
    """Whether a person tells something in it; of themselves one word is enough: "I am vegan"."""
    if says_something(turn):
        return True
    spoken = turn.role is not Role.ASSISTANT and not turn.private_reply
    return spoken and is_first_person(turn.text) and tells(turn.text[:LONGEST_TURN], least=1)


def covers(memory: Memory, turn: Turn, weigh: Weigh) -> bool:
    """Whether the memory tells all that the turn tells, of the same person and the same time."""
    # Who asks for something does not say it again.
    if is_question(turn.text) or not _may_cover(memory, turn):
        return False
    own = _own_names(memory, turn)
    said, told = (struck(text, own) for text in (turn.text[:LONGEST_TURN], memory.text))
    terms = content_terms(said)
    own, both = weigh(terms), weigh(terms & content_terms(told))
    return own > 0.0 and both / own >= TOLD and not otherwise(said, told)


def _may_cover(memory: Memory, turn: Turn) -> bool:
    if not eligible(memory) or memory.source is Source.BOT or not may_tell(memory, turn):
        return False
    # The same done on another day is something else that was done.
    if memory.kind is Kind.EPISODIC and abs(memory.happened_at - turn.at) >= DAY:
        return False
    said, own = folded(turn.text), {folded(name) for name in _own_names(memory, turn)}
    named = {folded(name) for name in memory.about} | named_in(memory)
    return all(name in own or name in said for name in named)


def _own_names(memory: Memory, turn: Turn) -> list[str]:
    """What the speaker of the turn is called, in the memory too."""
    names = [turn.speaker.name, *default_names()]
    if memory.speaker is not None and memory.speaker.id == turn.speaker.id:
        names.append(memory.speaker.name)
    return [name for name in names if name]


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
    frames: Frames

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

    async def lasting(self, turns: Sequence[Turn]) -> Mapping[int, float]:
        """By number, the logit of a turn telling what lasts; of those whose vectors say so."""
        ids = {evidence_id(self.journal.id, turn.seq): n for n, turn in enumerate(turns, start=1)}
        found = await self.store.vectors([*ids])
        told = {ids[id]: self._lasts(own, turns[ids[id] - 1].text) for id, own in found.items()}
        return {number: logit for number, logit in told.items() if logit is not None}

    def _lasts(self, told: Embedded, text: str) -> float | None:
        scales = self.frames.scales(told.fingerprint, language_of(text))
        if scales is None or scales.lasting.direction.size != told.vector.size:
            return None
        return round(float(scales.lasts(told.vector[None])[0]), 2)

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


MOST_STATEMENTS = 200
"""Of one episode that are looked up."""

LIKE = 10
"""Memories of each sort that are compared with a statement."""

LEAST_CONTENT = 2
"""Terms of a statement that is known only by a raw turn: "I am tired" is said by everybody."""

_RAW = frozenset({Kind.EVIDENCE})
_LEARNT = frozenset(Kind) - _RAW


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a person states in a turn."""

    turn: Turn
    text: str

    @property
    def proposition(self) -> Proposition:
        return proposition_in(struck(self.text, [self.turn.speaker.name]))

    def may_repeat(self, known: Memory) -> bool:
        """Whether it is older, and may mean the same: in a group "I" is somebody else."""
        if known.origin.episode == self.turn.episode:
            return False
        if Scope.kind_of(known.scope) is not ScopeKind.GROUP:
            return True
        own = known.speaker is not None and known.speaker.id == self.turn.speaker.id
        return own or not (is_first_person(self.text) or known.about)


@dataclass(frozen=True, slots=True)
class Repetition:
    """Corroborates what is said again. May be repeated and then changes nothing."""

    store: MemoryStore
    journal: str
    policy: ForgettingPolicy

    async def corroborate(
        self,
        turns: Sequence[Turn],
        kept: Sequence[tuple[Memory, str]],
        covered: Sequence[tuple[int, str]] = (),
    ) -> frozenset[str]:
        """Ids of the memories that an episode said again.

        `turns` are those that may be learnt from; `kept` are memories that were proposed, with
        the id of the one that keeps what each says. `covered` are turns that told nothing but what
        was known then, with the id of what told it. What the bot says repeats nothing.
        """
        people = {turn.seq: turn for turn in turns if turn.role is not Role.ASSISTANT}
        # An episode's end may have moved since they were indexed.
        own = {evidence_id(self.journal, seq) for seq in people}
        said: dict[str, set[int]] = defaultdict(set)
        for memory, kept_id in kept:
            if memory.id != kept_id:
                said[kept_id].update(people.keys() & memory.origin.turns)
        for seq, known in covered:
            said[known].update({seq} & people.keys())
        for statement in islice(_statements(people), MOST_STATEMENTS):
            for known in await self._known(statement, own):
                said[known].add(statement.turn.seq)
        for known, seqs in said.items():
            if seqs:
                await self._corroborate(known, people[max(seqs)], frozenset(seqs))
                await self._let_fade([people[seq] for seq in seqs], known)
        return frozenset(known for known, seqs in said.items() if seqs)

    async def _known(self, statement: _Statement, own: Set[str]) -> list[str]:
        """The best memory that was learnt of what is stated, else a raw turn that states it."""
        stated, scope = statement.proposition, frozenset({statement.turn.place.scope})
        if not stated.content:
            return []
        for kinds in (_LEARNT, _RAW):
            hits = await self.store.search_text(statement.text, scope, limit=LIKE, kinds=kinds)
            found = await self.store.find([hit.id for hit in hits], scope)
            same = [m for m in found if m.id not in own and proposition_of(m) == stated]
            if older := [known for known in same if statement.may_repeat(known)]:
                # Always the same one, or none of them would gain by being said often.
                return [max(older, key=lambda known: (known.access.count, -known.created_at)).id]
            if len(stated.content) < LEAST_CONTENT:
                return []
        return []

    async def _corroborate(self, known: str, turn: Turn, seqs: frozenset[int]) -> None:
        raw = evidence_id(self.journal, turn.seq)
        again = Restatement(raw, turn.episode, seqs, turn.account, turn.at)
        await self.store.amend([known], lambda memory: corroborated(memory, again, self.policy))

    async def _let_fade(self, turns: Sequence[Turn], known: str) -> None:
        """Raw turns that say nothing but what is known are not kept for it."""
        for older in await self.store.find([known]):
            said = content_terms(older.text)
            for turn in turns:
                if content_terms(turn.text) <= said:
                    raw = evidence_id(self.journal, turn.seq)
                    await self.store.amend([raw], partial(ageing, at=turn.at))


def _statements(turns: Mapping[int, Turn]) -> Iterator[_Statement]:
    """Whole sentences, and the clauses of those that have several."""
    for turn in turns.values():
        for sentence in sentences(turn.text[:LONGEST_TURN]):
            texts = dict.fromkeys([sentence, *clauses(sentence)])
            yield from (_Statement(turn, text) for text in texts)
