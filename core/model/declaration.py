"""Declaring a setting beside what it sets: its range and its condition. Values only.

Its words are in the catalogues of the languages, under `config` and its name.
"""

from dataclasses import Field, dataclass, field
from enum import StrEnum
from typing import Any

_KEY = "declaration"


class Provider(StrEnum):
    """A kind of the host's providers that its form has no list of."""

    EMBEDDING = "embedding"
    RERANK = "rerank"


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is said of a setting, or of a group of settings.

    `low` and `high` are both allowed; with `step` the form has a slider.
    With `when`, the name of a neighbour and a value, it matters only while that has the value.
    `choices` where the type does not tell them; a `secret` is never shown; `written` is how a text
    is written where not every one will do, by the name of a `Want`. What is declared with a
    `fallback` has that in the place of a value that cannot be used, where the default would record
    what was not to be. `picker` is the host's list to choose from, `provider` the kind of the
    host's providers to choose from where it has no such list. A `basic` setting is always in the
    form.
    """

    low: float | None = None
    high: float | None = None
    step: float | None = None
    when: tuple[str, bool | str] | None = None
    choices: tuple[str, ...] = ()
    secret: bool = False
    written: str = "text"
    fallback: str | None = None
    picker: str = ""
    provider: Provider | None = None
    basic: bool = False


def declared(default: Any, *, within: tuple[float, float] | None = None, **more: Any) -> Any:
    """A dataclass field with this default that is a setting, or a group of them."""
    low, high = within or (None, None)
    told = Declaration(low, high, **more)
    return field(default=default, metadata={_KEY: told})


def declaration_of(item: Field[Any]) -> Declaration | None:
    """What was declared of a field; None for a field that is no setting."""
    return item.metadata.get(_KEY)
