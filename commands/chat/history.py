"""What happened to a memory, in words: what was done, by whom, and with which numbers."""

import json
import re
from collections.abc import Mapping
from typing import Any

from ...core.forgetting.lifecycle import RETENTION
from ...core.model.conversation import Scope, ScopeKind
from ...core.model.memory import Extractor, Memory, Status, Succession
from ...core.ports import ERASED, AuditEntry, Showing
from ...core.privacy.revelations import Act
from ...core.text.quoting import quoted
from .records import because, id_here
from .request import Request

MARKS = ("important", "unimportant", "pinned", "unpinned")
VERDICTS = ("useful", "useless")
MOVES = ("created", "imported", "binned", "archived", "restored", "purged")
ACTIONS = frozenset((*MOVES, *VERDICTS, *MARKS, *Succession, *Act))
"""What the audit log tells of; anything else is shown as it is written there."""

ACTORS = frozenset(
    (
        "tmd",
        "bin",
        RETENTION,
        "learning",
        "remember",
        Extractor.RULES.value,
        Extractor.MODEL.value,
        ERASED,
    )
)
"""Who acts besides people."""

_SIGNATURE = re.compile(r".* ?\((?P<user>[^()]*)\)", re.DOTALL)


def action(request: Request, entry: AuditEntry) -> str:
    """What was done."""
    known = entry.action in ACTIONS
    return request.say(f"action.{entry.action}") if known else quoted(entry.action, 40)


async def actor(request: Request, entry: AuditEntry) -> str:
    """Who did it: a part of the plugin, or a person's id, with the name of the memory's chat.

    A signature holds the name that was used where the command was given, which may be a card of
    another group. Who was shown private memories, their owner is told in full.
    """
    person = _SIGNATURE.fullmatch(entry.by)
    if entry.by in ACTORS or entry.action in frozenset(Act) or person is None or not entry.scope:
        return signed(request, entry.by)
    scope, user = Scope.parse(entry.scope), person["user"]
    if scope.kind is ScopeKind.PRIVATE and scope.subject == user:
        return signed(request, entry.by)
    names = await request.engine.people.names([scope.owner])
    name = names.get((scope.platform, user))
    return quoted(f"{name} ({user})" if name else user, 60)


def signed(request: Request, by: str, longest: int = 60) -> str:
    """A signature in words."""
    return request.say(f"actor.{by}") if by in ACTORS else quoted(by, longest)


async def event(request: Request, entry: AuditEntry, scopes: frozenset[str]) -> str:
    """One line: when, what, by whom, with which numbers or why."""
    told = [
        f"{request.time(entry.at)} {action(request, entry)}",
        await actor(request, entry),
        *await _particulars(request, entry, _detail(entry), scopes),
    ]
    return " · ".join(told)


def shown(request: Request, showing: Showing) -> str:
    """One line: when the model saw it, and under which number."""
    when = request.time(showing.at)
    told = request.say("audit.shown", number=showing.number)
    return f"{when} {told}"


async def revealed(request: Request, entry: AuditEntry) -> str:
    """One line: when private memories were shown to somebody else, how many, to whom and why."""
    told = [f"{request.time(entry.at)} {action(request, entry)}", await actor(request, entry)]
    return " · ".join([*told, *_why_revealed(request, _detail(entry), counted=True)])


def born(request: Request, memory: Memory) -> str:
    """The first line of a memory whose making nobody noted: raw turns."""
    made = request.say(f"extractor.{memory.extractor}")
    return f"{request.time(memory.created_at)} {request.say('action.created')} · {made}"


async def _particulars(
    request: Request, entry: AuditEntry, detail: Mapping[str, Any], scopes: frozenset[str]
) -> list[str]:
    match entry.action:
        case "created":
            made = _numbers(detail, "importance", "strength")
            return [request.say("audit.made", **made)] if made else []
        case "useful" | "useless":
            left = _numbers(detail, "strength", "useful_score")
            told = [request.say("audit.judged", **left)] if left else []
            spent = detail.get("status") == Status.BINNED
            return [*told, request.say("audit.spent")] if spent else told
        case "binned" | "archived":
            return _why_binned(request, detail)
        case "restored":
            back = _numbers(detail, "strength")
            return [request.say("audit.strength", **back)] if back else []
        case "revealed" | "exported" | "joined":
            return _why_revealed(request, detail, counted=False)
        case followed if followed in frozenset(Succession):
            return await _newer(request, detail.get("by_memory"), scopes)
        case _:
            return []


async def _newer(request: Request, newer: object, scopes: frozenset[str]) -> list[str]:
    found = await request.engine.parts.store.find([str(newer)], scopes)
    return [request.say("audit.newer", id=await id_here(request, memory)) for memory in found]


def _why_binned(request: Request, detail: Mapping[str, Any]) -> list[str]:
    told: list[str] = []
    if isinstance(detail.get("reason"), str):
        told.append(request.say("audit.because", reason=because(request, detail["reason"])))
    aged = _numbers(detail, "age_days", "useful_score")
    return [*told, request.say("audit.aged", **aged)] if aged else told


def _why_revealed(request: Request, detail: Mapping[str, Any], *, counted: bool) -> list[str]:
    count, reason = detail.get("count"), detail.get("reason")
    told = [request.say("reveal.count", count=count)] if counted and count else []
    if not reason:
        return told
    return [*told, request.say("audit.because", reason=quoted(str(reason), 200))]


def _numbers(detail: Mapping[str, Any], *names: str) -> dict[str, str]:
    """These numbers as they are shown; empty if one of them is not recorded."""
    if not all(isinstance(detail.get(name), int | float) for name in names):
        return {}
    return {name: _number(name, detail[name]) for name in names}


def _number(name: str, value: Any) -> str:
    return f"{value:.0%}" if name == "importance" else f"{round(float(value), 1):g}"


def _detail(entry: AuditEntry) -> Mapping[str, Any]:
    try:
        detail = json.loads(entry.detail)
    except ValueError:
        return {}
    return detail if isinstance(detail, dict) else {}
