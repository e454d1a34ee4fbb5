"""A request of the page: how its parameters are read and what it is sent."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from math import isfinite
from typing import Any, cast

from ...core.actions.answers import Caller, MemoryView, Refused, sent_of
from ...core.actions.context import Context
from ...core.model.conversation import Scope, ScopeKind
from ...core.text.quoting import sound

LONGEST_TEXT = 500
"""Characters of a text that is searched for or given as a reason."""

MOST_PAGES = 1_000_000
LONGEST_NUMBER = 20
"""Characters of a number, or of a code."""

LARGEST = 2**53
"""Number of anything; a browser knows no larger ones."""

MOST_AT_ONCE = 200
"""Memories that one request may name."""


@dataclass(frozen=True, slots=True)
class ChangedMemories:
    """What was done to several memories: those it was done to, and why not to the others."""

    done: list[str]
    refused: dict[str, str]


class BadRequest(Exception):
    """A parameter is missing or none of what it may be; its name is the text."""


PLATFORM = "dashboard"
"""Under which the accounts of the dashboard are accounts of a person."""


@dataclass(frozen=True, slots=True)
class WebRequest:
    """`params` are those of the path and the query, and of a POST the JSON body's."""

    context: Context
    params: Mapping[str, Any]

    def text(self, name: str, *, longest: int = LONGEST_TEXT) -> str:
        """A text without blanks around it, "" if it is not there. Raises BadRequest."""
        value = self.params.get(name, "")
        if not isinstance(value, str) or len(value) > longest:
            raise BadRequest(name)
        return sound(value).strip()

    def needed(self, name: str, *, longest: int = LONGEST_TEXT) -> str:
        """The same, not empty."""
        value = self.text(name, longest=longest)
        if not value:
            raise BadRequest(name)
        return value

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number, as such or as text. Raises BadRequest."""
        value = self.params.get(name, default)
        if isinstance(value, bool) or len(written := str(value)) > LONGEST_NUMBER:
            raise BadRequest(name)
        try:
            found = int(written)
        except ValueError:
            raise BadRequest(name) from None
        if not least <= found <= most:
            raise BadRequest(name)
        return found

    def choice[T: str](self, name: str, among: Iterable[T], default: T | None = None) -> T:
        """One of them, the default if nothing is said. Raises BadRequest."""
        written = self.text(name)
        found = next((each for each in among if each == written), None) if written else default
        if found is None:
            raise BadRequest(name)
        return found

    def flag(self, name: str) -> bool:
        """True or false, false if nothing is said. Raises BadRequest."""
        match self.params.get(name, False):
            case bool(value):
                return value
            case "true" | "1":
                return True
            case "false" | "0" | "":
                return False
            case _:
                raise BadRequest(name)

    def ids(self) -> list[str]:
        """What the request is about, each once. Raises BadRequest."""
        listed = self.params.get("ids")
        if not isinstance(listed, list) or not 0 < len(listed) <= MOST_AT_ONCE:
            raise BadRequest("ids")
        if not all(isinstance(each, str) and 0 < len(each) <= 64 for each in listed):
            raise BadRequest("ids")
        return list(dict.fromkeys(listed))


type Resource = Callable[[WebRequest], Awaitable[Any]]
type Read = Callable[[WebRequest], Any]


def asked(action: Callable[..., Awaitable[Any]], *needed: str | Read, **named: Read) -> Resource:
    """A resource that is what the action answers, given what is read, one after the other or named.

    A name stands for a text that has to be there.
    """

    def read(request: WebRequest, each: str | Read) -> Any:
        return request.needed(each) if isinstance(each, str) else each(request)

    @wraps(action)
    async def answered(request: WebRequest) -> Any:
        given = {name: each(request) for name, each in named.items()}
        return await action(request.context, *(read(request, each) for each in needed), **given)

    return answered


def text(name: str, longest: int = LONGEST_TEXT) -> Read:
    """A text, "" if it is not there."""
    return lambda request: request.text(name, longest=longest)


def whole(name: str) -> Read:
    """A number that has to be there."""
    return lambda request: request.number(name, 0, 1, LARGEST)


def number(name: str, default: int, least: int, most: int) -> Read:
    """A whole number in that range, the default if it is not there."""
    return lambda request: request.number(name, default, least, most)


def one_of(name: str, among: Iterable[str], default: str | None = None) -> Read:
    """One of these texts, which has to be there if nothing is the default."""
    return lambda request: request.choice(name, among, default)


def flag(name: str) -> Read:
    """True or false, false if nothing is said."""
    return lambda request: request.flag(name)


page = number("page", 1, 1, MOST_PAGES)
"""The page that is asked for."""


def code(request: WebRequest) -> str:
    """The code with which the request comes again, "" at first."""
    return request.text("code", longest=LONGEST_NUMBER)


def of_each(change: Callable[..., Awaitable[object]], switch: str = "") -> Resource:
    """A resource that does it to each of the ids; a refusal of one does not stop the others.

    What the action calls its `switch` is `on` in the request.
    """

    async def changed(request: WebRequest) -> ChangedMemories:
        done, refused = list[str](), dict[str, str]()
        how = {switch: request.flag("on")} if switch else {}
        for id in request.ids():
            try:
                await change(request.context, id, **how)
                done.append(id)
            except Refused as why:
                refused[id] = why.reason
        return ChangedMemories(done, refused)

    return changed


def owner_of_dashboard(username: str) -> Caller:
    """An admin in a private chat of their own: everything exists, private texts say nothing."""
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, username)
    return Caller(scope, f"{PLATFORM}:{username}", username, username, admin=True)


def as_sent(value: Any) -> Any:
    """An answer as JSON has it."""
    match value:
        case MemoryView():
            return as_sent(sent_of(value))
        case Mapping():
            return {k: as_sent(each) for k, each in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple():
            return [as_sent(each) for each in cast("Sequence[Any]", value)]
        case _ if is_dataclass(value):
            return {each.name: as_sent(getattr(value, each.name)) for each in fields(value)}
        case str():
            # Half a character in one name would cost the host's encoder the whole list.
            return sound(value)
        case float():
            return value if isfinite(value) else None
        case _:
            return value
