"""Random JSON values: any shape, near a shape that is wanted, and as broken text."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from .text import hostile_text

DEEP = 10_000
MOST_MEMBERS = 5

NUMBERS = (
    *(0, 1, -1, 2, 7, 40, 100_000, 2**31, -(2**63) - 1, 10**30, 10**308, 10**400),
    *(0.0, -0.0, 0.5, 1.0000001, 1e-320, 1e300, -1e300, 1.7976931348623157e308),
    *(float("nan"), float("inf"), float("-inf")),
)


def any_value(chance: Random, depth: int = 3) -> Any:
    """A JSON value of any type; one in 200 is a list in a list `DEEP` levels down."""
    kind = chance.random()
    if kind < 0.005:
        return nested(DEEP)
    if depth and kind < 0.2:
        return [any_value(chance, depth - 1) for _ in range(chance.randint(0, MOST_MEMBERS))]
    if depth and kind < 0.4:
        members = range(chance.randint(0, MOST_MEMBERS))
        return {hostile_text(chance, 12): any_value(chance, depth - 1) for _ in members}
    if kind < 0.6:
        return chance.choice((True, False, None))
    if kind < 0.8:
        return chance.choice(NUMBERS)
    return hostile_text(chance)


def nested(depth: int) -> Any:
    """A list in a list in a list."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def disturbed(chance: Random, value: Any, rate: float) -> Any:
    """The value with some members lost, doubled, replaced or added, each at the `rate`."""
    if chance.random() < rate:
        return any_value(chance)
    match value:
        case Mapping():
            kept = {k: v for k, v in value.items() if chance.random() >= rate}
            extra = {hostile_text(chance, 12): any_value(chance)} if chance.random() < rate else {}
            return {**{k: disturbed(chance, v, rate) for k, v in kept.items()}, **extra}
        case list():
            twice = [*value, *(v for v in value if chance.random() < rate)]
            return [disturbed(chance, v, rate) for v in twice if chance.random() >= rate]
        case _:
            return value


def as_text(value: Any) -> str:
    """JSON text, with NaN and Infinity where they stand; a value nested too deeply by hand."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "[" * DEEP + "]" * DEEP


def broken(chance: Random, text: str) -> str:
    """The text cut off, wrapped, with a part missing or with something typed into it."""
    at = chance.randint(0, len(text))
    match chance.randrange(8):
        case 0:
            return text[:at]
        case 1:
            return text[at:]
        case 2:
            return text[:at] + hostile_text(chance) + text[at:]
        case 3:
            return f"```json\n{text}\n```\n"
        case 4:
            return f"<think>{text[:at]}</think> Here you are: {text} {{"
        case 5:
            return text + text
        case 6:
            return text.replace('"', "'")
        case _:
            return "{" * chance.choice((1, 40, DEEP)) + text
