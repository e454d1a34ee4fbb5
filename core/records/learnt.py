"""Candidates into memories: ids, trust and strength, the same however often it is done. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from uuid import UUID, uuid5

from ..conflict.settlement import Ending, ended
from ..conflict.slots import ended_with
from ..forgetting.tmd import initial_strength
from ..languages.terms import content_terms
from ..model.conversation import Episode, Role, Turn
from ..model.intentions import Intention, IntentionType
from ..model.knowledge import Event, Relation
from ..model.lesson import Candidate
from ..model.memory import (
    RELIABILITY,
    Access,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Source,
    Succession,
    Successor,
    Vitality,
    unmarked,
)
from ..text.normalisation import folded
from .claims import claim_of
from .corroboration import impersonal

_FACETS = {Kind.SEMANTIC: Facet.PREFERENCE, Kind.PROCEDURAL: Facet.WORKFLOW}


def memory_id(journal: str, episode: str, ordinal: int, *, again: bool = False) -> str:
    """Id of the `ordinal`-th candidate of an episode's kept reply, or of that made `again`."""
    return str(uuid5(UUID(journal), f"{'again' if again else 'episode'}:{episode}:{ordinal}"))


def marked_id(journal: str, seq: int, ordinal: int) -> str:
    """Id of the `ordinal`-th intention that is marked as soon as a turn is said."""
    return str(uuid5(UUID(journal), f"intention:{seq}:{ordinal}"))


def memories_of(
    candidates: Sequence[Candidate],
    episode: Episode,
    turns: Sequence[Turn],
    known: Mapping[int, str],
    *,
    journal: str,
    extractor: Extractor,
    again: bool = False,
) -> list[Memory]:
    """One memory per candidate, created when its last source turn was said."""
    return [
        _memory(
            candidate,
            [turns[number - 1] for number in candidate.turns],
            episode,
            known,
            memory_id(journal, episode.id, ordinal, again=again),
            extractor,
        )
        for ordinal, candidate in enumerate(candidates)
    ]


def replaced_by(memory: Memory, newer: str, how: Succession, text: str, at: float) -> Memory:
    """The older memory, linked to the newer one of the Unix time `at`; what it claims is over.

    A correction also marks it inaccurate, and what it claims as never true.

    The first successor stays, but one that takes the memory out of recall outranks an update.
    """
    earlier = memory.successor
    if earlier is not None and (earlier.how is not Succession.UPDATES or how is earlier.how):
        return memory
    correction = text if how is Succession.CORRECTS else None
    return replace(
        ended(memory, Ending(at, newer, at, correction)), successor=Successor(newer, how)
    )


def without_correction(memory: Memory, newer: Collection[str]) -> Memory:
    """The older memory without the text of its correction, if one of `newer` took its place."""
    if memory.successor is None or memory.successor.memory not in newer:
        return memory
    return replace(memory, feedback=replace(memory.feedback, correction=None))


def without_successor(memory: Memory, gone: Collection[str]) -> Memory:
    """The memory as it was before one of these that are gone took its place."""
    if memory.successor is None or memory.successor.memory not in gone:
        return memory
    feedback = replace(memory.feedback, accurate=None, correction=None)
    return replace(memory, successor=None, feedback=feedback)


def may_follow(newer: Memory, older: Memory) -> bool:
    """Whether a memory can correct or continue another: of one slot, else of one person and matter.

    A number in a model's reply is easily wrong. Without two claims, both have to share a word
    besides the names of people.
    """
    if newer.claim is not None and older.claim is not None:
        return older.claim.slot in {newer.claim.slot, *ended_with(newer.claim)}
    about = {folded(name) for name in newer.about} & {folded(name) for name in older.about}
    said_by_others = older.account is not None and older.account != newer.account
    if said_by_others and not about:
        return False
    mine, theirs = (content_terms(impersonal(memory)) for memory in (newer, older))
    return not mine.isdisjoint(theirs)


def _memory(
    candidate: Candidate,
    sources: Sequence[Turn],
    episode: Episode,
    known: Mapping[int, str],
    own_id: str,
    extractor: Extractor,
) -> Memory:
    said = [turn for turn in sources if turn.role is not Role.ASSISTANT]
    source = _source(candidate, bool(said))
    at = max(turn.at for turn in sources)
    place = episode.place
    speaker = (said or list(sources))[0].speaker
    return Memory(
        id=own_id,
        scope=place.scope,
        kind=candidate.kind,
        text=unmarked(candidate.text),
        summary=unmarked(candidate.summary),
        created_at=at,
        happened_at=at if candidate.happened_at is None else candidate.happened_at,
        vitality=Vitality(initial_strength(candidate.importance)),
        access=Access(at, at),
        source=source,
        extractor=extractor,
        facet=candidate.facet or _FACETS.get(candidate.kind, Facet.EPISODIC),
        importance=candidate.importance,
        confidence=candidate.confidence,
        trust=RELIABILITY[source],
        speaker=speaker,
        about=candidate.about,
        cues=candidate.cues,
        tags=candidate.tags,
        sentiment=candidate.sentiment,
        entities=candidate.entities,
        relations=(*candidate.relations, *_links(candidate, known, own_id)),
        origin=Origin(
            place.session, place.conversation, episode.id, tuple(turn.seq for turn in sources)
        ),
        claim=claim_of(candidate, speaker, place.scope, at) if said else None,
        intention=_intention(candidate),
        event=None if candidate.event is None else Event("", candidate.event),
    )


def _intention(candidate: Candidate) -> Intention | None:
    if candidate.kind is not Kind.PROSPECTIVE:
        return None
    return Intention(candidate.intention or IntentionType.PLAN, due_at=candidate.due_at)


def _source(candidate: Candidate, said_by_person: bool) -> Source:
    stated = candidate.claim is not None and candidate.claim.correction
    corrects = candidate.follows is not None and candidate.follows[1] is Succession.CORRECTS
    if (stated or corrects) and said_by_person:
        return Source.CORRECTION
    return Source.USER if said_by_person else Source.BOT


def _links(candidate: Candidate, known: Mapping[int, str], own_id: str) -> tuple[Relation, ...]:
    follows = candidate.follows
    if follows is None:
        return ()
    return (Relation(own_id, follows[1].value, known[follows[0]]),)
