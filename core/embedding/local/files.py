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


def network_file(folder: Path) -> Path:
    """The layers converted for onnxruntime. The number changes with how they are converted."""
    return folder / f"{NAME}.int8-3.onnx"


def sample_file(folder: Path) -> Path:
    """Texts and numpy's vectors of them, by which the converted layers are checked."""
    return network_file(folder).with_suffix(".sample.npz")


def checksum_file(folder: Path) -> Path:
    """The SHA-256 of the weights, as `sha256sum --check` reads it."""
    return checksum_of(weights_file(folder))


def checksum_of(file: Path) -> Path:
    """Where the SHA-256 of a file is written."""
    return file.with_name(f"{file.name}.sha256")


def license_file(folder: Path) -> Path:
    """The model's license."""
    return folder / f"{NAME}.LICENSE"


def status(folder: Path) -> ModelFileState:
    """Compare the weights with their checksum. Reads 71 MB: call it off the event loop."""
    return state_of(weights_file(folder))


def state_of(file: Path) -> ModelFileState:
    """Compare a file with its checksum."""
    try:
        actual = digest(file)
    except FileNotFoundError:
        return ModelFileState.MISSING
    except OSError:
        return ModelFileState.DAMAGED
    try:
        expected = checksum_of(file).read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return ModelFileState.DAMAGED
    return ModelFileState.READY if expected[:1] == [actual] else ModelFileState.DAMAGED


def put_in_place(content: Iterable[bytes], target: Path) -> None:
    """Write a file and its checksum; the file comes last and appears whole."""
    arriving = target.with_name(f"{target.name}.part")
    total = sha256()
    try:
        with arriving.open("wb") as copy:
            for chunk in content:
                total.update(chunk)
                copy.write(chunk)
            copy.flush()
            os.fsync(copy.fileno())
        checksum_of(target).write_text(f"{total.hexdigest()}  {target.name}\n", encoding="utf-8")
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
