"""What people do to single memories: write, put right, keep for good, judge, forget."""

from ...core.actions import edits
from ...core.actions.answers import MemoryView
from ...core.actions.edits import Edited
from ...core.actions.views import Replaced
from ...core.model.memory import Status
from .records import future, tag_list
from .request import Request, WrongArguments

SWITCHES = {"on": True, "开": True, "开启": True, "off": False, "关": False, "关闭": False}
VERDICTS = {"useful": True, "useless": False, "有用": True, "无用": False}


async def remember(request: Request) -> str:
    """A new memory of this chat, kept for good: whoever asks for it says that it matters."""
    done = await edits.remember(request.context, request.needed)
    values = {"id": done.memory.id, "text": request.text(done.memory)}
    if done.new:
        return request.say("remember.done", **values)
    return request.say("remember.marked" if done.marked else "remember.known", **values)


async def correct(request: Request) -> str:
    """A new text in the place of a memory."""
    written, _, text = request.argument.partition(" ")
    if not text.strip():
        raise WrongArguments
    done = await edits.correct(request.context, written, text)
    match done:
        case Replaced():
            return _replaced(request, done)
        case _:
            new, old = request.text(done.memory), request.text(done.old)
            return request.say("correct.done", id=done.memory.id, text=new, old=old)


def _replaced(request: Request, done: Replaced) -> str:
    how = request.say(f"succession.{done.how}")
    if done.newer is None:
        return request.say("correct.gone", how=how)
    return request.say("correct.already", how=how, id=done.newer.id, text=request.text(done.newer))


def switched(request: Request) -> tuple[str, bool]:
    """Which memory, and whether on, as nothing is said."""
    match request.argument.split():
        case [written]:
            return written, True
        case [written, switch] if switch.lower() in SWITCHES:
            return written, SWITCHES[switch.lower()]
        case _:
            raise WrongArguments


async def important(request: Request) -> str:
    """Mark a memory as important, which keeps it for good, or no longer."""
    written, on = switched(request)
    done = await edits.mark(request.context, written, important=on)
    told = request.say(f"important.{_outcome(done, on=on)}", text=request.text(done.before))
    return _with_future(request, told, done, on=on)


async def tag(request: Request) -> str:
    """Give a memory tags, take them from it (with a minus in front), or show those it has."""
    match request.argument.split():
        case [written, *words]:
            removed = [word[1:] for word in words if word.startswith("-")]
            added = [word for word in words if not word.startswith("-")]
        case _:
            raise WrongArguments
    done = await edits.tag(request.context, written, added, removed)
    memory, text = (done.after or done.before).memory, request.text(done.before)
    tags = tag_list(memory.tags)
    return request.say("tag.has" if tags else "tag.none", tags=tags, text=text)


async def pin(request: Request, *, on: bool = True) -> str:
    """Keep a memory for good, whatever its strength; or let a pinned one age again."""
    done = await edits.pin(request.context, request.needed, on=on)
    told = request.say(f"pin.{_outcome(done, on=on)}", text=request.text(done.before))
    return _with_future(request, told, done, on=on)


async def feedback(request: Request) -> str:
    """A verdict by hand, and what it did."""
    match request.argument.split():
        case [written, verdict] if verdict.lower() in VERDICTS:
            useful = VERDICTS[verdict.lower()]
        case _:
            raise WrongArguments
    done = await edits.judge(request.context, written, useful=useful)
    text = request.text(done.before)
    if done.after is None:
        strength = done.before.memory.vitality.strength
        return request.say(
            "feedback.unmoved", tier=_tier(request, done.before), strength=strength, text=text
        )
    before, after = done.before.memory.vitality, done.after.memory.vitality
    outcome = "useful" if after.useful_count > before.useful_count else "useless"
    if done.after.memory.standing.status is Status.BINNED:
        outcome = "binned"
    return request.say(
        f"verdict.{outcome}",
        before=before.strength,
        after=after.strength,
        score=f"{after.useful_score:g}",
        tier=_tier(request, done.after),
        text=text,
    )


async def forget(request: Request) -> str:
    """One memory to the bin."""
    done = await edits.forget(request.context, request.needed)
    text = request.text(done.before)
    if done.after is None:
        return request.say("forget.already", text=text)
    until = request.date(done.after.memory.standing.purge_at or 0.0)
    return request.say("forget.done", text=text, date=until)


def _outcome(done: Edited, *, on: bool) -> str:
    state = "on" if on else "off"
    return f"already_{state}" if done.after is None else state


def _with_future(request: Request, told: str, done: Edited, *, on: bool) -> str:
    if on or done.after is None:
        return told
    return f"{told}\n{future(request, done.after, done.outlook)}"


def _tier(request: Request, view: MemoryView) -> str:
    return request.say(f"tier.t{view.tier}")
