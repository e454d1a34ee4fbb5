"""How a language says that something intended was done, or given up. Values only."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


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
