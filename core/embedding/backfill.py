"""Of which texts a memory's vectors are, and their making in the background."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched, chain

import numpy as np

from ..languages.scripts import in_one_script
from ..model.conversation import Scope, ScopeKind
from ..model.errors import EmbeddingUnavailable, StorageError
from ..model.knowledge import SPEAKER, Claim
from ..model.memory import ASKED, MOST_PARTS, NEEDED, VIEWS, WHOLE, Kind, Memory
from ..ports import Embedder, EmbedderSource, MemoryVectors, Vector
from ..records.learnt import added_cues
from ..records.sameness import impersonal
from ..records.serialisation import claimed, key_in_words
from ..similarity.measure import rows
from ..text.quoting import SENTENCE_END

BATCH = 32
GIVE_UP_AFTER = 3
LONGEST_PAUSE = 300.0

LONG = 1_200
"""Characters of a text that is embedded in parts, too: models read some 500 tokens, or fewer."""

PART = 600
"""Characters of a part, at least; of a text that would have more than `MOST_PARTS`, more."""

type _Texts = Mapping[str, Sequence[str]]
"""Of which texts the vectors of one memory are the means, by the name of the view."""

type _Named = dict[str, Vector]
"""The vectors of these."""


def embedding_texts(memory: Memory) -> tuple[str, ...]:
    """The texts of whose vectors a memory's is the mean, in one script.

    Of what was learnt its text, and the same without the names of whom it is about, as a question
    is searched without them: what begins with one name would be all alike. Both with what it claims
    and its own cues. A raw turn has its speaker's name before it, and weighs as much alone as among
    its neighbours: they tell what it is about, and would drown it where they are about something
    else.
    """
    # Of two that say the same sleep may have added to one alone: that is a view of its own.
    cues = [cue for cue in memory.cues if cue not in added_cues(memory)]
    name, found_by = "", [memory.said.strip(), "\n".join([memory.text, *cues])]
    if memory.kind is not Kind.EVIDENCE:
        named = (memory.text, impersonal(memory).strip() or memory.text)
        found_by = ["\n".join([text, *claimed(memory), *cues]) for text in named]
    elif memory.speaker and memory.speaker.name:
        name = f"{memory.speaker.name}: "
    return tuple(dict.fromkeys(in_one_script(f"{name}{text}") for text in found_by))


def views_of(memory: Memory) -> dict[str, str]:
    """The texts of the memory's views by name, in their order."""
    views = dict[str, str]()
    if len(memory.text) >= LONG:
        parts = _parts(memory.text, max(PART, -(-len(memory.text) // MOST_PARTS)))
        views = dict(zip(VIEWS, parts, strict=False))
    if memory.claim is not None:
        views[ASKED] = _question(memory, memory.claim)
    if cues := added_cues(memory):
        views[NEEDED] = "\n".join(cues)
    return views


def _question(memory: Memory, claim: Claim) -> str:
    """Questions are nearer to each other, in any language, than to what answers them.

    "Up at five with the ovens" is far from "what do I do for a living", and "what is my job" near.
    """
    whose = f"{claim.subject}'s"
    if claim.subject.startswith(SPEAKER):
        group = Scope.kind_of(memory.scope) is ScopeKind.GROUP
        whose = f"{memory.speaker.name}'s" if group and memory.speaker is not None else "my"
    about = f"{claim.relation}'s {claim.attribute}" if claim.relation else claim.attribute
    return f"what is {whose} {key_in_words(about)}"


def _parts(text: str, least: int) -> list[str]:
    """In whole sentences of `least` characters together; what has no end is cut there."""
    parts: list[str] = []
    part = ""
    for sentence in SENTENCE_END.split(text):
        for start in range(0, len(sentence), least):
            part += sentence[start : start + least]
            if len(part) >= least:
                parts.append(part.strip())
                part = ""
    parts.append(part.strip())
    return [part for part in parts if part]


async def mean_vectors(embedder: Embedder, groups: Sequence[Sequence[str]]) -> list[Vector]:
    """The mean of the vectors of each group of texts, at most `BATCH` texts a call."""
    vectors: list[Vector] = []
    for some in batched(chain.from_iterable(groups), BATCH):
        vectors += await embedder.embed_documents(some)
    left = iter(vectors)
    return [_mean([next(left) for _ in group]) for group in groups]


def _mean(vectors: Sequence[Vector]) -> Vector:
    if len(vectors) == 1:
        return vectors[0]
    return rows(np.sum(vectors, axis=0, keepdims=True))[0]


@dataclass(slots=True)
class Backfill:
    """Embeds newest first; while nothing waits, the embedder itself is learnt.

    `working` while memories wait, `problem` by what the last batch failed; `held` by somebody who
    wants no more of it until the next start. A text refused while others pass is left out until
    the next start or another embedder. Each batch is begun after `gives_way`.
    """

    store: MemoryVectors
    source: EmbedderSource
    report: Callable[[str, BaseException], None]
    pause: float = 5.0
    learn: Callable[[Embedder], Awaitable[bool]] | None = None
    gives_way: Callable[[], Awaitable[None]] | None = None
    working: bool = False
    problem: str = ""
    held: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _refused: set[str] = field(default_factory=set[str])
    _refused_by: str = ""
    _down: bool = False

    def wake(self) -> None:
        """Look for work now."""
        self._wake.set()

    async def run(self) -> None:
        """Until cancelled."""
        wait = self.pause
        while True:
            self._wake.clear()
            try:
                while await self.once():
                    pass
                wait = self.pause
            except (EmbeddingUnavailable, StorageError) as error:
                # Of memories that are to be had again it is told.
                self._down = isinstance(error, EmbeddingUnavailable)
                self.problem = f"{type(error).__name__}: {error}"
                self.report("embedding", error)
                wait = min(LONGEST_PAUSE, wait * 2)
            await self._sleep(wait)

    async def once(self) -> bool:
        """One batch. False when there is nothing to do. Raises EmbeddingUnavailable if down."""
        embedder = await self.source.choose()
        if embedder is None or not self.source.settled or self.held:
            return False
        if self.gives_way is not None:
            await self.gives_way()
        fingerprint = (await embedder.identity()).fingerprint
        batch = await self._batch(fingerprint)
        self.working = bool(batch)
        if not batch:
            self.problem = ""
            return self.learn is not None and await self.learn(embedder)
        await self._keep(embedder, fingerprint, await self._embed(embedder, batch))
        self.problem = ""
        return True

    async def embed(self, memories: Sequence[Memory]) -> None:
        """These at once, in one batch; what an embedder that is down leaves waits for `run`."""
        try:
            embedder = await self.source.choose()
            if embedder is None or not self.source.settled or self.held or self._down:
                return
            fingerprint = (await embedder.identity()).fingerprint
            texts = {memory.id: self._texts(memory) for memory in memories}
            await self._keep(embedder, fingerprint, await self._each(embedder, texts))
        except EmbeddingUnavailable:
            self.wake()

    async def _keep(
        self, embedder: Embedder, fingerprint: str, vectors: Mapping[str, _Named]
    ) -> None:
        wholes = {id: each.pop(WHOLE) for id, each in vectors.items()}
        # Meanwhile an endpoint may have come to stand for another model.
        if (await embedder.identity()).fingerprint == fingerprint:
            await self.store.set_vectors(fingerprint, wholes, vectors)

    async def _sleep(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                # While the provider is down, new memories must not cause a call each.
                await (asyncio.sleep(seconds) if self._down else self._wake.wait())
        except TimeoutError:
            pass

    async def _batch(self, fingerprint: str) -> list[Memory]:
        if fingerprint != self._refused_by:
            self._refused, self._refused_by = set(), fingerprint
        found = await self.store.unembedded(fingerprint, limit=BATCH + len(self._refused))
        return [memory for memory in found if memory.id not in self._refused][:BATCH]

    async def _embed(self, embedder: Embedder, batch: Sequence[Memory]) -> dict[str, _Named]:
        texts = {memory.id: self._texts(memory) for memory in batch}
        try:
            vectors = await self._each(embedder, texts)
        except EmbeddingUnavailable as error:
            return await self._one_by_one(embedder, texts, error)
        self._down = False
        return vectors

    async def _one_by_one(
        self, embedder: Embedder, texts: Mapping[str, _Texts], first: EmbeddingUnavailable
    ) -> dict[str, _Named]:
        vectors: dict[str, _Named] = {}
        failed: set[str] = set()
        # From the other end after an outage, so that a few bad texts cannot pose as one.
        for id in reversed([*texts]) if self._down else texts:
            try:
                vectors |= await self._each(embedder, {id: texts[id]})
            except EmbeddingUnavailable:
                failed.add(id)
                if not vectors and len(failed) >= GIVE_UP_AFTER:
                    break
        if not vectors:
            self._down = True
            raise first
        self._down = False
        self._refused |= failed
        return vectors

    def _texts(self, memory: Memory) -> _Texts:
        views = {name: (in_one_script(text),) for name, text in views_of(memory).items()}
        return {WHOLE: embedding_texts(memory), **views}

    async def _each(self, embedder: Embedder, texts: Mapping[str, _Texts]) -> dict[str, _Named]:
        """The vectors of views by memory and name."""
        views = [view for own in texts.values() for view in own.values()]
        left = iter(await mean_vectors(embedder, views))
        return {id: {name: next(left) for name in own} for id, own in texts.items()}
