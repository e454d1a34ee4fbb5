"""What people mean to do: listed, done, meant again."""

from ...core.actions.answers import MemoryView
from ...core.actions.plans import Which, close, list_plans
from ...core.model.intentions import Intention
from .marking import switched
from .records import answer, listed, page_number, said
from .request import Request

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
    state = "on" if over else "off"
    outcome = state if closed.changed else f"already_{state}"
    return request.say(f"done.{outcome}", text=request.text(closed.memory))


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
