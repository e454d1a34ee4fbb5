"""Recovery while memory cannot be opened and there is no engine."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..model.errors import StorageError
from ..transfer.backup import Backup, NoSuchBackup
from ..transfer.recovery import FAULTS, Recovery
from .answers import Refusal, Refused
from .caller import Caller
from .confirmations import Confirmations

type Repair = Callable[[Callable[[], Awaitable[None]]], Awaitable[Exception | None]]
"""Does something to the files and opens memory anew; by what that failed, None if it is open."""


class RecoveryStep(StrEnum):
    """What to do about files that cannot be opened."""

    BACKUP = "backup"
    AS_IS = "as-is"


@dataclass(frozen=True, slots=True)
class Recovered:
    """Memory is open again; from the backup, or with None with the files as they were.

    With a `code` nothing is done before the caller repeats the request with that.
    """

    backup: Backup | None
    code: str = ""


@dataclass(frozen=True, slots=True)
class NotOpened:
    """The step was done, and memory still cannot be opened."""

    problem: Exception


@dataclass(frozen=True, slots=True)
class ClosedMemory:
    """Memory that could not be opened, and by what; None where it is not known yet."""

    problem: Exception | None
    files: Recovery
    confirmations: Confirmations
    repair: Repair

    @property
    def broken(self) -> bool:
        """Whether there is something to be done about the files."""
        return isinstance(self.problem, StorageError) and self.problem.fault in FAULTS

    async def backups(self) -> Sequence[Backup]:
        """Those that could be brought back, the newest first."""
        return await self.files.backups()

    async def recover(
        self, way: RecoveryStep, caller: Caller, *, name: str = "", code: str = "", now: float
    ) -> Recovered | NotOpened:
        """Bring back the backup `name` ("" for the newest), or go on with the files as they are.

        For admins. Raises StorageError and OSError.
        """
        if not caller.admin:
            raise Refused(Refusal.ADMINS_ONLY)
        what = f"recover {way} {name}"
        if not code:
            known = await self.backups() if way is RecoveryStep.BACKUP else []
            found = [each for each in known if name in ("", each.name)]
            if not found and way is RecoveryStep.BACKUP:
                raise Refused(Refusal.UNKNOWN_BACKUP)
            code = self.confirmations.ask(caller, what, now=now)
            return Recovered(found[0] if found else None, code)
        if not self.confirmations.redeem(caller, what, code, now=now):
            raise Refused(Refusal.WRONG_CODE)
        done: list[Backup] = []

        async def step() -> None:
            if way is RecoveryStep.AS_IS:
                await self.files.go_on()
            else:
                done.append(await self.files.bring_back(name, now))

        try:
            problem = await self.repair(step)
        except NoSuchBackup:
            raise Refused(Refusal.UNKNOWN_BACKUP) from None
        if problem is not None:
            return NotOpened(problem)
        return Recovered(done[0] if done else None)
