"""Rows of livingmemory and memora: one row sums up several rounds of talk. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...model.conversation import Speaker
from ...model.memory import Facet, Kind, Mood
from .chinese_names import FACTS, PLACEHOLDER
from .cleaning import cleaned
from .owners import owner_of
from .rows import ForeignMemory, ForeignRow, Skip, SkippedRow
from .values import count, entries, fields, future, name, number, share, text, texts, time

GLOBAL = "livingmemory:"
"""Begins the scope of a memory that its program keeps for more than one chat."""

_MOODS = {"positive": Mood.POSITIVE, "negative": Mood.NEGATIVE}
_GONE = frozenset({"deleted", "expired", "forgotten"})
_AWAY = frozenset({"archived", "dormant"})
_KINDS = {"planned": Kind.PROSPECTIVE, "episodic": Kind.EPISODIC}


@dataclass(frozen=True, slots=True)
class Document:
    """One row: its text and importance, what its program noted with it, and its facts (atoms)."""

    row: str
    text: str
    noted: Mapping[str, Any]
    importance: object = None
    created_at: object = None
    atoms: Sequence[Mapping[str, object]] = ()
    session: str = ""
    persona: str = ""


def memories_of(document: Document, now: float) -> Iterator[ForeignRow]:
    """A memory for each fact, and one for what happened, if that is told besides."""
    noted = document.noted
    status = text(noted.get("status")) or "active"
    if status in _GONE:
        yield SkippedRow(document.row, Skip.DELETED)
        return
    story, facts = _story(document), _facts(document)
    if noted.get("summary_quality") == "low" or story == PLACEHOLDER:
        yield SkippedRow(document.row, Skip.DOUBTFUL)
        return
    common = replace(_common(document, now), archived=status in _AWAY)
    atoms = [atom for atom in document.atoms if text(atom.get("content"))]
    for place, atom in enumerate(atoms):
        yield _atom(common, f"{document.row}.{place}", atom, now)
    if not atoms:
        for place, fact in enumerate(facts):
            yield replace(common, row=f"{document.row}.{place}", text=fact, facet=Facet.PREFERENCE)
    if story and story not in facts:
        yield replace(common, text=story, kind=Kind.EPISODIC, facet=Facet.EPISODIC)
    elif not atoms and not facts:
        yield SkippedRow(document.row, Skip.EMPTY)


def chat_of(noted: Mapping[str, Any], session: str = "") -> str:
    """The chat that it came from: where its program kept it for all, that chat and no other."""
    kept_for = name(noted.get("session_id")) or session
    source = name(noted.get("source_session_id"))
    if source and (not kept_for or kept_for.startswith(GLOBAL)):
        return source
    return kept_for


def _common(document: Document, now: float) -> ForeignMemory:
    noted = document.noted
    window = fields(noted.get("source_window"))
    source = name(noted.get("source_session_id")) or name(window.get("session_id"))
    chat = chat_of(noted, document.session)
    made = time(noted.get("create_time"), now) or time(document.created_at, now)
    people = _people(noted, chat)
    names = tuple(person.name for person in people.values() if person.name)
    [only] = people.values() if len(people) == 1 else [None]
    importance = noted.get("importance", document.importance)
    return ForeignMemory(
        row=document.row,
        chat=chat,
        text="",
        persona=name(noted.get("persona_id")) or document.persona,
        session=source or chat,
        created_at=time(noted.get("source_time_end"), now) or made,
        happened_at=time(noted.get("source_time_start"), now),
        importance=share(document.importance if importance is None else importance),
        confidence=0.6,
        accessed_at=time(noted.get("last_access_time"), now),
        accesses=1 + count(noted.get("access_count")) + count(noted.get("reinforcement_count")),
        speaker=only,
        people=frozenset(people),
        about=names or texts(noted.get("participants")),
        cues=texts(noted.get("topics")),
        mood=_MOODS.get(text(noted.get("sentiment")), Mood.NEUTRAL),
        intensity=share(noted.get("emotional_intensity"), 0.0),
    )


def _story(document: Document) -> str:
    """What happened, in one text: the persona's words, or what of the row is no fact."""
    told = cleaned(text(document.noted.get("persona_summary")))
    if told:
        return told
    whole = cleaned(text(document.text))
    facts = set(_facts(document))
    parts = [part.strip() for part in FACTS.split(whole)]
    kept = [part for part in parts if part and part not in facts]
    return whole if len(kept) == len(parts) else kept[0] if kept else ""


def _facts(document: Document) -> tuple[str, ...]:
    return tuple(filter(None, map(cleaned, texts(document.noted.get("key_facts")))))


def _atom(common: ForeignMemory, row: str, atom: Mapping[str, object], now: float) -> ForeignRow:
    sort, status = text(atom.get("atom_type")), text(atom.get("status"))
    if status in _GONE:
        return SkippedRow(row, Skip.DELETED)
    if status == "superseded":
        return SkippedRow(row, Skip.REPLACED)
    kind, at = _KINDS.get(sort, Kind.SEMANTIC), future(atom.get("event_time"), now)
    confidence = atom.get("confidence")
    return replace(
        common,
        row=row,
        text=cleaned(text(atom.get("content"))),
        kind=kind,
        facet=Facet.EPISODIC if kind is not Kind.SEMANTIC else Facet.PREFERENCE,
        importance=share(atom.get("importance"), common.importance),
        confidence=share(confidence, common.confidence),
        happened_at=at or common.happened_at,
        due_at=at if kind is Kind.PROSPECTIVE else None,
        archived=common.archived or status in _AWAY,
    )


def _people(noted: Mapping[str, Any], chat: str) -> dict[str, Speaker]:
    """Who took part, but for the bot, by the platform's id."""
    found: dict[str, Speaker] = {}
    for each in map(fields, entries(noted.get("participant_identities"))):
        id = name(each.get("sender_id")) or name(each.get("stable_user_id"))
        if id and not each.get("is_bot"):
            found[id] = Speaker(id, name(each.get("display_name"))[:80])
    snapshots = fields(noted.get("participant_name_snapshots"))
    for each in (*entries(noted.get("participant_ids")), *entries(noted.get("subject_ids"))):
        if id := name(each):
            found.setdefault(id, Speaker(id, name(snapshots.get(id))[:80]))
    scope = owner_of(chat)
    if not found and scope is not None and scope.kind == "private":
        found[scope.subject] = Speaker(scope.subject, "")
    return found


def score(value: object) -> float:
    """A number from 0; 0.0 for anything else."""
    return max(0.0, number(value) or 0.0)
