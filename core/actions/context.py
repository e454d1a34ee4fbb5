"""What an action is given: who asks, the engine that is asked, and the services around it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate

from ..engine.engine import MemoryEngine
from ..ports import Journal, MemoryStore
from ..settings import Settings
from .answers import Refusal, Refused
from .caller import Caller
from .services import Services


@dataclass(frozen=True, slots=True)
class Context:
    """One for each question. Only actions look into it; whoever renders reads their answers."""

    caller: Caller
    engine: MemoryEngine
    services: Services

    @property
    def store(self) -> MemoryStore:
        """The memories."""
        return self.engine.parts.store

    @property
    def journal(self) -> Journal:
        """Turns, work, audit log and everything else that is no memory."""
        return self.engine.parts.journal

    @property
    def settings(self) -> Settings:
        """What the engine works by."""
        return self.engine.parts.settings

    @property
    def timezone(self) -> str:
        """In which times are shown."""
        return self.settings.display.timezone

    @property
    def now(self) -> float:
        """Unix seconds."""
        return self.engine.parts.clock.now()

    async def readable(self) -> frozenset[str]:
        """Keys of the scopes whose memories the caller may see here."""
        return await self.engine.access.readable(self.caller.scope)

    async def reach(self, *, everywhere: bool) -> frozenset[str]:
        """The same; or those of everybody, for a caller who `sees_everything`."""
        if everywhere and self.caller.sees_everything:
            return frozenset(await self.store.scopes())
        return await self.readable()


type Action[**P, T] = Callable[Concatenate[Context, P], Awaitable[T]]


def for_admins[**P, T](action: Action[P, T]) -> Action[P, T | Refused]:
    """The action, refused to everybody else."""

    @wraps(action)
    async def guarded(context: Context, *args: P.args, **kwargs: P.kwargs) -> T | Refused:
        if not context.caller.admin:
            return Refused(Refusal.ADMINS_ONLY)
        return await action(context, *args, **kwargs)

    return guarded
