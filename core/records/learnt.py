"""Candidates into memories: ids, claims, trust; what sleep adds to them; quarantine. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from uuid import UUID, uuid5

from ..conflict.slots import LONGEST_VALUE, canonical, denied_in, ended_with, is_opposite, own
from ..forgetting.lifecycle import DAY, aged_from
from ..forgetting.tmd import initial_strength
from ..languages.kin import kin_at, kin_of, owned_kin
from ..languages.registry import languages, nameless
from ..languages.terms import content_terms
from ..model.conversation import Episode, Role, Scope, ScopeKind, Speaker, Turn
from ..model.knowledge import (
    SPEAKER,
    Claim,
    Enrichment,
    Entity,
    Event,
    Intention,
    IntentionType,
    Relation,
)
from ..model.lesson import Candidate, NoteDetails
from ..model.memory import (
    RELIABILITY,
    Access,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Sentiment,
    Source,
    Status,
    Succession,
    Successor,
    Vitality,
    unmarked,
)
from ..ports import AuditEntry
from ..prompts.schema import MOST_CUES
from ..text.quoting import entity_id, folded
from .manual import text_digest
from .names import ALSO_CALLED
from .sameness import impersonal

OF_SOMEBODY = frozenset({"pet", "family", "child", "team"})
"""Slots of the speaker that name somebody: Ann's dog is a corgi."""


def claim_of(candidate: Candidate, speaker: Speaker, scope: str, at: float) -> Claim | None:
    """The claim of a candidate whose first person is `speaker`, said at the Unix time `at`.

    None where it states nothing, or under a key that tells nothing.
    """
    stated = candidate.claim
    if stated is None:
        return None
    whose, key = of_relative(stated.attribute)
    attribute = canonical(key)
    if not attribute:
        return None
    value, denied = unmarked(stated.value), stated.denied is not is_opposite(key)
    if not denied and (none := denied_in(attribute, value)) is not None:
        value, denied = none, True
    whose = stated.whose or whose or _somebody_of(speaker, candidate.text, attribute)
    return Claim(
        subject=_subject(whose, candidate.about, speaker, scope),
        attribute=attribute,
        value=value[:LONGEST_VALUE],
        valid_from=at if stated.since is None else min(stated.since, at),
        denied=denied,
    )


def of_relative(key: str) -> tuple[str, str]:
    """A key such as `best_mate_job` as whose it is and of what; ("", key) for any other."""
    words = key.split("_")
    for place in range(len(words) - 1, 0, -1):
        if relation := kin_of(" ".join(words[:place])):
            return relation, "_".join(words[place:])
    return "", key


def _somebody_of(speaker: Speaker, text: str, attribute: str) -> str:
    """The relative, friend or pet of the speaker with whom a sentence begins: "Ann's friend is
    allergic to cats", which a small model tells of Ann. "" where the slot names them.
    """
    if attribute in OF_SOMEBODY or kin_of(attribute):
        return ""
    for mark in (each for language in languages() for each in language.genitives):
        owner, _, rest = text.partition(mark)
        if owner and _is_called(speaker, owner) and (relative := kin_at(rest)):
            return kin_of(relative)
    return ""


def _subject(whose: str, about: Sequence[str], speaker: Speaker, scope: str) -> str:
    """The speaker, somebody of theirs, or whoever else alone it is about, by name."""
    # In a private chat there is one person, from whichever account.
    group = Scope.parse(scope).kind is ScopeKind.GROUP
    account = speaker.id if group else ""
    others = [name for name in about if not _is_called(speaker, name)]
    if whose or len(others) != 1 or len(others) < len(about):
        return own(account, whose)
    name = _as_theirs(speaker, others[0])
    return own(account, name) if kin_of(name) else entity_id(name).lstrip(SPEAKER)


def _as_theirs(speaker: Speaker, name: str) -> str:
    """What 林芳的姑姑 and "Ruth's aunt" are to a speaker of that name; any other name as it is."""
    theirs = (kin for owner, kin in owned_kin(name) if _is_called(speaker, owner))
    return next(theirs, name)


def _is_called(speaker: Speaker, name: str) -> bool:
    """Whether a name, with the mark that tells people apart or without, is the speaker's."""
    called = entity_id(name).partition("#")[0]
    return called in (entity_id(speaker.name), *nameless())


FACETS = {Kind.SEMANTIC: Facet.PREFERENCE, Kind.PROCEDURAL: Facet.WORKFLOW}
"""Of all other kinds it is what happened."""


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
    found: list[Memory] = []
    for ordinal, candidate in enumerate(candidates):
        sources = [turns[number - 1] for number in candidate.turns]
        id = memory_id(journal, episode.id, ordinal, again=again)
        found.append(_memory(candidate, sources, episode, known, id, extractor))
    return found


@dataclass(frozen=True, slots=True)
class Ending:
    """When a claim ceased to be so, the claim that says so, and when that was said; Unix times.

    With a `correction`, its text, it was never so.
    """

    at: float
    by: str
    said_at: float
    correction: str | None = None


def ended(memory: Memory, ending: Ending) -> Memory:
    """The memory once its claim is over; it ages from then on."""
    claim, memory = memory.claim, ageing(memory, ending.said_at)
    how = Succession.UPDATES if ending.correction is None else Succession.CORRECTS
    if claim is not None:
        at = max(ending.at, claim.valid_from) if ending.correction is None else claim.valid_from
        memory = replace(memory, claim=replace(claim, valid_to=at))
    memory = replace(memory, successor=Successor(ending.by, how))
    if ending.correction is None:
        return memory
    feedback = replace(memory.feedback, accurate=False, correction=ending.correction)
    return replace(memory, feedback=feedback)


def ageing(memory: Memory, at: float) -> Memory:
    """The memory with all that time does to it counted from `at` on, if it was kept until then."""
    if not (memory.holds or memory.vitality.sole):
        return memory
    return replace(memory, vitality=replace(aged_from(memory.vitality, at), sole=False))


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
    place, speaker = episode.place, (said or sources)[0].speaker
    meant = Intention(candidate.intention or IntentionType.PLAN, due_at=candidate.due_at)
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
        facet=candidate.facet or FACETS.get(candidate.kind, Facet.EPISODIC),
        importance=candidate.importance,
        confidence=candidate.confidence,
        trust=RELIABILITY[source],
        speaker=speaker,
        about=candidate.about,
        entities=candidate.entities,
        relations=_links(candidate, known, own_id),
        origin=Origin(
            place.session, place.conversation, episode.id, tuple(turn.seq for turn in sources)
        ),
        claim=claim_of(candidate, speaker, place.scope, at) if said else None,
        intention=meant if candidate.kind is Kind.PROSPECTIVE else None,
    )


def _source(candidate: Candidate, said_by_person: bool) -> Source:
    stated = candidate.claim is not None and candidate.claim.correction
    corrects = candidate.follows is not None and candidate.follows[1] is Succession.CORRECTS
    if (stated or corrects) and said_by_person:
        return Source.CORRECTION
    return Source.USER if said_by_person else Source.BOT


def _links(candidate: Candidate, known: Mapping[int, str], own_id: str) -> tuple[Relation, ...]:
    follows = candidate.follows
    return () if follows is None else (Relation(own_id, follows[1].value, known[follows[0]]),)


SETTLED = 3 * DAY
"""Age from which a memory lasts; one that was of use does so at once."""

ENRICHED = frozenset({Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL, Kind.PROSPECTIVE})


def is_due(memory: Memory, at: float) -> bool:
    """Whether it lasts at the Unix time `at`, and no model was asked about its present text."""
    lasts = memory.vitality.useful_count > 0 or at - memory.created_at >= SETTLED
    if not (lasts and memory.kind in ENRICHED and memory.recallable):
        return False
    return memory.enrichment is None or memory.enrichment.of != text_digest(memory.text)


def enriched(memory: Memory, told: NoteDetails, of: str, event: Event | None = None) -> Memory:
    """The memory with what a model told of its text `of`, in place of what one told before.

    What it has already stays as it is. A text that has changed meanwhile gets nothing.
    """
    if memory.text != of:
        return memory
    bare = without_enrichment(memory)
    known = {each.id for each in bare.entities}
    stated = [each for each in told.relations if each.predicate != ALSO_CALLED]
    cues = dict.fromkeys((*bare.cues, *told.cues))
    full = replace(
        bare.with_relations(stated),
        entities=(*bare.entities, *(each for each in told.entities if each.id not in known)),
        cues=tuple(cues)[: max(MOST_CUES, len(bare.cues))],
        event=bare.event or event,
        sentiment=told.sentiment if bare.sentiment == Sentiment() else bare.sentiment,
    )
    added = tuple(sorted(_marks(full) - _marks(bare)))
    return replace(full, enrichment=Enrichment(text_digest(of), added))


def without_enrichment(memory: Memory) -> Memory:
    """The memory without what was added; that a model was asked about its text stays known."""
    known = memory.enrichment
    if known is None or not known.added:
        return memory

    def own[T](values: Iterable[T]) -> tuple[T, ...]:
        return tuple(each for each in values if _mark(memory, each) not in known.added)

    return replace(
        memory,
        entities=own(memory.entities),
        relations=own(memory.relations),
        cues=own(memory.cues),
        event=(*own([memory.event]), None)[0],
        sentiment=(*own([memory.sentiment]), Sentiment())[0],
        enrichment=replace(known, added=()),
    )


def added_cues(memory: Memory) -> tuple[str, ...]:
    """The cues that it does not have of itself."""
    added = () if memory.enrichment is None else memory.enrichment.added
    return tuple(cue for cue in memory.cues if _mark(memory, cue) in added) if added else ()


def _marks(memory: Memory) -> set[str]:
    told = (*memory.entities, *memory.relations, *memory.cues, memory.event, memory.sentiment)
    return {_mark(memory, each) for each in told}


def _mark(memory: Memory, value: object) -> str:
    """A digest of one of the things that can be added."""
    if isinstance(value, Relation) and value.subject == memory.id:
        # A merged memory states what its sources stated, as its own.
        value = replace(value, subject="")
    told = type(value).__name__, value.id if isinstance(value, Entity | Event) else value
    return blake2b(repr(told).encode("utf-8", "backslashreplace"), digest_size=4).hexdigest()


FOLLOWS = {each.value: each for each in (Succession.CORRECTS, Succession.UPDATES)}


def doubted_of(memory: Memory, *, by: str) -> AuditEntry:
    """The note that a memory was set aside, and why; the same however often it is made."""
    at, reason = memory.created_at, memory.standing.reason
    return AuditEntry.of(memory, "quarantined", "quarantined", by, at, reason=reason)


def is_quarantined(memory: Memory) -> bool:
    """Whether nobody has decided on it."""
    return memory.standing.status is Status.QUARANTINED


def followed_by(memory: Memory) -> list[tuple[str, Successor]]:
    """The ids of what a memory corrects or continues, and how."""
    return [
        (link.object, Successor(memory.id, FOLLOWS[link.predicate]))
        for link in memory.relations
        if link.subject == memory.id and link.predicate in FOLLOWS
    ]


def vouched_for(memory: Memory) -> Memory:
    """A memory that its person has kept, though it was doubted: it is so."""
    return replace(memory, feedback=replace(memory.feedback, accurate=True))
