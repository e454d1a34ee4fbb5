"""What an attribute of a person, and a relative, is called."""

from ...core.model.claims import LONG_AGO, Claim
from ...core.text.quoting import quoted
from .request import Request

LONGEST = 40


def relative(request: Request, name: str) -> str:
    """Of a claim's subject what somebody is to who said it."""
    return request.named(f"kin.{name}", quoted(name, LONGEST))


def attribute(request: Request, key: str) -> str:
    """Of "pet:bees" the name of pets, with the bees."""
    general, _, special = key.partition(":")
    told = request.named(f"attribute.{general}")
    if not told:
        return quoted(key, LONGEST)
    return f"{told} ({quoted(special, LONGEST)})" if special else told


def since(request: Request, claim: Claim) -> str:
    """The day since when it is so, or that it is long past."""
    long_ago = claim.valid_from == LONG_AGO
    return request.say("show.long_ago") if long_ago else request.date(claim.valid_from)
