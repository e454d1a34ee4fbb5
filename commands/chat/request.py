"""One command as it was given, with what answering it takes."""

from dataclasses import dataclass

from ...core.engine.engine import MemoryEngine
from ...core.model.times import local_time, zone
from .caller import Caller
from .phrases import Phrases
from .services import Surroundings


@dataclass(frozen=True, slots=True)
class Request:
    """Commands answer it with text in the caller's language."""

    command: str
    caller: Caller
    argument: str
    engine: MemoryEngine
    phrases: Phrases
    surroundings: Surroundings

    def say(self, key: str, **values: object) -> str:
        """A message of the catalogue in the caller's language."""
        return self.phrases.say(self.caller.language, key, **values)

    def wrong_arguments(self) -> str:
        """How the command is used."""
        return self.say("command.usage", usage=self.say(f"usage.{self.command}"))

    async def readable(self) -> frozenset[str]:
        """Keys of the scopes whose memories the caller may see here."""
        return await self.engine.access.readable(self.caller.scope)

    def date(self, at: float) -> str:
        """The day in the configured time zone."""
        return self.engine.show_date(at)

    def time(self, at: float) -> str:
        """Day and minute in the configured time zone."""
        return local_time(at, zone(self.engine.parts.settings.display.timezone))
