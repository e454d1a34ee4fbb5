"""What the chat model is told when it uses memory as a tool. Knows the engine, not the host."""

from dataclasses import dataclass
from typing import assert_never

from ..engine.engine import MemoryEngine, RecallRequest
from ..model.consent import Pause
from ..model.conversation import Place, Scope, ScopeKind, Speaker
from ..model.memory import Extractor, Source
from ..recall.history import turns_before
from ..recall.trace import Recalled
from ..records.disclosure import owners_among
from ..records.manual import LONGEST_TEXT, Author, TextProblem
from ..records.own_words import own_words
from ..records.short_ids import short_id

IMPORTANCE = 0.8
LONGEST_QUERY = 2_000

NO_QUERY = "Say what to look for."
NOTHING_FOUND = "Nothing is remembered about that."
TOO_LATE = "Memory did not answer in time. Go on without it."
NOT_AVAILABLE = "Memory is not available now. Go on without it."
SWITCHED_OFF = "Memory is switched off here. Go on without it."
NOBODY_SPEAKS = "Nothing was stored: nobody is speaking in a scheduled task."
EMPTY = "Nothing was stored: the text says nothing."
TOO_LONG = f"Nothing was stored: one fact of at most {LONGEST_TEXT} characters, please."
STORED = "Remembered as {id}."
KNOWN = "That is remembered already, as {id}."
ERASED = "Nothing was stored: this person has just had everything deleted."
PRIVATE = (
    "Nothing was stored: private memories have been used in this group, so only people's own words"
    " are kept here, and those are without you. Go on."
)
PAUSED = {
    Pause.PERSON: "This person has paused memory: nothing is recorded or recalled for them.",
    Pause.GROUP: "Memory is paused in this group: nothing is recorded or recalled here.",
}


@dataclass(frozen=True, slots=True)
class ToolContext:
    """For whom the model uses a tool: the speaker whose message it is answering, and where.

    `turn` is that message's seq, None if it is not on record; `earlier` is what the model has
    been shown for it already. Nobody speaks in a task that was `scheduled`.
    """

    scope: Scope
    place: Place
    speaker: Speaker
    turn: int | None = None
    earlier: Recalled | None = None
    scheduled: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model is told, and everything it has now been shown in this turn."""

    text: str
    shown: Recalled | None = None


async def recall_memory(query: str, tool_context: ToolContext, engine: MemoryEngine) -> Answer:
    """A block of memories about the query, numbered on from the one in the prompt.

    What stands in the prompt is not left out: the model asks because it wants more of it. The
    recall is recorded with the turn, so that it is explained and judged like any other.
    """
    settings = engine.parts.settings
    if not (settings.tools.recall and settings.recall.enabled):
        return Answer(SWITCHED_OFF, tool_context.earlier)
    paused = await engine.consents.pause(tool_context.scope, tool_context.speaker.id)
    if paused is not None:
        return Answer(PAUSED[paused], tool_context.earlier)
    text = _storable(query[:LONGEST_QUERY])
    if not text:
        return Answer(NO_QUERY, tool_context.earlier)
    asker, earlier = (
        None if tool_context.scheduled else tool_context.speaker.id,
        tool_context.earlier,
    )
    ask = RecallRequest(
        tool_context.scope,
        text,
        tool_context.turn,
        asker=asker,
        earlier=earlier,
        alone=True,
        place=tool_context.place,
    )
    found = await engine.recall(ask)
    if found is None:
        return Answer(TOO_LATE, earlier)
    shown = found if earlier is None else earlier.followed_by(found)
    return Answer(found.block or NOTHING_FOUND, shown)


async def remember(text: str, tool_context: ToolContext, engine: MemoryEngine) -> str:
    """Store one fact of the model's as inferred from what the speaker said; what came of it.

    Where the model may know it from somebody's private memories, and others read, the speaker's
    own words are stored in its place, or nothing.
    """
    settings = engine.parts.settings
    if tool_context.scheduled:
        return NOBODY_SPEAKS
    if not (settings.tools.remember and settings.capture.enabled):
        return SWITCHED_OFF
    paused = await engine.consents.pause(tool_context.scope, tool_context.speaker.id)
    if paused is not None:
        return PAUSED[paused]
    asked = (
        None if tool_context.turn is None else await engine.parts.journal.turn(tool_context.turn)
    )
    if tool_context.turn is not None and asked is None:
        return ERASED
    source = Source.INFERRED
    if tool_context.scope.kind is not ScopeKind.PRIVATE and await _may_repeat(tool_context, engine):
        earlier = await turns_before(tool_context.turn, engine.parts.journal)
        said = earlier if asked is None else (*earlier, asked.text)
        own = own_words(text, said, tool_context.speaker.name, longest=LONGEST_TEXT)
        if own is None:
            return PRIVATE
        text, source = own, Source.USER
    author = Author(
        speaker=tool_context.speaker,
        place=tool_context.place,
        source=source,
        extractor=Extractor.TOOL,
        signature="remember",
    )
    kept = await engine.curation.remember(text, author, importance=IMPORTANCE)
    if isinstance(kept, TextProblem):
        return _not_kept(kept)
    short = await short_id(engine.parts.store, kept.memory.id, frozenset({kept.memory.scope}))
    return (STORED if kept.new else KNOWN).format(id=short)


async def _may_repeat(tool_context: ToolContext, engine: MemoryEngine) -> bool:
    """Whether what the model says here may come from a private memory."""
    shown = () if tool_context.earlier is None else tool_context.earlier.memories
    if owners_among(shown, tool_context.scope):
        return True
    return await engine.parts.journal.disclosed(tool_context.place)


def _not_kept(problem: TextProblem) -> str:
    match problem:
        case TextProblem.TOO_LONG:
            return TOO_LONG
        case TextProblem.EMPTY | TextProblem.UNCHANGED:
            return EMPTY
        case _:
            assert_never(problem)


def _storable(text: str) -> str:
    """Without what no database takes: NUL, and surrogates that a model's JSON may hold."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8").strip()
