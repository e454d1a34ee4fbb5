"""Whether somebody speaks of themselves. Pure."""

from .language import Marker
from .markers import codes_in, marker
from .registry import written_out


def is_first_person(text: str) -> bool:
    """Whether somebody speaks of themselves in it, so that its meaning depends on who says it."""
    said = written_out(text)
    return marker(Marker.FIRST_PERSON, codes_in(said)).search(said) is not None
