"""What an attribute of a person is called."""

from ...core.text.quoting import quoted
from .request import Request

LONGEST = 40

NAMED = tuple(
    (
        "residence home_town workplace job school birthday age name nickname partner marital diet"
        " allergy illness medication pet hobby like favourite language car commute device contact"
        " schedule instruction family friend child height weight habit skill team boss alcohol"
    ).split()
)
"""Attributes that have a name in every language; any other goes by its key."""


def attribute(request: Request, key: str) -> str:
    """Of "pet:bees" the name of pets, with the bees."""
    general, _, special = key.partition(":")
    if general not in NAMED:
        return quoted(key, LONGEST)
    told = request.say(f"attribute.{general}")
    return f"{told} ({quoted(special, LONGEST)})" if special else told
