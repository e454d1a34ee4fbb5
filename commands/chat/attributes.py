"""What an attribute of a person, and a relative, is called."""

from ...core.model.claims import LONG_AGO, Claim
from ...core.text.quoting import quoted
from .request import Request

LONGEST = 40

NAMED = tuple(
    (
        "residence home_town workplace job school birthday age name nickname partner marital diet"
        " allergy illness medication pet hobby like favourite language car commute device contact"
        " schedule instruction family friend child height weight habit skill team boss"
        " marriage_date alcohol unmentioned"
    ).split()
)
"""Attributes that have a name in every language; any other goes by its key."""


RELATIVES = tuple(
    (
        "mother father parents partner son daughter child brother sister grandmother grandfather"
        " uncle aunt cousin grandson granddaughter niece nephew mother_in_law father_in_law"
        " son_in_law daughter_in_law brother_in_law sister_in_law friend classmate flatmate"
        " colleague boss dog cat rabbit hamster"
    ).split()
)
"""Relatives and pets that have a name in every language; any other goes by what it is called."""


def relative(request: Request, name: str) -> str:
    """Of a claim's subject what somebody is to who said it."""
    return request.say(f"kin.{name}") if name in RELATIVES else quoted(name, LONGEST)


def attribute(request: Request, key: str) -> str:
    """Of "pet:bees" the name of pets, with the bees."""
    general, _, special = key.partition(":")
    if general not in NAMED:
        return quoted(key, LONGEST)
    told = request.say(f"attribute.{general}")
    return f"{told} ({quoted(special, LONGEST)})" if special else told


def since(request: Request, claim: Claim) -> str:
    """The day since when it is so, or that it is long past."""
    long_ago = claim.valid_from == LONG_AGO
    return request.say("show.long_ago") if long_ago else request.date(claim.valid_from)
