"""Durable files: when a function here returns, name and content survive a power failure."""

import errno
import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make the names in a folder outlast a power failure, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        # Windows opens no folder.
        return
    try:
        os.fsync(handle)
    except OSError as error:
        # Some file systems of other machines have no such thing.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def put_text(text: str, file: Path) -> None:
    """Write a whole file, or leave it as it was. Raises OSError."""
    partial = file.with_name(f"{file.name}.partial")
    with partial.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    partial.replace(file)
    sync_folder(file.parent)


def publish(partial: Path, target: Path) -> None:
    """Give a folder that is complete its name, under which there is nothing yet. Raises OSError."""
    for each in partial.rglob("*"):
        if each.is_dir():
            sync_folder(each)
            continue
        with each.open("rb+") as written:
            os.fsync(written.fileno())
    sync_folder(partial)
    partial.rename(target)
    # The folder that it is in may be a new one.
    sync_folder(target.parent)
    sync_folder(target.parent.parent)
