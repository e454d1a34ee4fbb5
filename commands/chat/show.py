"""The full record of one memory, and what happened to it."""

from collections.abc import Sequence

from ...core.actions.answers import MemoryView
from ...core.actions.details import Details, details
from ...core.actions.history import HistoryEntry
from ...core.actions.sources import SourceMessage
from ...core.model.memory import Mood
from ...core.text.display_names import LONGEST_NAME
from ...core.text.quoting import quoted
from . import history
from .attributes import attribute, since
from .records import answer, future, marks, tag_list
from .request import Request

LONGEST_TEXT = 400
LONGEST_MESSAGE = 100
MOST_NAMES = 5
NEWEST_EVENTS = 6


async def show(request: Request) -> str:
    """Everything the caller may want to know of a memory."""
    if not request.argument:
        return request.wrong_arguments()
    found = await details(request.context, request.argument)
    memory = found.memory
    return answer(
        [
            _header(request, memory),
            *_text(request, found),
            _said(request, memory),
            *_about(request, memory),
            *_mood(request, memory),
            *_tags(request, memory),
            *_claim(request, memory),
            *_chain(request, found),
            *_threads(request, found),
            _source(request, found),
            *(_message(request, message) for message in found.sources),
            _vitality(request, memory),
            future(request, memory, found.outlook),
            *_kept_for_good(request, memory),
            *_confirmed(request, memory),
            *_replaced(request, found),
            *_history(request, found),
        ]
    )


def _header(request: Request, view: MemoryView) -> str:
    return request.say("show.header", id=view.id, kind=request.say(f"kind.{view.memory.kind}"))


def _text(request: Request, found: Details) -> list[str]:
    """What it says; of a thread line by line, each with the ids of what it rests on."""
    if not found.memory.memory.is_thread:
        return [request.text(found.memory, LONGEST_TEXT)]
    lines = [
        f"  {quoted(line.said, LONGEST_TEXT)} ({', '.join(view.id for view in line.memories)})"
        for line in found.story
    ]
    return [request.say("show.story"), *lines]


def _threads(request: Request, found: Details) -> list[str]:
    """The threads that tell it."""
    ids = " ".join(view.id for view in found.threads)
    return [request.say("show.threads", ids=ids)] if ids else []


def _said(request: Request, view: MemoryView) -> str:
    speaker = view.memory.speaker
    who = request.say("show.nobody")
    if speaker is not None:
        then, now = quoted(speaker.name, LONGEST_NAME), quoted(view.speaker_name, LONGEST_NAME)
        known = f"{now} ({quoted(speaker.id, LONGEST_NAME)})"
        renamed = then not in ("", now)
        who = request.say("show.renamed", who=known, then=then) if renamed else known
    return request.say("show.said", who=who, time=request.time(view.memory.created_at))


def _about(request: Request, view: MemoryView) -> list[str]:
    """Whom it is about, where that is not just who said it."""
    memory = view.memory
    own = memory.speaker is not None and memory.about == (memory.speaker.name,)
    if own or not memory.about:
        return []
    names = [quoted(name, LONGEST_NAME) for name in memory.about[:MOST_NAMES]]
    return [request.say("show.about", names=" / ".join(names))]


def _mood(request: Request, view: MemoryView) -> list[str]:
    mood = view.memory.sentiment.mood
    if mood is Mood.NEUTRAL:
        return []
    return [request.say("show.mood", mood=request.say(f"mood.{mood}"))]


def _tags(request: Request, view: MemoryView) -> list[str]:
    tags = view.memory.tags
    return [request.say("show.tags", tags=tag_list(tags))] if tags else []


def _claim(request: Request, view: MemoryView) -> list[str]:
    """What it says of whom, since when, and until when."""
    claim = view.memory.claim
    if claim is None:
        return []
    told = {
        "attribute": attribute(request, claim.attribute),
        "value": quoted(claim.value, LONGEST_MESSAGE) or request.say("show.claim_none"),
        "since": since(request, claim),
    }
    if claim.denied:
        said = request.say("show.claim_denied", **told)
    else:
        said = request.say("show.claim", **told)
    if claim.valid_to is None:
        return [said]
    if claim.valid_to == claim.valid_from:
        return [said + request.say("show.claim_never")]
    return [said + request.say("show.claim_over", until=request.date(claim.valid_to))]


def _chain(request: Request, found: Details) -> list[str]:
    """All that was claimed of the same, oldest first."""
    if not found.chain:
        return []
    return [request.say("show.chain"), *(_link(request, each) for each in found.chain)]


def _link(request: Request, view: MemoryView) -> str:
    claim = view.memory.claim
    assert claim is not None
    told = {
        "since": since(request, claim),
        "value": quoted(claim.value, LONGEST_NAME) or request.say("show.claim_none"),
        "id": view.id,
    }
    if claim.denied:
        return request.say("show.chain_denied", **told)
    if claim.valid_to is None:
        return request.say("show.chain_now", **told)
    if claim.valid_to == claim.valid_from:
        return request.say("show.chain_never", **told)
    return request.say("show.chain_over", until=request.date(claim.valid_to), **told)


def _source(request: Request, found: Details) -> str:
    memory = found.memory.memory
    told = {
        "source": request.say(f"source.{memory.source}"),
        "extractor": request.say(f"extractor.{memory.extractor}"),
        "trust": f"{found.trust:.0%}",
        "confidence": f"{memory.confidence:.0%}",
    }
    if not memory.origin.turns:
        return request.say("show.source_command", **told)
    return request.say("show.source", turns=len(memory.origin.turns), **told)


def _message(request: Request, message: SourceMessage) -> str:
    time, text = request.time(message.at), quoted(message.text, LONGEST_MESSAGE)
    if message.by_bot:
        return request.say("show.message_bot", time=time, text=text)
    if not message.speaker:
        return request.say("show.message", time=time, text=text)
    who = quoted(message.speaker, LONGEST_NAME)
    return request.say("show.message_of", time=time, who=who, text=text)


def _vitality(request: Request, view: MemoryView) -> str:
    return request.say(
        "show.vitality",
        mark=marks(request, view),
        importance=f"{view.memory.importance:.0%}",
        useful=view.memory.vitality.useful_count,
        recalled=view.memory.access.count - 1,
    )


def _kept_for_good(request: Request, view: MemoryView) -> list[str]:
    reasons = [
        request.say("show.pinned") if view.memory.vitality.pinned else "",
        request.say("show.important") if view.memory.feedback.important else "",
    ]
    given = [reason for reason in reasons if reason]
    return [request.say("show.kept", marks=" · ".join(given))] if given else []


def _confirmed(request: Request, view: MemoryView) -> list[str]:
    return [request.say("show.confirmed")] if view.memory.feedback.accurate else []


def _replaced(request: Request, found: Details) -> list[str]:
    if found.replaced is None:
        return []
    how, newer = request.say(f"succession.{found.replaced.how}"), found.replaced.newer
    if newer is None:
        return [request.say("show.successor_gone", how=how)]
    return [request.say("show.successor", how=how, id=newer.id)]


def _history(request: Request, found: Details) -> list[str]:
    if not found.history:
        return []
    return [request.say("show.history"), *_events(request, found.history[-NEWEST_EVENTS:])]


def _events(request: Request, entries: Sequence[HistoryEntry]) -> list[str]:
    return [
        f"  {request.time(entry.at)} {history.action(request, entry)}"
        f" · {history.actor(request, entry.by)}"
        for entry in entries
    ]
