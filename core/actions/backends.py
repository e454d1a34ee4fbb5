"""Which backend holds the memories, and moving them to another."""

from dataclasses import dataclass

from ..model.errors import installed
from ..transfer.copying import EVERYTHING
from ..transfer.custody import Safekeeping
from ..transfer.migration import MigrationStage, Move, NotMoved
from .answers import PackageMissing, Refusal, Refused
from .context import Context, for_admins
from .files import custody

__all__ = ["MigrationStage", "Move", "NotMoved"]

TARGETS = ("sqlite", "chroma")
PACKAGES = {"chroma": "chromadb"}
"""What a backend needs and may be missing."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The settings name another backend than the one in force."""

    in_force: str
    chosen: str


@dataclass(frozen=True, slots=True)
class StorageState:
    """The backend in force, how many memories it holds in any status, and a move not settled."""

    backend: str
    count: int
    disagreement: Disagreement | None
    move: Move | None


@dataclass(frozen=True, slots=True)
class ToMove:
    """Nothing is moved before the caller repeats the request with this code."""

    count: int
    code: str


@dataclass(frozen=True, slots=True)
class Begun:
    """The move goes on in the background."""


def disagreement(context: Context) -> Disagreement | None:
    """None if the backend that the settings name is in force."""
    keeping = context.services.keeping
    if keeping is None or keeping.backends.agree:
        return None
    return Disagreement(keeping.backends.in_force, keeping.backends.chosen)


@for_admins
async def storage_state(context: Context) -> StorageState | Refused:
    """Where the memories are."""
    keeping = custody(context)
    if isinstance(keeping, Refused):
        return keeping
    count = await keeping.store.count(EVERYTHING)
    backend = keeping.backends.in_force
    return StorageState(backend, count, disagreement(context), keeping.migration.move)


@for_admins
async def move_memories(
    context: Context, target: str, code: str = ""
) -> Begun | ToMove | PackageMissing | NotMoved | Refused:
    """Copy everything to the backend `target`, one of TARGETS, and go over to it."""
    keeping = custody(context)
    if isinstance(keeping, Refused):
        return keeping
    refused = keeping.migration.refusal(target)
    if refused is not None:
        return refused
    package = PACKAGES.get(target)
    if package is not None and not installed(package):
        return PackageMissing(package)
    confirmations, what = context.services.confirmations, f"storage {target}"
    if not code:
        code = confirmations.ask(context.caller, what, now=context.now)
        return ToMove(await keeping.store.count(EVERYTHING), code)
    if not confirmations.redeem(context.caller, what, code, now=context.now):
        return Refused(Refusal.WRONG_CODE)
    return await _begun(keeping, target)


@for_admins
async def confirm_move(context: Context) -> Move | NotMoved | Refused:
    """Settle that the memories are moved: the old backend's are deleted. Raises StorageError."""
    keeping = custody(context)
    return keeping if isinstance(keeping, Refused) else await keeping.migration.confirm()


@for_admins
async def cancel_move(context: Context) -> Move | NotMoved | Refused:
    """Give a move up: what has been copied is deleted. Raises StorageError."""
    keeping = custody(context)
    return keeping if isinstance(keeping, Refused) else await keeping.migration.cancel()


async def _begun(keeping: Safekeeping, target: str) -> Begun | NotMoved:
    return await keeping.migration.begin(target) or Begun()
