"""One command as it was given, by whom, with what answering it takes."""

from dataclasses import dataclass

from ...core.actions.answers import MemoryView, PackageMissing, Refused
from ...core.actions.caller import Caller
from ...core.actions.context import Context
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
