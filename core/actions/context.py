"""What an action is given: who asks, the engine that is asked, and the services around it."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate

from ..engine.engine import MemoryEngine
from ..model.errors import Fault, StorageError
from ..ports import Journal, MemoryStore
from ..settings import Settings
from ..transfer.data_folder import DataFolder
from .answers import Refusal, Refused
from .caller import Caller
from .confirmations import PrivateLook
from .services import Services


@dataclass(frozen=True, slots=True)
class Context:
    """One for each question. Only actions look into it; whoever renders reads their answers."""

    caller: Caller
    engine: MemoryEngine
    services: Services
    reveal: str | None = None
    """The reason for which others' private memories are asked for, see `masking`."""

    look: PrivateLook | None = None
    """What the reason was given for where it holds for longer than one question."""

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
    def by(self) -> str:
        """By whom something is done, as the audit log has it."""
        return self.caller.signature

    @property
    def timezone(self) -> str:
        """In which times are shown."""
        return self.settings.display.timezone

    @property
    def now(self) -> float:
        """Unix seconds."""
        return self.engine.parts.clock.now()

    @property
    def data_folder(self) -> DataFolder:
        """What store and journal belong to; refused where they belong to nothing on a disk."""
        if self.services.data_folder is None:
            raise Refused(Refusal.NO_FILES)
        return self.services.data_folder

    def code_for(self, what: str) -> str:
        """A code that the caller has to repeat before `what` is done."""
        return self.services.confirmations.ask(self.caller, what, now=self.now)

    def redeem(self, what: str, code: str) -> None:
        """Refused unless this is the code that the caller got for `what`."""
        if not self.services.confirmations.redeem(self.caller, what, code, now=self.now):
            raise Refused(Refusal.WRONG_CODE)

    async def readable(self) -> frozenset[str]:
        """Keys of the scopes whose memories the caller may see here."""
        return await self.engine.access.readable(self.caller.scope)

    async def reach(self, *, everywhere: bool) -> frozenset[str]:
        """The same; or those of everybody, for a caller who `sees_everything`."""
        if everywhere and self.caller.sees_everything:
            return frozenset(await self.store.scopes())
        return await self.readable()


_SPACE = 28
"""ENOSPC: there is no room on the disk."""


@contextmanager
def at_file(name: str) -> Iterator[None]:
    """What the system says of a file of ours, in the terms of storage."""
    try:
        yield
    except OSError as error:
        full, refused = error.errno == _SPACE, isinstance(error, PermissionError)
        fault = Fault.FULL if full else Fault.READ_ONLY if refused else Fault.UNREADABLE
        raise StorageError(f"{name}: {error}", file=name, fault=fault) from error


type Action[**P, T] = Callable[Concatenate[Context, P], Awaitable[T]]


def for_admins[**P, T](action: Action[P, T]) -> Action[P, T]:
    """The action, refused to everybody else."""

    @wraps(action)
    async def guarded(context: Context, *args: P.args, **kwargs: P.kwargs) -> T:
        if not context.caller.admin:
            raise Refused(Refusal.ADMINS_ONLY)
        return await action(context, *args, **kwargs)

    return guarded


def over_everybody[**P, T](action: Action[P, T]) -> Action[P, T]:
    """The action, which looks at everybody's memories: for admins, and in a private chat alone."""

    @wraps(action)
    async def guarded(context: Context, *args: P.args, **kwargs: P.kwargs) -> T:
        if not context.caller.sees_everything:
            raise Refused(Refusal.ONLY_IN_PRIVATE)
        return await action(context, *args, **kwargs)

    return for_admins(guarded)
