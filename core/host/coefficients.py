"""The fitted numbers of recall, from the file that comes with the plugin."""

from collections.abc import Callable
from pathlib import Path

from ..scoring.coefficients import Fitted, Unfit, parsed
from ..scoring.defaults import FITTED

FILE = Path(__file__).resolve().parent.parent / "scoring" / "coefficients.json"


def shipped(file: Path = FILE) -> tuple[Fitted, str]:
    """What is in force, and why it is not what the file says, "" if it is."""
    try:
        return parsed(file.read_text("utf-8")), ""
    except (OSError, UnicodeDecodeError, Unfit) as error:
        return FITTED, f"{type(error).__name__}: {file.name}: {error}"


def in_force(report: Callable[[str, str], object]) -> Fitted:
    """What is in force; that it is not what the file says is reported as a failure there."""
    fitted, problem = shipped()
    if problem:
        report("coefficients", problem)
    return fitted
