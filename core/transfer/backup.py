"""What a backup is on the disk: a folder with a manifest, complete or not there."""

import asyncio
import json
import re
import shutil
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from ..model.errors import TidemarkError
from ..ports import DataFiles
from ..records.on_disk import put_text
from .places import stamp

FOLDER = "backups"
VERSION = 1
MANIFEST = "backup.json"
MEMORIES = "memories.jsonl"

_NAME = re.compile(r"\d{8}T\d{6}Z(-\d{1,3})?")


class Occasion(StrEnum):
    """Why a backup was made. Only daily ones expire."""

    DAILY = "daily"
    ASKED = "asked"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup: its name, when it was made (Unix seconds), why, of which backend, its bytes.

    `held` memories were ever kept up to then: those in it, and those deleted on purpose before.
    """

    name: str
    at: float
    occasion: Occasion
    backend: str
    size: int
    memories: int = 0
    held: int = 0


class NoSuchBackup(TidemarkError):
    """There is no complete backup of that name."""


async def every_backup(files: DataFiles) -> list[Backup]:
    """Newest first."""
    return await asyncio.to_thread(_every, files.folder / FOLDER)


def _every(folder: Path) -> list[Backup]:
    if not folder.is_dir():
        return []
    found = [_read(each) for each in folder.iterdir() if _NAME.fullmatch(each.name)]
    backups = [backup for backup in found if backup is not None]
    return sorted(backups, key=lambda backup: (backup.at, backup.name), reverse=True)


def _read(folder: Path) -> Backup | None:
    """The backup in a folder; None for anything else."""
    try:
        written = json.loads((folder / MANIFEST).read_bytes())
        if written["version"] > VERSION:
            return None
        return Backup(
            name=folder.name,
            at=float(written["at"]),
            occasion=Occasion(written["occasion"]),
            backend=str(written["backend"]),
            size=sum(file.stat().st_size for file in folder.iterdir()),
            memories=int(written.get("memories", 0)),
            held=int(written.get("held", 0)),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_manifest(folder: Path, backup: Backup) -> None:
    """What makes a folder a backup, written last."""
    written = {"version": VERSION, **asdict(backup)}
    put_text(json.dumps(written), folder / MANIFEST)


def free_name(folder: Path, now: float) -> str:
    """A name for a backup of that moment that no other has."""
    name = stamp(now)
    names = [name, *(f"{name}-{number}" for number in range(2, 1_000))]
    return next(each for each in names if not (folder / each).exists())


def emptied(folder: Path) -> None:
    """Make the folder anew, with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
