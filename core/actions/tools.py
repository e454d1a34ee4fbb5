"""The chat model's tools: looking memories up, storing one, forgetting some. Knows no host."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..engine.engine import MemoryEngine
from ..engine.recalls import RecallRequest
from ..engine.wishes import is_of
from ..languages.markers import is_question
from ..languages.terms import content_terms
from ..model.consent import Pause, Utterance
from ..model.conversation import Place, Scope, Speaker
from ..model.memory import Extractor, Source
from ..recall.question import turns_before
from ..recall.trace import Recalled
from ..records.disclosure import owners_among
from ..records.manual import LONGEST_TEXT, Author, TextProblem
from ..records.serialisation import short_id
from ..text.quoting import SENTENCE_END, sound

IMPORTANCE = 0.8
LONGEST_QUERY = 2_000
LONGEST_SHOWN = 80
"""Characters of a memory that the model is told of when it is moved to the bin."""

LEAST_SHARE = 0.5
"""Of the content terms of a text, how many a sentence must hold to be what the text is about."""


class ToolRefusal(StrEnum):
    """Why a tool has looked nothing up, or stored nothing, as the model is told."""

    NO_QUERY = "Say what to look for."
    NOT_ASKED = "Nothing was forgotten: this message does not name it. Ask what is meant."
    TOO_LATE = "Memory did not answer in time. Go on without it."
    NOT_AVAILABLE = "Memory is not available now. Go on without it."
    SWITCHED_OFF = "Memory is switched off here. Go on without it."
    PERSON_PAUSED = "This person has paused memory: nothing is recalled for them."
    GROUP_PAUSED = "Memory is paused in this group: nothing is recalled here."
    NOT_RECORDED = "Nothing was stored: nothing said here is kept. Go on without it."
    NOBODY_SPEAKS = "Nothing was stored: nobody is speaking in a scheduled task."
    EMPTY = "Nothing was stored: the text says nothing."
    TOO_LONG = f"Nothing was stored: one fact of at most {LONGEST_TEXT} characters, please."
    ERASED = "Nothing was stored: this person has just had everything deleted."
    PRIVATE = (
        "Nothing was stored: private memories of another chat have been used here, so only people's"
        " own words are kept here, and those are without you. Go on."
    )


_PAUSED = {Pause.PERSON: ToolRefusal.PERSON_PAUSED, Pause.GROUP: ToolRefusal.GROUP_PAUSED}


@dataclass(frozen=True, slots=True)
class ToolContext:
    """For whom the model uses a tool: the speaker whose message it is answering, and where.

    `turn` is that message's seq, None if it is not on record; `earlier` is what the model has
    been shown for it already. Nobody speaks in a task that was `scheduled`. `persona` answers, ""
    if unknown; `addressed` unless it was not said to the bot.
    """

    scope: Scope
    place: Place
    speaker: Speaker
    turn: int | None = None
    earlier: Recalled | None = None
    scheduled: bool = False
    persona: str = ""
    addressed: bool = True

    @property
    def utterance(self) -> Utterance:
        """What decides whether anything of the message may be kept."""
        return Utterance(self.scope, self.speaker.id, self.persona, self.addressed)


@dataclass(frozen=True, slots=True)
class LookedUp:
    """The block that was found, "" for none, and everything now shown to the model in this turn."""

    block: str
    shown: Recalled


@dataclass(frozen=True, slots=True)
class MovedToBin:
    """What lies in the bin now, by the beginnings of the texts; none if nothing was found."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredFact:
    """The memory that says it, by the short id, and whether it is new."""

    id: str
    new: bool


NOTHING_FOUND = "Nothing is remembered about that."
STORED = "Remembered as {id}."
KNOWN = "That is remembered already, as {id}."
MOVED = "Forgotten, until an admin brings it back: {texts}. The user has been told so."

type Answer = LookedUp | StoredFact | MovedToBin | ToolRefusal


def told(answer: Answer) -> str:
    """What the model reads: the block, or one sentence."""
    match answer:
        case LookedUp(block):
            return block or NOTHING_FOUND
        case StoredFact(id, new):
            return (STORED if new else KNOWN).format(id=id)
        case MovedToBin(texts):
            return MOVED.format(texts="; ".join(texts)) if texts else NOTHING_FOUND
        case ToolRefusal():
            return answer.value


async def recall_memory(
    query: str, tool_context: ToolContext, engine: MemoryEngine
) -> LookedUp | ToolRefusal:
    """A block of memories about the query, numbered on from the one in the prompt.

    What stands in the prompt is not left out: the model asks because it wants more of it. The
    recall is recorded with the turn, so that it is explained and judged like any other.
    """
    if not engine.settings.recall.enabled:
        return ToolRefusal.SWITCHED_OFF
    speaker = tool_context.speaker.id
    paused = await engine.consents.pause(tool_context.scope, speaker, recall=True)
    if paused is not None:
        return _PAUSED[paused]
    text = sound(query[:LONGEST_QUERY]).replace("\0", "").strip()
    if not text:
        return ToolRefusal.NO_QUERY
    earlier = tool_context.earlier
    request = RecallRequest(
        tool_context.scope,
        text,
        tool_context.turn,
        asker=None if tool_context.scheduled else tool_context.speaker.id,
        earlier=earlier,
        alone=True,
        place=tool_context.place,
    )
    found = await engine.recalls.recall(request)
    if found is None:
        return ToolRefusal.TOO_LATE
    return LookedUp(found.block, found if earlier is None else earlier.followed_by(found))


async def remember(
    text: str, tool_context: ToolContext, engine: MemoryEngine
) -> StoredFact | ToolRefusal:
    """Store one fact of the model's as inferred from what the speaker said; what came of it.

    Where the model may know it from private memories of another chat, the speaker's own words are
    stored in its place, or nothing.
    """
    refused = await _remember_refused(tool_context, engine)
    if refused is not None:
        return refused
    turn = tool_context.turn
    asked = None if turn is None else await engine.journal.turn(turn)
    if turn is not None and asked is None:
        return ToolRefusal.ERASED
    source = Source.INFERRED
    if await _may_repeat(tool_context, engine):
        earlier = await turns_before(turn, engine.journal)
        said = earlier if asked is None else (*earlier, asked.text)
        own = own_words(text, said, tool_context.speaker.name, longest=LONGEST_TEXT)
        if own is None:
            return ToolRefusal.PRIVATE
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
        return ToolRefusal.TOO_LONG if kept is TextProblem.TOO_LONG else ToolRefusal.EMPTY
    short = await short_id(engine.store, kept.memory.id, frozenset({kept.memory.scope}))
    return StoredFact(short, kept.new)


async def forget_memory(
    about: str, tool_context: ToolContext, engine: MemoryEngine
) -> MovedToBin | ToolRefusal:
    """Move the speaker's memories of something to the bin, as their message of this turn asks.

    Only what the message names itself, in its own words or as a memory that was shown for it, and
    only what is the speaker's own: what else the model has read cannot ask for it.
    """
    if tool_context.scheduled:
        return ToolRefusal.NOBODY_SPEAKS
    seq = tool_context.turn
    asked = None if seq is None else await engine.journal.turn(seq)
    wanted = content_terms(sound(about[:LONGEST_QUERY]).replace("\0", ""))
    if asked is None or not wanted:
        return ToolRefusal.NOT_ASKED
    said = wanted & content_terms(asked.text)
    names = about[:LONGEST_QUERY] if said == wanted else ""
    found = await engine.wishes.about(said, asked, names) if said else []
    shown = () if tool_context.earlier is None else tool_context.earlier.memories
    meant = [each for each in shown if is_of(each, asked) and wanted <= content_terms(each.text)]
    if not said and not meant:
        return ToolRefusal.NOT_ASKED
    chosen = {memory.id: memory for memory in [*meant, *found]}
    moved = await engine.wishes.forget([*chosen.values()], asked)
    return MovedToBin(tuple(memory.text[:LONGEST_SHOWN] for memory in moved))


async def _remember_refused(tool_context: ToolContext, engine: MemoryEngine) -> ToolRefusal | None:
    if tool_context.scheduled:
        return ToolRefusal.NOBODY_SPEAKS
    if not engine.settings.capture.enabled:
        return ToolRefusal.SWITCHED_OFF
    paused = await engine.consents.pause(tool_context.scope, tool_context.speaker.id)
    if paused is not None:
        return _PAUSED[paused]
    refusal = await engine.admission.refusal(tool_context.utterance)
    return None if refusal is None else ToolRefusal.NOT_RECORDED


async def _may_repeat(tool_context: ToolContext, engine: MemoryEngine) -> bool:
    """Whether what the model says here may come from a private memory of another chat."""
    shown = () if tool_context.earlier is None else tool_context.earlier.memories
    if owners_among(shown, tool_context.scope):
        return True
    return await engine.journal.disclosed(tool_context.place)


def own_words(text: str, said: Sequence[str], name: str, *, longest: int) -> str | None:
    """The sentence among what was `said`, newest last, that the text is about; None without one.

    The speaker's own `name` need not stand in it. A question tells nothing.
    """
    wanted = content_terms(text) - content_terms(name)
    best, most = None, 0
    parts = (part.strip() for text in reversed(said) for part in SENTENCE_END.split(text))
    for sentence in (part for part in parts if not is_question(part)):
        held = len(wanted & content_terms(sentence))
        if most < held >= LEAST_SHARE * len(wanted) and len(sentence) <= longest:
            best, most = sentence, held
    return best
