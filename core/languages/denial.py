"""Clauses in which somebody says that they know nothing of what was asked. Pure."""

from .language import Marker
from .markers import codes_in, marker


def without_denials(text: str) -> str:
    """What is left without them: nothing of "I remember nothing about that."."""
    codes = codes_in(text)
    denial = marker(Marker.DENIAL, codes)
    clauses = marker(Marker.CLAUSE_END, codes).split(text)
    return "\n".join(clause for clause in clauses if not denial.search(clause))
