"""Whether somebody speaks of themselves. Pure."""

from .language import Marker
from .markers import codes_in, marker


def after_first_person(text: str) -> str:
    """The text behind the last place where somebody speaks of themselves; "" without one."""
    found = [*marker(Marker.FIRST_PERSON, codes_in(text)).finditer(text)]
    return text[found[-1].end() :] if found else ""


def is_first_person(text: str) -> bool:
    """Whether somebody speaks of themselves in it, so that its meaning depends on who says it."""
    return marker(Marker.FIRST_PERSON, codes_in(text)).search(text) is not None
