"""How a language says that something intended was done, or given up. Values only."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PutOffWords:
    """How people say that something is put off, or brought forward.

    Patterns of single clauses, matched from start to end: the group `x` is what, the group `to`,
    where there is one, the words of its new day.
    """

    patterns: tuple[re.Pattern[str], ...]
    unsure: re.Pattern[str]
    """What makes a clause no news of it."""
    nouns: Mapping[str, str]
    """How an intention says what a noun at the end of the thing says; "" for any way."""
    today: re.Pattern[str]
    """Says the day itself; otherwise an hour alone is one of the day it was for."""
    own: re.Pattern[str]
    """Says that it is the speaker's own."""
    later: re.Pattern[str]
    """Says that it is later than it was."""
    readings: tuple[str, ...]
    """How the words of the new day, `to`, are read: the first that tells of a time."""
    at: str
    """What stands before a date in a text."""
    hour: re.Pattern[str]
    """An hour behind a day, which is told of that day."""
    unset: str
    """What stands in a text for a day that nobody knows yet."""


@dataclass(frozen=True, slots=True)
class ReportWords:
    """Patterns over single clauses, matched from start to end and tried in order.

    The group `x` is what was done or given up. The group `v`, where there is one, is the verb; an
    intention must hold the verb of which `verbs` says how it stands there, by its beginning; one
    that is not listed stands as it is, and "" for any.
    """

    done: tuple[re.Pattern[str], ...]
    given_up: tuple[re.Pattern[str], ...]
    verbs: Mapping[str, str]
    nobody: re.Pattern[str]
    """What makes a clause no report of the speaker's own."""
    around: re.Pattern[str]
    """What stands around what was done and does not name it."""
    reconsider: str
    """How an overturned decision, its `text`, is asked about."""
    empty: frozenset[str] = frozenset()
    """Index terms that name nothing in particular."""
    whole: frozenset[str] = field(default_factory=frozenset[str])
    """Verbs that name something together with the single character they govern."""
    measure: str = ""
    """A regular expression of what may stand between the two."""
    put_off: PutOffWords | None = None
