"""One memory in words: its record, its history, its conflicts."""

from collections.abc import Iterator, Mapping

from ...core.actions.answers import MemoryView
from ...core.actions.conflicts import OpenConflict, decide, decide_both, list_conflicts
from ...core.actions.details import (
    SHOWN_TO_MODEL,
    Details,
    HistoryEntry,
    SourceMessage,
    details,
    revelations,
)
from ...core.model.conversation import ScopeKind
from ...core.model.memory import Mood
from ...core.text.quoting import LONGEST_NAME, quoted
from .listing import (
    LONGEST_ANSWER,
    PAGE_NUMBER,
    answer,
    attribute,
    because,
    claimed,
    future,
    line,
    listed,
    marks,
    page_number,
    tag_list,
)
from .request import Request

LONGEST_REASON = 200

LONGEST_NOTE = 120
_ROOM = LONGEST_ANSWER - 200
"""Characters for the events, beside the head of the answer."""


def action(request: Request, entry: HistoryEntry) -> str:
    """What was done."""
    return request.named(f"action.{entry.action}", quoted(entry.action, 40))


def actor(request: Request, by: str, longest: int = 60) -> str:
    """Who did it."""
    return request.named(f"actor.{by}", quoted(by, longest))


def event(request: Request, entry: HistoryEntry) -> str:
    """One line: when, what, by whom, with which numbers or why."""
    told = [f"{request.time(entry.at)} {action(request, entry)}", actor(request, entry.by)]
    return " · ".join([*told, *_particulars(request, entry)])


def revealed(request: Request, entry: HistoryEntry) -> str:
    """One line: when private memories were shown to somebody else, how many, to whom and why."""
    count = entry.numbers.get("count")
    told = [f"{request.time(entry.at)} {action(request, entry)}", actor(request, entry.by)]
    counted = [request.say("reveal.count", count=count)] if count else []
    return " · ".join([*told, *counted, *_reason(request, entry)])


def _particulars(request: Request, entry: HistoryEntry) -> list[str]:
    match entry.action:
        case "created":
            made = _numbers(entry, "importance", "strength")
            return [request.say("audit.made", **made)] if made else []
        case "useful" | "useless":
            left = _numbers(entry, "strength", "useful_score")
            told = [request.say("audit.judged", **left)] if left else []
            return [*told, request.say("audit.spent")] if entry.spent else told
        case "binned" | "archived":
            aged = _numbers(entry, "age_days", "useful_score")
            told = [request.say("audit.aged", **aged)] if aged else []
            return [*_reason(request, entry), *told]
        case "restored":
            back = _numbers(entry, "strength")
            return [request.say("audit.strength", **back)] if back else []
        case _ if entry.newer:
            return [request.say("audit.newer", id=entry.newer)]
        case _:
            return _reason(request, entry)


def _reason(request: Request, entry: HistoryEntry) -> list[str]:
    moved = entry.removal and because(request, entry.removal)
    reason = moved or quoted(entry.reason, LONGEST_REASON)
    return [request.say("audit.because", reason=reason)] if reason else []


def _numbers(entry: HistoryEntry, *names: str) -> Mapping[str, str]:
    """These numbers as they are shown; empty if one of them is not recorded."""
    if not all(name in entry.numbers for name in names):
        return {}
    told = {name: f"{round(float(entry.numbers[name]), 1):g}" for name in names}
    return told | {n: f"{entry.numbers[n]:.0%}" for n in names if n == "importance"}


async def audit(request: Request) -> str:
    """Created, shown to the model, judged, changed, moved: when, by whom, why."""
    if not request.argument and request.caller.scope.kind is ScopeKind.PRIVATE:
        return await _revelations(request)
    found = await details(request.context, request.needed)
    view = found.memory
    head = request.say("audit.header", id=view.id, text=request.text(view, LONGEST_NOTE))
    return _newest(request, head, [_line(request, view, event) for event in found.history])


async def _revelations(request: Request) -> str:
    """To whom the caller's private memories were shown, when and why; the newest last."""
    entries = await revelations(request.context)
    if not entries:
        return request.say("reveal.never")
    head = request.say("reveal.header", total=len(entries))
    return _newest(request, head, [revealed(request, entry) for entry in entries])


def _line(request: Request, view: MemoryView, happened: HistoryEntry) -> str:
    time = request.time(happened.at)
    if happened.action == SHOWN_TO_MODEL:
        return f"{time} {request.say('audit.shown', number=f'{happened.numbers["number"]:g}')}"
    if happened.by:
        return event(request, happened)
    made = request.say(f"extractor.{view.memory.extractor}")
    return f"{time} {action(request, happened)} · {made}"


def _newest(request: Request, head: str, lines: list[str]) -> str:
    """The last lines that there is room for, and how many are left out."""
    room, shown = _ROOM, 0
    for each in reversed(lines):
        room -= len(each) + 1
        if room < 0:
            break
        shown += 1
    left_out = len(lines) - shown
    earlier = [request.say("audit.earlier", count=left_out)] if left_out else []
    return answer([head, *earlier, *lines[left_out:]])


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
            future(request, memory),
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
    done = [entry for entry in found.history if entry.by]
    if done:
        yield request.say("show.history")
    for entry in done[-NEWEST_EVENTS:]:
        did, by = action(request, entry), actor(request, entry.by)
        yield f"  {request.time(entry.at)} {did} · {by}"


BOTH = ("both", "都对", "两者")
OFF = ("off", "撤销")


async def conflicts(request: Request) -> str:
    """Open conflicts of this chat; with an id, that this memory holds; with `both`, that all do."""
    match request.argument.split():
        case [word, id, *off] if word.lower() in BOTH and {*map(str.lower, off)} <= {*OFF}:
            views = await decide_both(request.context, id, on=not off)
            head = request.say("conflicts.apart" if off else "conflicts.both", id=views[0].id)
            return answer([head, *(line(request, view) for view in views)])
    if request.argument and not PAGE_NUMBER.fullmatch(request.argument):
        held, *others = await decide(request.context, request.argument)
        return request.say("conflicts.decided", text=request.text(held), withdrawn=len(others))
    page = (await list_conflicts(request.context, page_number(request.argument))).page
    lines = (each for conflict in page.entries for each in _told(request, conflict))
    return answer(listed(request, "conflicts", page, lines, request.say("conflicts.footer")))


def _told(request: Request, conflict: OpenConflict) -> list[str]:
    named = conflict.attribute
    told = attribute(request, named) if named else request.say("conflicts.denied")
    lines = [
        request.say("conflicts.claim", line=line(request, view), trust=f"{trust:.0%}")
        for view, trust in zip(conflict.claims, conflict.trust, strict=True)
    ]
    return [f"{told}:", *lines]
