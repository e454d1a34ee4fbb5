"""A row of another program's file as a memory of ours. Pure; told the time."""

from dataclasses import dataclass
from uuid import UUID, uuid5

from ...forgetting.tmd import initial_strength
from ...languages.telling import tells
from ...model.conversation import Account, Scope, ScopeKind, Speaker
from ...model.intentions import Intention, IntentionType
from ...model.memory import (
    RELIABILITY,
    Access,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Sentiment,
    Source,
    Standing,
    Status,
    UserFeedback,
    Vitality,
    unmarked,
)
from .rows import ForeignMemory, Program

IMPORTED = "imported"
"""The reason of a standing that came with a memory."""

EPISODE = "import"
_LONGEST_SUMMARY = 120
_FACETS = {Kind.SEMANTIC: Facet.PREFERENCE, Kind.PROCEDURAL: Facet.WORKFLOW}


@dataclass(frozen=True, slots=True)
class Making:
    """What every memory of one import has in common."""

    journal: str
    batch: str
    program: Program
    now: float

    def id_of(self, row: ForeignMemory) -> str:
        """Follows from what is said in which chat: from any file of that program the same."""
        said = repr((row.chat, row.persona, row.text))
        if row.kind is Kind.EVIDENCE:
            # A message may be said again, a memory is the same.
            said = repr((row.chat, row.persona, row.text, row.created_at))
        return str(uuid5(UUID(self.journal), f"import:{self.program}:{said}"))

    def memory(self, row: ForeignMemory, scope: Scope) -> Memory:
        """The row as a memory of the scope. What came later than now, came now."""
        said_at = min(row.created_at or row.happened_at or self.now, self.now)
        accessed = min(max(row.accessed_at or said_at, said_at), self.now)
        text = unmarked(row.text)
        strength = initial_strength(row.importance) if row.strength is None else row.strength
        return Memory(
            id=self.id_of(row),
            scope=scope.key,
            kind=row.kind,
            text=text,
            summary="" if row.kind is Kind.EVIDENCE else text[:_LONGEST_SUMMARY],
            created_at=said_at,
            happened_at=said_at if row.happened_at is None else row.happened_at,
            vitality=Vitality(
                strength,
                useful_count=row.useful_count,
                useful_score=row.useful_score,
                last_recalled_at=min(row.last_recalled_at, self.now),
                # It ages from now on: otherwise a year without a bot would take all of it at once.
                last_decay_at=self.now,
                settled_at=self.now,
                # As with what is said here: questions and requests are kept for days.
                sole=row.kind is not Kind.EVIDENCE or tells(text),
            ),
            access=Access(said_at, accessed, max(1, row.accesses)),
            source=Source.IMPORTED,
            extractor=Extractor.IMPORT,
            standing=self._standing(row),
            facet=row.facet or _FACETS.get(row.kind, Facet.EPISODIC),
            importance=row.importance,
            confidence=row.confidence,
            trust=RELIABILITY[Source.IMPORTED],
            speaker=speaker_of(row, scope),
            about=row.about,
            cues=tuple(unmarked(cue) for cue in row.cues),
            sentiment=Sentiment(row.mood, row.intensity),
            feedback=UserFeedback(important=True) if row.important else UserFeedback(),
            origin=Origin(
                row.session, row.conversation, f"{EPISODE}:{self.batch}:{self.program}:{row.row}"
            ),
            intention=_intention(row),
        )

    def _standing(self, row: ForeignMemory) -> Standing:
        if not row.archived:
            return Standing()
        return Standing(Status.ARCHIVED, self.now, IMPORTED)


def speaker_of(row: ForeignMemory, scope: Scope) -> Speaker | None:
    """Who said it: in private the person whose memory it is, in a group who is known to have."""
    if scope.kind is ScopeKind.GROUP:
        return row.speaker
    name = "" if row.speaker is None else row.speaker.name
    return Speaker(scope.subject, name)


def accounts_of(row: ForeignMemory, scope: Scope) -> frozenset[Account]:
    """Everybody who is known to have a part in it, on the scope's platform."""
    people = set(row.people)
    if row.speaker is not None:
        people.add(row.speaker.id)
    if scope.kind is ScopeKind.PRIVATE:
        people.add(scope.subject)
    return frozenset((scope.platform, person) for person in people)


def _intention(row: ForeignMemory) -> Intention | None:
    if row.kind is not Kind.PROSPECTIVE:
        return None
    return Intention(IntentionType.PLAN, due_at=row.due_at)
