"""The fitted numbers, from the files that come with the plugin."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..scoring import asked_attributes_file, boundary_file, memory_need_file
from ..scoring.asked_attributes import UNREAD as UNASKED
from ..scoring.asked_attributes import AskedAttributes
from ..scoring.boundaries import BoundaryModels
from ..scoring.coefficients import Fitted, Unfit, parsed
from ..scoring.defaults import FITTED
from ..scoring.memory_need import UNREAD, MemoryNeed

FILE = Path(__file__).resolve().parent.parent / "scoring" / "coefficients.json"
BOUNDARIES = FILE.with_name("boundaries.json")
MEMORY_NEED = FILE.with_name("memory_need.json")
ASKED_ATTRIBUTES = FILE.with_name("asked_attributes.json")


def shipped(file: Path = FILE) -> tuple[Fitted, str]:
    """What is in force of recall, and why it is not what the file says, "" if it is."""
    try:
        return parsed(file.read_text("utf-8")), ""
    except (OSError, UnicodeDecodeError, Unfit) as error:
        return FITTED, f"{type(error).__name__}: {file.name}: {error}"


def in_force(report: Callable[[str, str], object]) -> Fitted:
    """What is in force; that it is not what the file says is reported as a failure there."""
    fitted, problem = shipped()
    if problem:
        report("coefficients", problem)
    return with_asked(with_need(fitted, memory_need(report)), asked_attributes(report))


def with_need(fitted: Fitted, need: MemoryNeed) -> Fitted:
    """The same models, told what a turn asks for by `need`."""
    return {footing: replace(model, need=need) for footing, model in fitted.items()}


def with_asked(fitted: Fitted, asked: AskedAttributes) -> Fitted:
    """The same models, told by `asked` which attribute of a life a turn asks for."""
    return {footing: replace(model, asked=asked) for footing, model in fitted.items()}


def memory_need(report: Callable[[str, str], object], file: Path = MEMORY_NEED) -> MemoryNeed:
    """What tells that a turn asks for what is remembered; nothing without it, which is reported."""
    try:
        return memory_need_file.parsed(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, Unfit) as error:
        report("memory_need", f"{type(error).__name__}: {file.name}: {error}")
        return UNREAD


def asked_attributes(
    report: Callable[[str, str], object], file: Path = ASKED_ATTRIBUTES
) -> AskedAttributes:
    """What tells which attribute is asked for; nothing without it, which is reported."""
    try:
        return asked_attributes_file.parsed(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, Unfit) as error:
        report("asked_attributes", f"{type(error).__name__}: {file.name}: {error}")
        return UNASKED


def boundaries(
    report: Callable[[str, str], object], file: Path = BOUNDARIES
) -> BoundaryModels | None:
    """What tells where a topic ends; without it, which is reported, episodes end at their size."""
    try:
        return boundary_file.parsed(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, Unfit) as error:
        report("boundaries", f"{type(error).__name__}: {file.name}: {error}")
        return None
