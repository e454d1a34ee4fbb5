"""What the people of `dev.py run --demo` and their group say, ask, and what is learnt of it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_WRITTEN: Mapping[str, Any] = json.loads(
    Path(__file__).with_name("demo_lives.json").read_text("utf-8")
)


@dataclass(frozen=True, slots=True)
class Told:
    """So many days ago it was said; `learnt` is what a good reader keeps, "" for nothing.

    `slot` and `value` are of a fact that has one value at a time.
    """

    days_ago: float
    text: str
    learnt: str = ""
    kind: str = "semantic"
    slot: str = ""
    value: str = ""
    importance: float = 0.5


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a private chat."""

    id: str
    name: str
    language: str
    told: tuple[Told, ...]
    asked: tuple[str, ...]


def _people() -> Iterator[Person]:
    for each in _WRITTEN["people"]:
        told = tuple(Told(**one) for one in each["told"])
        yield Person(each["id"], each["name"], each["language"], told, tuple(each["asked"]))


def _group() -> Iterator[tuple[str, str, Told]]:
    for each in _WRITTEN["group"]["said"]:
        told = {key: value for key, value in each.items() if key not in ("id", "name")}
        yield each["id"], each["name"], Told(**told)


PEOPLE = tuple(_people())
YU = PEOPLE[0]
GROUP_ID, GROUP_NAME = _WRITTEN["group"]["id"], _WRITTEN["group"]["name"]
GROUP = tuple(_group())
"""Whose account, called what, says it there."""

OPPOSED = frozenset(_WRITTEN["opposed"])
"""Two lines of which nobody can tell which holds."""

NAMES = {name: kind for kind, names in _WRITTEN["names"].items() for name in names}
"""Who and what is named, and what each is."""
