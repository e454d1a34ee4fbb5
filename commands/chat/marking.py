"""What people do to single memories and plans: write, mark, judge, forget, bring back."""

from ...core.actions import edits
from ...core.actions.answers import MemoryView
from ...core.actions.conflicts import Which, close, list_plans
from ...core.actions.edits import Edited, drop, keep, list_quarantine
from ...core.actions.listing import ListRequest, browse
from ...core.actions.views import Replaced
from ...core.model.knowledge import Intention
from ...core.model.memory import Status
from ...core.text.quoting import quoted
from .listing import answer, because, future, listed, page_number, said, tag_list
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
    match await edits.correct(request.context, written, text):
        case Replaced(how, newer):
            how = request.say(f"succession.{how}")
            if newer is None:
                return request.say("correct.gone", how=how)
            return request.say("correct.already", how=how, id=newer.id, text=request.text(newer))
        case Edited(before, after):
            new, now = after or before, request.text(after or before)
            return request.say("correct.done", id=new.id, text=now, old=request.text(before))


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
    return f"{told}\n{future(request, done.after)}"


def _tier(request: Request, view: MemoryView) -> str:
    return request.say(f"tier.t{view.tier}")


KEEP = ("keep", "保留")
DROP = ("drop", "丢弃")

EVERYTHING = ("all", "全部")


async def quarantine(request: Request) -> str:
    """Memories that nobody recalls until somebody has decided on them."""
    match request.argument.split():
        case [word, id] if word.lower() in KEEP:
            done = await keep(request.context, id)
            return request.say("quarantine.kept", text=request.text(done))
        case [word, id] if word.lower() in DROP:
            done = await drop(request.context, id)
            return request.say("quarantine.dropped", text=request.text(done))
        case _:
            return await _listed(request)


async def _listed(request: Request) -> str:
    page = await list_quarantine(request.context, page_number(request.argument))
    lines = list[str]()
    for view in page.entries:
        date, why = request.date(view.memory.created_at), view.memory.standing.reason
        lines.append(f"{view.id} {date} [{because(request, why)}] {said(request, view)}")
    return answer(listed(request, "quarantine", page, lines, request.say("quarantine.footer")))


async def purge(request: Request) -> str:
    """One memory of the bin, or after a confirmation everything in the bin of this chat."""
    match request.argument.split():
        case [word, *code] if word.lower() in EVERYTHING and len(code) <= 1:
            done = await edits.purge_all(request.context, "".join(code))
            return request.say("purge.all_done", memories=done.memories, turns=done.turns)
        case []:
            raise WrongArguments
        case _:
            done = await edits.purge(request.context, request.argument)
            if done.memory is None:
                return request.say("purge.unreadable_done", id=quoted(request.argument, 64))
            return request.say("purge.done", turns=done.turns, text=request.text(done.memory))


async def restore(request: Request) -> str:
    """A binned or archived memory back to life."""
    restored = await edits.restore(request.context, request.needed)
    strength = restored.memory.vitality.strength
    return request.say("restore.done", text=request.text(restored), strength=strength)


async def list_(request: Request) -> str:
    """What lies in the bin of this chat, with the day it will be deleted for good."""
    asked = ListRequest(status=Status.BINNED, page=page_number(request.argument))
    page = (await browse(request.context, asked)).page
    lines = list[str]()
    for view in page.entries:
        standing = view.memory.standing
        until = request.say("bin.until", date=request.date(standing.purge_at or standing.since))
        why = because(request, standing.reason)
        lines.append(f"{view.id} {until} [{why}] {said(request, view)}")
    return answer(listed(request, "bin", page, lines))


WORDS = {
    "open": Which.OPEN,
    "未完成": Which.OPEN,
    "due": Which.DUE,
    "到期": Which.DUE,
    "closed": Which.CLOSED,
    "done": Which.CLOSED,
    "已完成": Which.CLOSED,
    "stale": Which.STALE,
    "搁置": Which.STALE,
}


async def plans(request: Request) -> str:
    """Intentions of this chat by where they stand."""
    word, _, rest = request.argument.partition(" ")
    which = WORDS.get(word.lower())
    number = page_number(request.argument if which is None else rest)
    found = await list_plans(request.context, which or Which.OPEN, number)
    lines = (_line(request, view) for view in found.page.entries)
    counts = {each.value: count for each, count in found.counts.items()}
    told = listed(request, f"plans_{which or Which.OPEN}", found.page, lines)
    return answer([*told, request.say("plans.counts", **counts)])


async def done(request: Request) -> str:
    """An intention is done, or meant again."""
    written, over = switched(request)
    closed = await close(request.context, written, over=over)
    return request.say(f"done.{_outcome(closed, on=over)}", text=request.text(closed.before))


def _line(request: Request, view: MemoryView) -> str:
    intended = view.memory.intention or Intention()
    told = [request.say(f"intention.{intended.type}"), *_day(request, intended)]
    date = request.date(view.memory.created_at)
    return f"{view.id} {date} [{' · '.join(told)}] {said(request, view)}"


def _day(request: Request, intended: Intention) -> list[str]:
    if intended.closed_at:
        date = request.date(intended.closed_at)
        return [request.say("plans.given_up" if intended.given_up else "plans.closed", date=date)]
    if intended.due_at is not None:
        return [request.say("plans.due", date=request.day(intended.due_at))]
    return []
