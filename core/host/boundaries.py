"""The fitted numbers of topic boundaries, from the file that comes with the plugin."""

from collections.abc import Callable
from pathlib import Path

from ..scoring import boundary_file
from ..scoring.boundaries import BoundaryModels

BOUNDARIES = Path(__file__).resolve().parent.parent / "scoring" / "boundaries.json"


def boundaries(
    report: Callable[[str, str], object], file: Path = BOUNDARIES
) -> BoundaryModels | None:
    """The models of boundaries; without them, which is reported, episodes end at their size."""
    try:
        return boundary_file.parsed(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, boundary_file.Unfit) as error:
        report("boundaries", f"{type(error).__name__}: {file.name}: {error}")
        return None
