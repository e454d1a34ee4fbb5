"""A dry run of learning from the last messages of a chat; nothing is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..capture.reading import EpisodeReading
from ..model.errors import BudgetExhausted, ModelUnavailable, ReplyMalformed
from ..model.lesson import Candidate, Lesson
from ..model.memory import Succession
from ..model.times import zone
from ..records.learnt import succession_of
from .answers import MemoryView, Refusal, Refused
from .context import Context, for_admins
from .views import view

MOST_MESSAGES = 60


class Outcome(StrEnum):
    """What would be done with such an episode."""

    ASKED = "asked"
    NOTHING_NEW = "nothing_new"
    RULES = "rules"


class Unanswered(StrEnum):
    """Why there is no reply."""

    NOT_ASKED = "not_asked"
    NO_MODEL = "no_model"
    UNAVAILABLE = "unavailable"
    MALFORMED = "malformed"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class CoveredTurn:
    """What somebody said, and the memory that tells it already."""

    text: str
    by: MemoryView


@dataclass(frozen=True, slots=True)
class Proposed:
    """What would be kept; with a `doubt` it would be put in quarantine.

    `follows` is the known memory that it takes the place of or continues, and `how`.
    """

    text: str
    gap: str
    doubt: str
    follows: MemoryView | None = None
    how: Succession | None = None


@dataclass(frozen=True, slots=True)
class DryRun:
    """Of so many messages: the prompt in its two parts, what is known, what would be kept.

    `proposed` and `useful` are empty where the model did not answer, `unanswered` says why.
    """

    messages: int
    outcome: Outcome
    covered: Sequence[CoveredTurn]
    instructions: str
    prompt: str
    tokens: int
    unanswered: Unanswered | None
    proposed: Sequence[Proposed] = ()
    useful: Sequence[MemoryView] = ()


@for_admins
async def dry_run(context: Context, messages: int, *, ask: bool) -> DryRun | Refused:
    """Rehearse learning from the last messages of this chat under this persona."""
    found = await context.journal.last_turns(context.caller.session, messages)
    turns = [turn for turn in found if turn.place.scope == context.caller.scope.key and turn.text]
    if not turns:
        return Refused(Refusal.NOTHING_THERE)
    learner = context.engine.jobs.learner
    reading, lesson, why = await learner.rehearsed(turns), None, Unanswered.NOT_ASKED
    if ask:
        lesson, why = await _asked(context, reading)
    prompt = learner.prompt(reading.turns)
    covered = [
        CoveredTurn(turns[number - 1].text, await view(context, reading.known[by]))
        for number, by in sorted(reading.gap.covered.items())
    ]
    tokens = context.engine.parts.count_tokens(prompt.system + prompt.user)
    return DryRun(
        len(turns),
        await _outcome(context, reading),
        covered,
        prompt.system,
        prompt.user,
        tokens,
        None if lesson is not None else why,
        [] if lesson is None else [await _proposed(context, c, reading) for c in lesson.candidates],
        [] if lesson is None else await _useful(context, lesson, reading),
    )


async def _asked(context: Context, reading: EpisodeReading) -> tuple[Lesson | None, Unanswered]:
    learner, where = context.engine.jobs.learner, zone(context.timezone)
    try:
        lesson = await learner.lesson_of(reading, now=context.now, where=where)
    except ModelUnavailable:
        return None, Unanswered.UNAVAILABLE
    except ReplyMalformed:
        return None, Unanswered.MALFORMED
    except BudgetExhausted:
        return None, Unanswered.BUDGET
    return lesson, Unanswered.NO_MODEL


async def _outcome(context: Context, reading: EpisodeReading) -> Outcome:
    try:
        if await context.engine.jobs.learner.model(reading.turns) is None:
            return Outcome.RULES
    except ModelUnavailable:
        pass
    if reading.tells_nothing:
        return Outcome.NOTHING_NEW
    return Outcome.ASKED


async def _proposed(context: Context, candidate: Candidate, reading: EpisodeReading) -> Proposed:
    gap = "" if candidate.gap is None else candidate.gap.value
    follows = succession_of(candidate)
    if follows is None:
        return Proposed(candidate.text, gap, candidate.doubt)
    known = await view(context, reading.known[follows[0]])
    return Proposed(candidate.text, gap, candidate.doubt, known, follows[1])


async def _useful(context: Context, lesson: Lesson, reading: EpisodeReading) -> list[MemoryView]:
    shown = reading.brought_up
    return [await view(context, shown[n]) for n in sorted(lesson.useful or ()) if n in shown]
