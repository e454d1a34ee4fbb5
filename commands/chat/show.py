"""The full record of one memory, and what happened to it."""

from ...core.conflict.trust import trust_of
from ...core.model.memory import Memory, Status
from ...core.ports import AuditEntry
from ...core.text.display_names import LONGEST_NAME
from ...core.text.quoting import quoted
from . import history, veil
from .records import answer, find_whole, id_here, mark, name_now, reason
from .request import Request

LONGEST_TEXT = 400
MOST_NAMES = 5
NEWEST_EVENTS = 6


async def show(request: Request) -> str:
    """Everything the caller may want to know of a memory."""
    asked = veil.plea(request)
    memory = await _meant(request, asked)
    if isinstance(memory, str):
        return memory
    entries = await request.engine.parts.journal.audit_of(memory.id)
    return answer(
        [
            await _header(request, memory),
            quoted(memory.text, LONGEST_TEXT),
            await _said(request, memory),
            *_about(request, memory),
            _source(request, memory),
            _vitality(request, memory),
            future(request, memory),
            *_kept_by(request, memory),
            *await _successor(request, memory),
            *await _history(request, entries),
        ]
    )


async def _meant(request: Request, asked: veil.Plea) -> Memory | str:
    """The memory as the caller may see it, else why there is nothing to see."""
    memory = await find_whole(request, asked.argument)
    if isinstance(memory, str):
        return memory
    if asked.reason is None or not await veil.foreign(request, [memory.scope]):
        return (await veil.veiled(request, [memory]))[0]
    justification = veil.granted(request, asked)
    if isinstance(justification, str):
        return justification
    await request.engine.revelations.note_shown([memory], justification)
    return memory


async def _header(request: Request, memory: Memory) -> str:
    short = await id_here(request, memory)
    return request.say("show.header", id=short, kind=request.say(f"kind.{memory.kind}"))


async def _said(request: Request, memory: Memory) -> str:
    speaker = memory.speaker
    who = request.say("show.nobody")
    if speaker is not None:
        then, now = quoted(speaker.name, LONGEST_NAME), await name_now(request, memory)
        known = f"{now} ({quoted(speaker.id, LONGEST_NAME)})"
        renamed = then not in ("", now)
        who = request.say("show.renamed", who=known, then=then) if renamed else known
    return request.say("show.said", who=who, time=request.time(memory.created_at))


def _about(request: Request, memory: Memory) -> list[str]:
    """Whom it is about, where that is not just who said it."""
    own = memory.speaker is not None and memory.about == (memory.speaker.name,)
    if own or not memory.about:
        return []
    names = [quoted(name, LONGEST_NAME) for name in memory.about[:MOST_NAMES]]
    return [request.say("show.about", names=" / ".join(names))]


def _source(request: Request, memory: Memory) -> str:
    told = {
        "source": request.say(f"source.{memory.source}"),
        "extractor": request.say(f"extractor.{memory.extractor}"),
        "trust": f"{trust_of(memory, request.engine.parts.clock.now()):.0%}",
        "confidence": f"{memory.confidence:.0%}",
    }
    if not memory.origin.turns:
        return request.say("show.source_command", **told)
    return request.say("show.source", turns=len(memory.origin.turns), **told)


def _vitality(request: Request, memory: Memory) -> str:
    return request.say(
        "show.vitality",
        mark=mark(request, memory),
        importance=f"{memory.importance:.0%}",
        useful=memory.vitality.useful_count,
        recalled=memory.access.count - 1,
    )


def future(request: Request, memory: Memory) -> str:
    """What becomes of it if nothing happens to it."""
    standing = memory.standing
    if standing.status is Status.BINNED:
        purge = request.date(standing.purge_at or standing.since)
        since = request.date(standing.since)
        return request.say("show.binned", since=since, reason=reason(request, memory), purge=purge)
    if standing.status is Status.ARCHIVED:
        return request.say("show.archived", since=request.date(standing.since))
    at = request.engine.sweeper.policies.of(memory.scope).forgotten_at(memory)
    if at is None:
        return request.say("show.lasting")
    if at <= request.engine.parts.clock.now():
        return request.say("show.spent")
    return request.say("show.fading", date=request.date(at))


def _kept_by(request: Request, memory: Memory) -> list[str]:
    marks = [
        request.say("show.pinned") if memory.vitality.pinned else "",
        request.say("show.important") if memory.feedback.important else "",
    ]
    given = [mark for mark in marks if mark]
    return [request.say("show.kept", marks=" · ".join(given))] if given else []


async def _successor(request: Request, memory: Memory) -> list[str]:
    successor = memory.successor
    if successor is None:
        return []
    how, store = request.say(f"succession.{successor.how}"), request.engine.parts.store
    newer = await store.find([successor.memory], frozenset({memory.scope}))
    if not newer:
        return [request.say("show.successor_gone", how=how)]
    return [request.say("show.successor", how=how, id=await id_here(request, newer[0]))]


async def _history(request: Request, entries: list[AuditEntry]) -> list[str]:
    if not entries:
        return []
    lines = [request.say("show.history")]
    for entry in entries[-NEWEST_EVENTS:]:
        done, by = history.action(request, entry), await history.actor(request, entry)
        lines.append(f"  {request.time(entry.at)} {done} · {by}")
    return lines
