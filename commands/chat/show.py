"""The full record of one memory, and what happened to it."""

from collections.abc import Iterator

from ...core.actions.answers import MemoryView
from ...core.actions.details import Details, SourceMessage, details
from ...core.model.memory import Mood
from ...core.text.display_names import LONGEST_NAME
from ...core.text.quoting import quoted
from . import history
from .records import answer, claimed, future, marks, tag_list
from .request import Request

LONGEST_TEXT = 400
LONGEST_MESSAGE = 100
MOST_NAMES = 5
NEWEST_EVENTS = 6


async def show(request: Request) -> str:
    """Everything the caller may want to know of a memory."""
    found = await details(request.context, request.needed)
    memory, kind = found.memory, request.say(f"kind.{found.memory.memory.kind}")
    return answer(
        [
            request.say("show.header", id=memory.id, kind=kind),
            *_text(request, found),
            _said(request, memory),
            *_about(request, memory),
            *_claim(request, memory),
            *_told_elsewhere(request, found),
            _source(request, found),
            *(_message(request, message) for message in found.sources),
            _vitality(request, memory),
            future(request, memory, found.outlook),
            *_decided(request, found),
            *_history(request, found),
        ]
    )


def _text(request: Request, found: Details) -> list[str]:
    """What it says; of a thread line by line, each with the ids of what it rests on."""
    if not found.memory.memory.is_thread:
        return [request.text(found.memory, LONGEST_TEXT)]
    lines = [
        f"  {quoted(line.said, LONGEST_TEXT)} ({', '.join(view.id for view in line.memories)})"
        for line in found.story
    ]
    return [request.say("show.story"), *lines]


def _said(request: Request, view: MemoryView) -> str:
    speaker = view.memory.speaker
    who = request.say("show.nobody")
    if speaker is not None:
        then, now = quoted(speaker.name, LONGEST_NAME), quoted(view.speaker_name, LONGEST_NAME)
        known = f"{now} ({quoted(speaker.id, LONGEST_NAME)})"
        renamed = then not in ("", now)
        who = request.say("show.renamed", who=known, then=then) if renamed else known
    return request.say("show.said", who=who, time=request.time(view.memory.created_at))


def _about(request: Request, view: MemoryView) -> Iterator[str]:
    """Whom it is about, where that is not just who said it; its mood and its tags."""
    memory, mood = view.memory, view.memory.sentiment.mood
    own = memory.speaker is not None and memory.about == (memory.speaker.name,)
    if memory.about and not own:
        names = [quoted(name, LONGEST_NAME) for name in memory.about[:MOST_NAMES]]
        yield request.say("show.about", names=" / ".join(names))
    if mood is not Mood.NEUTRAL:
        yield request.say("show.mood", mood=request.say(f"mood.{mood}"))
    if memory.tags:
        yield request.say("show.tags", tags=tag_list(memory.tags))


def _claim(request: Request, view: MemoryView) -> Iterator[str]:
    """What it says of whom, since when, and until when."""
    claim = view.memory.claim
    if claim is None:
        return
    told = claimed(request, claim, LONGEST_MESSAGE)
    said = request.say("show.claim_denied" if claim.denied else "show.claim", **told)
    match claim.valid_to:
        case None:
            yield said
        case claim.valid_from:
            yield said + request.say("show.claim_never")
        case until:
            yield said + request.say("show.claim_over", until=request.date(until))


def _told_elsewhere(request: Request, found: Details) -> Iterator[str]:
    """All that was claimed of the same, oldest first, and the threads that tell it."""
    if found.chain:
        yield request.say("show.chain")
        yield from (_link(request, each) for each in found.chain)
    if found.threads:
        yield request.say("show.threads", ids=" ".join(view.id for view in found.threads))


def _link(request: Request, view: MemoryView) -> str:
    claim = view.memory.claim
    assert claim is not None
    told = claimed(request, claim, LONGEST_NAME) | {"id": view.id}
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
    turns = len(memory.origin.turns)
    return request.say("show.source" if turns else "show.source_command", turns=turns, **told)


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


def _decided(request: Request, found: Details) -> Iterator[str]:
    """What people have decided on it, and what took its place."""
    memory = found.memory.memory
    reasons: list[str] = []
    if memory.vitality.pinned:
        reasons.append(request.say("show.pinned"))
    if memory.feedback.important:
        reasons.append(request.say("show.important"))
    if reasons:
        yield request.say("show.kept", marks=" · ".join(reasons))
    if memory.feedback.accurate:
        yield request.say("show.confirmed")
    if found.replaced is not None:
        how, newer = request.say(f"succession.{found.replaced.how}"), found.replaced.newer
        if newer is None:
            yield request.say("show.successor_gone", how=how)
        else:
            yield request.say("show.successor", how=how, id=newer.id)


def _history(request: Request, found: Details) -> Iterator[str]:
    """What happened to it last."""
    if found.history:
        yield request.say("show.history")
    for entry in found.history[-NEWEST_EVENTS:]:
        did, by = history.action(request, entry), history.actor(request, entry.by)
        yield f"  {request.time(entry.at)} {did} · {by}"
