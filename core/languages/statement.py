"""Forms in which people state something of themselves, for learning without a model. Values only.

What no form fits is found as a raw turn. A language has at most `MOST_FORMS`, for what nearly
everybody says in nearly the same words.
"""

import re
from dataclasses import dataclass

from ..model.memory import Facet, Kind

MOST_FORMS = 15


@dataclass(frozen=True, slots=True)
class StatementForm:
    """A clause that `pattern` matches from start to end, in simplified characters.

    Its groups: `x`, the value; `kin`, the speaker's relative or pet that it is about; `called`, the
    name of whoever `x` is. `text` tells it, with `{who}`, `{x}` and `{kin}`; without one the
    sentence is quoted. `slot` names the attribute whose value `x` is; with `denied` it is disliked.

    A prospective form counts only with a time to come in its sentence. One that is `asked` of the
    bot may end in a question mark; in what follows `x` of a request is read as a clause of its own.
    """

    slot: str
    pattern: re.Pattern[str]
    text: str = ""
    importance: float = 0.65
    kind: Kind = Kind.SEMANTIC
    facet: Facet | None = None
    denied: bool = False
    asked: bool = False


def form(
    slot: str,
    pattern: str,
    text: str = "",
    importance: float = 0.65,
    kind: Kind = Kind.SEMANTIC,
    facet: Facet | None = None,
    *,
    denied: bool = False,
    asked: bool = False,
) -> StatementForm:
    """A form whose pattern is a regular expression for letters of either case."""
    compiled = re.compile(pattern, re.IGNORECASE)
    return StatementForm(slot, compiled, text, importance, kind, facet, denied, asked)


@dataclass(frozen=True, slots=True)
class StatementForms:
    """The `forms` of one language, tried in order; `nameless` is what a person without a name is.

    `taken_back` matches a clause that takes back what was said just before it, `instead` one that
    gives another value `x` for it. After a clause that was read the next may leave out its
    `subject`.
    """

    forms: tuple[StatementForm, ...]
    taken_back: re.Pattern[str]
    instead: re.Pattern[str]
    subject: str
    nameless: str
    trailing: str = ""
    """Characters at the end of a clause that say nothing."""


@dataclass(frozen=True, slots=True)
class WishForms:
    """How people wish that a message is `unkept`, and that what a group names is forgotten."""

    unkept: re.Pattern[str]
    forget: re.Pattern[str]
