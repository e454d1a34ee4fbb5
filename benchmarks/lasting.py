"""What the vector of a text alone says of it, read from what was written for these benchmarks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from uuid import UUID

import numpy as np

from ..core.capture.reading import PASSING
from ..core.embedding.backfill import embedding_texts, mean_vectors
from ..core.embedding.calibrator import READ
from ..core.embedding.local.model import IDENTITY
from ..core.model.conversation import Place, Role, Scope, ScopeKind, Speaker, Turn
from ..core.ports import Embedder, Vector
from ..core.records.evidence import evidence_of, with_turn_after
from ..core.similarity.calibration import SHRUNK, Scales, VectorScale
from .datasets.episodes import WRITTEN, episodes_in
from .datasets.everyday import changes
from .datasets.reading import Complaints
from .lived.life import Life, lives
from .living.tongues import said, standing

HANDS = {"changes_a": "a", "changes_b": "b"}
"""The written changes by the hand that wrote them: what a new chat is asked, in other words than
were said. Words and hashed vectors find too little of it for their marks to be told by it.
"""

EVERY = 5
"""Of each hand's written changes so many are one message of what lasts: it weighs like a month."""

EPISODES = "episodes"
BOTH = (True, False)
NIL = str(UUID(int=0))
"""A journal's id: vectors do not depend on it."""


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody says, by one hand: a month, a set of changes or `EPISODES`.

    `tells`: whether it tells a fact. `embedded` are the texts whose mean is the vector of its raw
    turn, with what stands around it.
    """

    hand: str
    text: str
    tells: bool
    embedded: tuple[str, ...]


@cache
def messages() -> Sequence[Message]:
    """All that was written of talk with facts in it."""
    found: list[Message] = []
    for episode in episodes_in(WRITTEN, Complaints()):
        for turn, texts in embedded(episode.turns):
            tells = any(key.opens(turn.text) for key in episode.keys)
            found.append(Message(EPISODES, turn.text, tells, texts))
    for life in lives(()):
        facts = {fact.since for fact in life.facts.values()}
        for (turn, texts), each in zip(embedded(_turns_of(life)), life.said, strict=True):
            found.append(Message(life.name, turn.text, each.number in facts, texts))
    told = changes(Complaints())
    for name, hand in HANDS.items():
        values = [each.text for one in told if one.hand == hand for each in one.told]
        found += [Message(name, text, True, (text,)) for text in values[::EVERY]]
    return found


def embedded(turns: Sequence[Turn]) -> list[tuple[Turn, tuple[str, ...]]]:
    """The turns of people with the texts by which their raw turns are embedded."""
    found: list[tuple[Turn, tuple[str, ...]]] = []
    for n, turn in enumerate(turns):
        if turn.role is not Role.ASSISTANT:
            raw = evidence_of(turn, turns[n - 1] if n else None, journal=NIL)
            after = turns[n + 1 : n + 2]
            found.append((turn, embedding_texts(with_turn_after(raw, *after) if after else raw)))
    return found


async def logits(embedder: Embedder, scales: Scales, told: Sequence[Sequence[str]]) -> Vector:
    """Of telling what lasts, by the mean vectors of these texts."""
    return scales.lasts(np.stack(await mean_vectors(embedder, told)))


def _turns_of(life: Life) -> Sequence[Turn]:
    kind = ScopeKind.GROUP if life.group else ScopeKind.PRIVATE
    place = Place(life.name, "", Scope(kind, "written", life.name).key)
    return [
        Turn(
            each.number,
            life.name,
            place,
            Role.USER,
            Speaker(each.who, each.who),
            each.text,
            each.at,
        )
        for each in life.said
    ]


async def lasting(embedder: Embedder, but: str = "") -> VectorScale:
    """By the messages that tell a fact and by all others, `but` for those of one hand."""
    told = [each for each in messages() if each.hand != but]
    return await _between(
        embedder, {kind: [each.text for each in told if each.tells is kind] for kind in BOTH}
    )


async def unkept_by(embedder: Embedder, but: str = "") -> VectorScale:
    """By the messages that wish something not to be kept, and the others; `but` for one hand's."""
    told = [each for each in said(Complaints()) if each.hand != but]
    return await _between(
        embedder, {wish: [each.text for each in told if each.unkept is wish] for wish in BOTH}
    )


async def scales_without(embedder: Embedder, hand: str) -> Scales:
    """The local embedder's, of which what lasts has not seen this hand, or the episodes."""
    own, wished = READ[IDENTITY.fingerprint], await standing_by(embedder)
    return replace(own, lasting=await lasting(embedder, hand), standing=wished)


async def standing_by(embedder: Embedder) -> VectorScale:
    """By wishes how the bot is to answer from then on, and messages that look like them."""
    return await _between(embedder, standing(Complaints()))


async def _between(embedder: Embedder, told: Mapping[bool, Sequence[str]]) -> VectorScale:
    """By the vectors of texts that do and of texts that do not."""
    both = [np.stack(await embedder.embed_documents(told[kind])) for kind in BOTH]
    return VectorScale.between(*both, shrunk=SHRUNK)


async def passing(embedder: Embedder, hand: str) -> dict[str, float]:
    """Shares of a hand's messages that pass, by what the other hands wrote."""
    scales = await scales_without(embedder, hand)
    told = {
        name: [each.embedded for each in messages() if each.hand == hand and each.tells is kind]
        for name, kind in (("facts", True), ("others", False))
    }
    read = {name: await logits(embedder, scales, some) for name, some in told.items() if some}
    return {name: round(float(np.mean(each < PASSING)), 4) for name, each in read.items()}
