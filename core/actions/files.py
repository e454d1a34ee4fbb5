"""Failures of the system at our files, in the terms of storage."""

from ..model.errors import Fault, StorageError

_SPACE = 28
"""ENOSPC: there is no room on the disk."""


def as_storage(error: OSError, file: str) -> StorageError:
    """What the system says of a file of ours, in the terms of storage."""
    full, refused = error.errno == _SPACE, isinstance(error, PermissionError)
    fault = Fault.FULL if full else Fault.READ_ONLY if refused else Fault.UNREADABLE
    return StorageError(f"{file}: {error}", file=file, fault=fault)
