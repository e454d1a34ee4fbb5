"""The files of the local model in its folder, and whether they are whole."""

import os
from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

NAME = "multilingual-e5-small-q4"
CHUNK = 1 << 20


class ModelFileState(StrEnum):
    """Whether a file of the model can be used."""

    MISSING = "missing"
    DAMAGED = "damaged"
    READY = "ready"


def weights_file(folder: Path) -> Path:
    """Where the weights are kept."""
    return folder / f"{NAME}.npz"


def checksum_file(folder: Path) -> Path:
    """The SHA-256 of the weights, as `sha256sum --check` reads it."""
    return folder / f"{NAME}.npz.sha256"


def license_file(folder: Path) -> Path:
    """The model's license."""
    return folder / f"{NAME}.LICENSE"


def status(folder: Path) -> ModelFileState:
    """Compare the weights with their checksum. Reads 71 MB: call it off the event loop."""
    try:
        actual = digest(weights_file(folder))
    except FileNotFoundError:
        return ModelFileState.MISSING
    except OSError:
        return ModelFileState.DAMAGED
    try:
        expected = checksum_file(folder).read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return ModelFileState.DAMAGED
    return ModelFileState.READY if expected[:1] == [actual] else ModelFileState.DAMAGED


def put_in_place(content: Iterable[bytes], folder: Path) -> None:
    """Write the weights and their checksum; the weights come last and appear whole."""
    target = weights_file(folder)
    arriving = target.with_name(f"{target.name}.part")
    total = sha256()
    try:
        with arriving.open("wb") as copy:
            for chunk in content:
                total.update(chunk)
                copy.write(chunk)
            copy.flush()
            os.fsync(copy.fileno())
        told = f"{total.hexdigest()}  {target.name}\n"
        checksum_file(folder).write_text(told, encoding="utf-8")
        arriving.replace(target)
    finally:
        arriving.unlink(missing_ok=True)


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    total = sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            total.update(chunk)
    return total.hexdigest()
