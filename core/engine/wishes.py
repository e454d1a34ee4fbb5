"""Plain wishes of people about what is kept, heard as soon as their message is on record. Async."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ..capture.pipeline import PENDING
from ..languages.markers import clauses, sentences
from ..languages.registry import languages_in
from ..languages.scripts import language_of
from ..languages.terms import content_terms
from ..model.conversation import Role, Turn
from ..model.errors import EmbeddingUnavailable
from ..model.memory import LEARNT, RAW, Memory
from ..ports import Embedder, EmbedderSource, Journal, MemoryStore
from ..privacy.erasure import withdraw
from ..recall.question import Meaning
from ..records.disclosure import belongs_to
from ..records.evidence import evidence_id
from ..similarity.calibration import Frames, VectorScale
from .manual_edits import Curation

LONGEST_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class Wish:
    """That a message is not to be kept (`unkept`), or else that what it is `about` is forgotten.

    `about` are content terms of what it `names`; none if it is about what was said just before.
    What is not to be kept is meant `before`, too, where the wish points there.
    """

    unkept: bool
    about: frozenset[str] = frozenset()
    names: str = ""
    before: bool = False


def wishes_in(text: str) -> Iterator[Wish]:
    """The wishes of a message that somebody has typed: a long one is pasted, or told at length.

    A short list a language tells them where no vectors are at hand, and what is to be forgotten.
    """
    if len(text) > LONGEST_MESSAGE:
        return
    for language in languages_in(text):
        forms = language.wishes
        if forms is None:
            continue
        if (unkept := forms.unkept.search(text)) is not None:
            yield Wish(True, before=_points_back(unkept))
        for found in forms.forget.finditer(text):
            names = found[found.lastgroup or 0].strip()
            yield Wish(False, content_terms(names), names)


SURELY = 2.5
"""Logit of a clause from which it is a wish: so is one in 700 messages of a month that is none, and
a quarter to a third of the wishes of a hand that the numbers have not seen (28 November 2026)."""

PATIENCE = 2.0
"""Seconds for an embedder to tell it."""

MOST_CLAUSES = 6
ALONE = 12
"""Content terms of a message with a wish, from which it tells itself what is not to be kept."""


def clauses_of(text: str) -> list[str]:
    """The first clauses of a message but for its questions: in each somebody may wish something."""
    told = (clause for sentence in sentences(text) for clause in clauses(sentence))
    return [clause for clause in islice(told, MOST_CLAUSES) if clause != text]


async def is_unkept(text: str, embedder: Embedder, scale: VectorScale) -> bool:
    """Whether the vector of a message, or of a clause of it, is that of a wish in any words.

    Raises EmbeddingUnavailable.
    """
    (whole,) = await embedder.embed_documents([text])
    # Of one that leans the other way no clause has ever been one.
    if whole.size != scale.direction.size or (told := scale.logit(whole)) < 0.0:
        return False
    vectors = await embedder.embed_documents(clauses_of(text))
    alike = (vector for vector in vectors if vector.size == whole.size)
    return max([told, *map(scale.logit, alike)]) >= SURELY


def _points_back(wish: re.Match[str]) -> bool:
    """Whether it says "this", and no colon what that is, has an object before it, or stands alone.

    Where that is doubtful it does: what somebody wants unkept is worse kept than lost.
    """
    said, told = wish.string[: wish.start()], wish.string[wish.end() :].lstrip()
    names_it = any(value for name, value in wish.groupdict().items() if name.startswith("this"))
    return (
        (names_it and not told.startswith((":", "：")))
        or (said[-1:].isalnum() and not told)
        or not content_terms(f"{said} {told}")
    )


BACK = 12
"""Turns of a session among which the speaker's last message is looked for."""

JUST_BEFORE = 3_600.0
"""Seconds before a wish within which a message is what "this" means."""

LIKE = 30
"""Memories that are compared with what is to be forgotten."""

MOST = 5
"""Memories that one wish moves to the bin; who means more uses `/memory forget`."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is not to be kept is withdrawn, what is to be forgotten goes to the bin.

    Done again it changes nothing.
    """

    store: MemoryStore
    journal: Journal
    curation: Curation
    embedders: EmbedderSource
    frames: Frames

    async def heard(self, turn: Turn, index: Callable[[int], Awaitable[None]]) -> bool:
        """Do what the turn wishes of memory. Returns whether it wishes anything: it is no memory.

        Turns are indexed side by side: `index` does so for those before it that may not be yet.
        """
        if turn.role is not Role.USER:
            return False
        # What withdraws the turn comes last: it ends this work, too.
        heard = sorted(wishes_in(turn.text), key=lambda wish: wish.unkept)
        if not any(wish.unkept for wish in heard) and await self._means(turn):
            before = len(content_terms(turn.text)) < ALONE
            heard = [*heard, Wish(True, before=before)]
        for each in await self.journal.last_turns(turn.place.session, BACK) if heard else ():
            if each.seq < turn.seq and turn.at - each.at < PENDING:
                await index(each.seq)
        for wish in heard:
            if wish.unkept:
                before = await self._before(turn) if wish.before else []
                await withdraw(self.journal, [turn.seq, *(each.seq for each in before)])
            elif wish.about:
                await self.forget(await self.about(wish.about, turn, wish.names), turn)
            else:
                await self.forget(await self.told_in(await self._before(turn)), turn)
        return bool(heard)

    async def _means(self, turn: Turn) -> bool:
        """Whether it `is_unkept`; by forms alone where nobody knows vectors, or not yet."""
        embedder = await self.embedders.choose() if len(turn.text) <= LONGEST_MESSAGE else None
        if embedder is None:
            return False
        try:
            fingerprint = (await embedder.identity()).fingerprint
            scales = self.frames.scales(fingerprint, language_of(turn.text))
            # The message is no memory before: it is asked again when its episode is learnt from.
            async with asyncio.timeout(PATIENCE):
                return scales is not None and await is_unkept(turn.text, embedder, scales.unkept)
        except (EmbeddingUnavailable, TimeoutError):
            return False

    async def about(self, terms: frozenset[str], turn: Turn, names: str = "") -> list[Memory]:
        """The speaker's memories that hold all these terms, beside the turn itself.

        If none does, those that are about what is named so by their vectors.
        """
        scope = frozenset({turn.place.scope})
        hits = await self.store.search_text(" ".join(sorted(terms)), scope, limit=LIKE)
        own = await self._own([hit.id for hit in hits], turn)
        worded = [memory for memory in own if terms <= content_terms(memory.text)]
        return worded or (await self._meant(names, turn) if names else [])

    async def _meant(self, names: str, turn: Turn) -> list[Memory]:
        embedder, scope = await self.embedders.choose(), frozenset({turn.place.scope})
        if embedder is None:
            return []
        try:
            identity, query = await embedder.identity(), await embedder.embed_query(names)
        except EmbeddingUnavailable:
            return []
        frame = await self.frames.frame(identity, scope, language_of(names))
        ids: list[str] = []
        for kinds in (RAW, LEARNT) if frame.centred else ():
            vector = frame.directed(query, raw=kinds is RAW)
            hits = await self.store.search_vector(
                vector, identity.fingerprint, scope, limit=LIKE, kinds=kinds
            )
            ids += [hit.id for hit in hits]
        own = await self._own(ids, turn)
        meaning = Meaning(query, query, identity.fingerprint, frame)
        await meaning.read(self.store, ids)
        near = meaning.about(query, own)
        return [memory for memory in own if memory.id in near]

    async def _own(self, ids: Sequence[str], turn: Turn) -> list[Memory]:
        found = await self.store.find(ids, frozenset({turn.place.scope}))
        return [each for each in found if is_of(each, turn) and turn.seq not in each.origin.turns]

    async def told_in(self, turns: Sequence[Turn]) -> list[Memory]:
        """The memories that these turns are, and those that were learnt of them."""
        scopes = frozenset(turn.place.scope for turn in turns)
        learnt = await self.store.distilled([turn.seq for turn in turns], scopes)
        ids = [evidence_id(self.journal.id, turn.seq) for turn in turns]
        ids += [id for told in learnt.values() for id in told]
        found = await self.store.find(ids)
        return [memory for memory in found if turns and is_of(memory, turns[-1])]

    async def forget(self, memories: Sequence[Memory], turn: Turn) -> list[Memory]:
        """Into the bin, by their person; the first `MOST`, as they were before."""
        chosen = [memory for memory in memories if memory.recallable][:MOST]
        by = f"{turn.speaker.name} ({turn.speaker.id})"
        await self.curation.forget([memory.id for memory in chosen], by=by)
        return chosen

    async def _before(self, turn: Turn) -> list[Turn]:
        """The speaker's message before this one, in the same conversation."""
        said = await self.journal.last_turns(turn.place.session, BACK)
        own = [each for each in said if each.seq < turn.seq and each.speaker.id == turn.speaker.id]
        return [each for each in own[-1:] if turn.at - each.at < JUST_BEFORE]


def is_of(memory: Memory, turn: Turn) -> bool:
    """Whether a memory is of the speaker of a turn: in a group what they said there themselves."""
    return memory.scope == turn.place.scope and belongs_to(memory, {turn.speaker.id})
