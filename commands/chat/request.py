"""One command as it was given, by whom, and its failures in the caller's language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.actions.answers import Caller, CodeNeeded, MemoryView, PackageMissing, Refused
from ...core.actions.context import Context
from ...core.model.errors import INSTALL, Fault, StorageError, masked
from ...core.model.times import local_date, local_time, zone
from ...core.text.quoting import quoted
from .phrases import Phrases

LONGEST_LINE = 90
"""Of a memory's text in a list."""

LONGEST_VALUE = 200
REVEAL = "--reveal"
"""Before the reason for which others' private memories are asked for."""


@dataclass(frozen=True, slots=True)
class ChatCaller(Caller):
    """A caller who reads text."""

    language: str


class WrongArguments(Exception):
    """What was sent is no use of the command."""


@dataclass(frozen=True, slots=True)
class Request:
    """Commands answer it with text in the caller's language; `context` is what actions take."""

    command: str
    caller: ChatCaller
    argument: str
    context: Context
    phrases: Phrases

    def say(self, key: str, **values: object) -> str:
        """A message of the catalogue in the caller's language."""
        return self.phrases.say(self.caller.language, key, **values)

    def named(self, key: str, name: str = "") -> str:
        """The same where the catalogue has a word for it; else by this name."""
        return self.say(key) if self.phrases.has(key) else name

    @property
    def needed(self) -> str:
        """The argument of a command that does nothing without one."""
        if not self.argument:
            raise WrongArguments
        return self.argument

    def usage(self) -> str:
        """How the command is used."""
        return self.say("command.usage", usage=self.say(f"usage.{self.command}"))

    @property
    def revealing(self) -> str:
        """What is sent to see the contents of others' private memories, but for the reason."""
        return " ".join(filter(None, (self.command, quoted(self.argument, 100), REVEAL)))

    def refused(self, refused: Refused) -> str:
        """Why nothing was done; in the command's own words if it has some."""
        told = dict(refused.told)
        if not isinstance(refused, PackageMissing):
            told = {name: quoted(str(value), LONGEST_VALUE) for name, value in told.items()}
        told["text"] = "" if refused.memory is None else self.text(refused.memory)
        told["line"] = self.revealing
        if self.phrases.has(f"refused_by.{self.command}.{refused.reason}"):
            return self.say(f"refused_by.{self.command}.{refused.reason}", **told)
        return self.say(f"refused.{refused.reason}", **told)

    def confirm(self, needed: CodeNeeded) -> str:
        """What would be done, and the code with which the command is to be given again."""
        told = {name: quoted(str(value), LONGEST_VALUE) for name, value in needed.told.items()}
        if isinstance(at := needed.told.get("at"), float):
            told["time"] = self.time(at)
        return self.say(f"confirm.{self.command}", code=needed.code, **told)

    def text(self, view: MemoryView, longest: int = LONGEST_LINE) -> str:
        """What a memory says, short enough for a list if nothing else is said."""
        text = self.say("reveal.masked") if view.masked else view.memory.text
        return quoted(text, longest)

    def date(self, at: float) -> str:
        """The day in the configured time zone."""
        return local_date(at, zone(self.context.timezone))

    def day(self, at: float) -> str:
        """The day, and its minute if it is not the first: a plan for a day has no hour."""
        return self.time(at).removesuffix(" 00:00")

    def time(self, at: float) -> str:
        """Day and minute in the configured time zone."""
        return local_time(at, zone(self.context.timezone))


BOTH: Sequence[str] = ("zh", "en")

_LEG = " leg"

LONGEST_WORDS = 120

SORTS: Mapping[str, str] = {
    "TimeoutError": "late",
    "EmbeddingUnavailable": "embedder",
    "ModelTimedOut": "late",
    "ModelUnavailable": "model",
    "RerankUnavailable": "reranker",
    "ReplyMalformed": "malformed",
    "BudgetExhausted": "budget",
    "StorageError": "storage",
    "CollectionGone": "storage",
    "SchemaTooNew": "newer",
    "OSError": "storage",
}
"""Names of error classes; whatever is not here is an internal error."""


def not_available(phrases: Phrases, chosen: str, problem: Exception | None) -> str:
    """Memory is not open: by this problem, or because it is still being opened."""

    def told(language: str) -> str:
        opening = phrases.say(language, "command.opening")
        reason = opening if problem is None else _reason(phrases, language, problem)
        return phrases.say(language, "command.unavailable", reason=reason)

    return "\n".join(map(told, languages(chosen)))


def not_done(phrases: Phrases, chosen: str, error: Exception | None) -> str:
    """A command failed by this error, or was cut short."""

    def told(language: str) -> str:
        if not isinstance(error, StorageError):
            return phrases.say(language, "command.failed")
        return phrases.say(language, "command.failed_by", reason=_reason(phrases, language, error))

    return "\n".join(map(told, languages(chosen)))


def languages(chosen: str) -> Sequence[str]:
    """What is spoken while memory cannot be asked what people speak."""
    # What people speak is read from the journal, which may be the very thing that is broken.
    return BOTH if chosen == "auto" else (chosen,)


def reason_of(phrases: Phrases, language: str, fault: Fault, file: str) -> str:
    """What is wrong with a file or a server, and what becomes of it."""
    # A folder is asked through a process of its own, which is no server to the owner.
    if fault is Fault.UNREACHABLE and "://" not in file:
        return phrases.say(language, "file.not_answering", file=file)
    return phrases.say(language, f"file.{fault}", file=file)


def _reason(phrases: Phrases, language: str, error: Exception) -> str:
    if not isinstance(error, StorageError):
        return phrases.say(language, f"file.{Fault.OTHER}")
    return reason_of(phrases, language, error.fault, error.file)


def place(request: Request, name: str) -> str:
    """The part of the plugin that failed."""
    if name.endswith(_LEG):
        leg = request.say(f"leg.{name.removesuffix(_LEG)}")
        return request.say("place.leg", leg=leg)
    return request.named(f"place.{name}", quoted(name, 40))


def failure(request: Request, error: str) -> str:
    """What `Class: words` means, and the words, which nobody has translated, in quotes.

    Of our own advice to install a package nothing is quoted: it can be pasted.
    """
    for package, command in INSTALL.items():
        if command in error:
            return request.say("failure.missing", package=package, command=command)
    name, colon, words = error.removeprefix("TidemarkError: ").partition(": ")
    if not colon or not name.isidentifier():
        name, words = "", error
    words = masked(words)
    sort = request.say(f"failure.{SORTS.get(name, 'other')}")
    words = quoted(words, LONGEST_WORDS)
    return request.say("failure.said", sort=sort, words=words) if words else sort
