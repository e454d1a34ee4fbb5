"""What an action is given: who asks, the engine that is asked, the services around it, and codes
that a person repeats before something is done that cannot be undone.
"""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate
from urllib.parse import unquote

from ..embedding.local import install as local_model
from ..embedding.onnx.session import runtime_installed
from ..engine.engine import MemoryEngine
from ..model.conversation import Account, Scope
from ..model.errors import Fault, StorageError
from ..model.sleeping import Job, JobKind, Tell
from ..ports import Journal, MemoryStore
from ..queue.job_list import JobCancelled, JobList
from ..settings import Configuration, Settings
from ..simulation.runner import Simulations
from ..transfer.data_folder import DataFolder
from ..transfer.host_history import HostHistory
from .answers import Caller, CodeNeeded, Refusal, Refused

type Report = Callable[[str, float], None]

QUICK = 3.0
"""Seconds for which whoever asks for something waits for it to be done."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Installs the local embedding model, and what runs it faster, as a job, once at a time.

    `install` reports a step and the share done, 0..1, and is told whether the model is wanted or
    the runtime alone; what it raises is shown as the reason. `status` answers missing, damaged or
    ready, `runtime` whether onnxruntime is installed. `installed` is called when all is there.
    """

    install: Callable[[Report, bool], Awaitable[None]]
    status: Callable[[], Awaitable[str]]
    installed: Callable[[], None]
    jobs: JobList
    runtime: Callable[[], bool] = runtime_installed

    @property
    def job(self) -> Job | None:
        """The newest installation; None if none was started since the host was."""
        return self.jobs.newest(JobKind.MODEL)

    def start(self, by: str = "", *, model: bool = True) -> bool:
        """Begin, without `model` with the runtime alone; False if one is running."""
        if self.jobs.running(JobKind.MODEL) is not None:
            return False
        # Cutting it off leaves a folder of its own behind at most, and never half a model.
        self.jobs.start(JobKind.MODEL, partial(self._run, model), by=by, abrupt=True)
        return True

    async def _run(self, model: bool, tell: Tell) -> None:
        def report(step: str, share: float) -> None:
            # Cut off from outside: raised here it would come out of a group of tasks.
            with suppress(JobCancelled):
                tell(round(100 * share), 100)

        await self.install(report, model)
        self.installed()


def local_installation(
    folder: Path,
    installed: Callable[[], None],
    jobs: JobList,
    packages: local_model.InstallPackages | None = None,
) -> Installation:
    """Of the local model into `folder`, and of onnxruntime by `packages` if they are given."""

    async def install(report: Report, model: bool) -> None:
        await local_model.install(folder, report, packages, model=model)

    async def status() -> str:
        return await asyncio.to_thread(local_model.status, folder)

    return Installation(install, status, installed, jobs)


VALID = 300.0
"""Seconds."""

MOST = 256
"""Open questions; the oldest is dropped for a new one."""

LOOK = 1_800.0
"""Seconds for which a reason once given holds on the page."""

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LENGTH = 6


type _Asked = tuple[str, str, str]
"""In which chat and by whom what is to be confirmed."""


@dataclass(frozen=True, slots=True)
class _Open:
    """The code that was given out, to which account, and when it ends, Unix seconds."""

    code: str
    until: float
    account: Account


@dataclass(frozen=True, slots=True)
class PrivateLook:
    """One look at others' private memories: its reason, its end in Unix seconds, and the owners
    (`Scope.owner`) for whom it is on record.
    """

    reason: str
    until: float
    noted: set[str] = field(default_factory=set[str])
    noting: asyncio.Lock = field(default_factory=asyncio.Lock)


class Confirmations:
    """Open questions and looks of one installation, in memory: a restart forgets them."""

    def __init__(self) -> None:
        self._open: dict[_Asked, _Open] = {}
        self._looks: dict[str, PrivateLook] = {}

    def look(self, caller: Caller, reason: str, *, now: float) -> PrivateLook:
        """The caller's look for this reason, begun now unless one goes on."""
        look = self._looks.get(caller.session)
        if look is None or look.until <= now or look.reason != reason:
            look = self._looks[caller.session] = PrivateLook(reason, now + LOOK)
        return look

    def ask(self, caller: Caller, what: str, *, now: float) -> str:
        """A new code for `what`, good for `VALID` seconds; an earlier one for it ends."""
        asked = (caller.session, caller.person, what)
        self._open = {key: held for key, held in self._open.items() if held.until > now}
        self._open.pop(asked, None)
        while len(self._open) >= MOST:
            self._open.pop(next(iter(self._open)))
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        self._open[asked] = _Open(code, now + VALID, (caller.scope.platform, caller.person))
        return code

    def redeem(self, caller: Caller, what: str, code: str, *, now: float) -> bool:
        """Whether this is the code the caller got for `what` in this chat; it then ends.

        Case does not matter.
        """
        asked = (caller.session, caller.person, what)
        held = self._open.get(asked)
        if held is None or held.until <= now or held.code != code.strip().upper():
            return False
        del self._open[asked]
        return True

    def asker(self, what: str, code: str, *, now: float) -> Account | None:
        """Which account was given this code for `what`, in whatever chat, if any; it then ends."""
        for asked, held in self._open.items():
            if asked[-1] == what and held.code == code.strip().upper() and held.until > now:
                del self._open[asked]
                return held.account
        return None


async def _defaults() -> Configuration:
    return Configuration()


async def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Services:
    """The settings in force, and what changes them.

    `jobs` is the long work of the installation. `reconfigure` puts what the journal has overridden
    into force and answers with that. `data_folder` is what the engine's store and journal belong
    to, and `reopen` opens that anew. `reschedule` looks whether anybody wants to be reminded.
    `host_history` is what the host has stored itself.
    """

    installation: Installation
    jobs: JobList
    configuration: Configuration = Configuration()
    reconfigure: Callable[[], Awaitable[Configuration]] = _defaults
    confirmations: Confirmations = field(default_factory=Confirmations)
    simulations: Simulations = field(default_factory=Simulations)
    data_folder: DataFolder | None = None
    reopen: Callable[[], Awaitable[None]] = _nothing
    reschedule: Callable[[], Awaitable[None]] = _nothing
    host_history: HostHistory | None = None


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

    everywhere: bool = False
    """Whether memories of everybody are asked for, by a caller who `sees_everything`."""

    @property
    def store(self) -> MemoryStore:
        """The memories."""
        return self.engine.store

    @property
    def journal(self) -> Journal:
        """Turns, work, audit log and everything else that is no memory."""
        return self.engine.journal

    @property
    def settings(self) -> Settings:
        """What the engine works by."""
        return self.engine.settings

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
        return self.engine.clock.now()

    @property
    def data_folder(self) -> DataFolder:
        """What store and journal belong to; refused where they belong to nothing on a disk."""
        if self.services.data_folder is None:
            raise Refused(Refusal.NO_FILES)
        return self.services.data_folder

    def code_for(self, what: str) -> str:
        """A code that the caller has to repeat before `what` is done."""
        return self.services.confirmations.ask(self.caller, what, now=self.now)

    def code_needed(self, what: str, **told: Any) -> CodeNeeded:
        """To be raised before `what` is done, with what would be."""
        return CodeNeeded(self.code_for(what), **told)

    def redeem(self, what: str, code: str) -> None:
        """Refused unless this is the code that the caller got for `what`."""
        if not self.services.confirmations.redeem(self.caller, what, code, now=self.now):
            raise Refused(Refusal.WRONG_CODE)

    async def readable(self) -> frozenset[str]:
        """Keys of the scopes whose memories the caller may see here."""
        return await self.engine.access.readable(self.caller.scope)

    async def reach(self) -> frozenset[str]:
        """The same; or those of everybody, where these are asked for."""
        if self.everywhere and self.caller.sees_everything:
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


_SIGNATURE = re.compile(r"(?P<name>.*) ?\((?P<platform>[^()/]*)/(?P<user>[^()]*)\)", re.DOTALL)


def told(signature: str) -> str:
    """The signature as it is shown: the name and the id, without the platform."""
    person = _SIGNATURE.fullmatch(signature)
    if person is None:
        return signature
    name, user = person["name"].rstrip(), person["user"]
    return f"{name} ({user})" if name else user


async def changed_by(context: Context, signature: str) -> str:
    """Who changed a setting or a prompt, as it is told here."""
    caller = context.caller
    if caller.sees_everything:
        return told(signature)
    return await signed_in(context, signature, caller.scope)


async def signed_in(context: Context, signature: str, chat: Scope) -> str:
    """A person's id with the name they go by in the chat, if any; the caller's own as it is here.

    A signature holds the name that was used where the command was given: perhaps a card of
    another group, which nobody is told anywhere else, not even in private.
    """
    person, caller = _SIGNATURE.fullmatch(signature), context.caller
    if person is None:
        return signature
    account = unquote(person["platform"]), person["user"]
    if account == (caller.scope.platform, caller.person):
        return told(caller.signature)
    names = await context.engine.people.names([chat.owner])
    name, user = names.get(account), account[1]
    return f"{name} ({user})" if name else user
