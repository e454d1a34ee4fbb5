"""The files of an installation, as far as actions on them have something in common."""

from ..model.errors import Fault, StorageError
from ..transfer.data_folder import DataFolder
from .answers import Refusal, Refused
from .context import Context

_SPACE = 28
"""ENOSPC: there is no room on the disk."""


def opened_folder(context: Context) -> DataFolder | Refused:
    """What store and journal belong to; refused where they belong to nothing on a disk."""
    return context.services.data_folder or Refused(Refusal.NO_FILES)


def as_storage(error: OSError, file: str) -> StorageError:
    """What the system says of a file of ours, in the terms of storage."""
    full, refused = error.errno == _SPACE, isinstance(error, PermissionError)
    fault = Fault.FULL if full else Fault.READ_ONLY if refused else Fault.UNREADABLE
    return StorageError(f"{file}: {error}", file=file, fault=fault)
