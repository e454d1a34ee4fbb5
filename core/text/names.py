"""Names as identifiers. Pure."""

from .tokens import normalise


def entity_id(name: str) -> str:
    """Id of the entity called `name` within a scope: width, case and spacing do not matter."""
    return " ".join(normalise(name).split())
