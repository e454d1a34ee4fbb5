"""Keeping memories for good, and judging them by hand."""

from collections.abc import Sequence

from ...core.model.memory import Memory, Status
from ...core.ports import Amendment
from .records import find, in_bin, may_change, one_line, signature
from .request import Request
from .show import future

SWITCHES = {"on": True, "off": False, "开": True, "关": False}
VERDICTS = {"useful": True, "useless": False, "有用": True, "无用": False}


async def important(request: Request) -> str:
    """Mark a memory as important, which keeps it for good, or no longer."""
    match request.argument.split():
        case [written]:
            on = True
        case [written, switch] if switch.lower() in SWITCHES:
            on = SWITCHES[switch.lower()]
        case _:
            return request.wrong_arguments()
    memory = await _changeable(request, written)
    if isinstance(memory, str):
        return memory
    changed = await request.engine.curation.mark([memory.id], important=on, by=signature(request))
    done = request.say(f"important.{_outcome(changed, on=on)}", text=one_line(memory))
    return _with_future(request, done, changed, on=on)


async def pin(request: Request) -> str:
    """Keep a memory for good, whatever its strength."""
    return await _pin(request, on=True)


async def unpin(request: Request) -> str:
    """Let a pinned memory age again."""
    return await _pin(request, on=False)


async def feedback(request: Request) -> str:
    """A verdict by hand, and what it did."""
    match request.argument.split():
        case [written, verdict] if verdict.lower() in VERDICTS:
            useful = VERDICTS[verdict.lower()]
        case _:
            return request.wrong_arguments()
    memory = await _changeable(request, written)
    if isinstance(memory, str):
        return memory
    if memory.standing.status is Status.ARCHIVED:
        return request.say("feedback.archived", text=one_line(memory))
    changed = await request.engine.curation.judge([memory.id], useful=useful, by=signature(request))
    return _judged(request, memory, changed[0]) if changed else _unmoved(request, memory)


async def _pin(request: Request, *, on: bool) -> str:
    memory = await _changeable(request, request.argument)
    if isinstance(memory, str):
        return memory
    changed = await request.engine.curation.pin([memory.id], on=on, by=signature(request))
    done = request.say(f"pin.{_outcome(changed, on=on)}", text=one_line(memory))
    return _with_future(request, done, changed, on=on)


async def _changeable(request: Request, written: str) -> Memory | str:
    """The memory, else why the caller cannot change it."""
    memory = await find(request, written)
    if isinstance(memory, str):
        return memory
    if not may_change(request, memory):
        return request.say("refused.not_yours")
    return in_bin(request, memory) or memory


def _outcome(changed: Sequence[Amendment], *, on: bool) -> str:
    state = "on" if on else "off"
    return state if changed else f"already_{state}"


def _with_future(request: Request, done: str, changed: Sequence[Amendment], *, on: bool) -> str:
    return done if on or not changed else f"{done}\n{future(request, changed[0].after)}"


def _judged(request: Request, memory: Memory, done: Amendment) -> str:
    before, after = done.before.vitality, done.after.vitality
    outcome = "useful" if after.useful_count > before.useful_count else "useless"
    if done.after.standing.status is Status.BINNED:
        outcome = "binned"
    return request.say(
        f"verdict.{outcome}",
        before=before.strength,
        after=after.strength,
        score=f"{after.useful_score:g}",
        tier=_tier(request, done.after),
        text=one_line(memory),
    )


def _unmoved(request: Request, memory: Memory) -> str:
    return request.say(
        "feedback.unmoved",
        tier=_tier(request, memory),
        strength=memory.vitality.strength,
        text=one_line(memory),
    )


def _tier(request: Request, memory: Memory) -> str:
    return request.say(f"tier.t{request.engine.policy.tier(memory.vitality.useful_score)}")
