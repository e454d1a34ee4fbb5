"""The fitted numbers of topic boundaries, from the file that comes with the plugin."""

from collections.abc import Callable
from pathlib import Path

from ..scoring.boundaries import BoundaryModels, Unfit, parsed

BOUNDARIES = Path(__file__).resolve().parent.parent / "scoring" / "boundaries.json"


def boundaries(
    report: Callable[[str, str], object], file: Path = BOUNDARIES
) -> BoundaryModels | None:
    """The models of boundaries; without them, which is reported, episodes end at their size."""
    try:
        return parsed(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, Unfit) as error:
        report("boundaries", f"{type(error).__name__}: {file.name}: {error}")
        return None
