"""The ways in which people say something worth remembering. Values only."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..model.memory import Facet, Kind, Mood, Sentiment


@dataclass(frozen=True, slots=True)
class Rule:
    """A clause that `pattern` matches from start to end states something to remember.

    The group `x`, where there is one, is what the statement is about; `thing` is the type of
    entity it names, "" for none. With `template` ("{who}", "{x}") the text is written anew,
    otherwise the clause is put in the third person. `to_bot` rules hold only for what is said
    to the bot.
    """

    name: str
    pattern: re.Pattern[str]
    importance: float
    kind: Kind = Kind.SEMANTIC
    facet: Facet | None = None
    mood: Mood = Mood.NEUTRAL
    thing: str = ""
    template: str = ""
    cues: tuple[str, ...] = ()
    to_bot: bool = False

    @property
    def sentiment(self) -> Sentiment:
        """Likes and dislikes are felt about half as strongly as anything can be."""
        return Sentiment(self.mood, 0.0 if self.mood is Mood.NEUTRAL else 0.5)


def _never_lasts(earlier: str, later: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Extraction:
    """How what people say of themselves is read and told in one language.

    `lead` opens a clause without changing it, `remember` asks to remember the group `x`. `told`
    and `asked` put a clause, and a request to the bot, in the third person, about a name. A
    clause may leave out a `subject` of the clause before it if it `lasts` from rule to rule.
    """

    rules: tuple[Rule, ...]
    lead: re.Pattern[str]
    remember: re.Pattern[str]
    told: Callable[[str, str], str]
    asked: Callable[[str, str], str]
    told_request: Callable[[str, str], str]
    nameless: str
    request: str
    comma: str
    subject: re.Pattern[str] | None = None
    own: str = ""
    lasts: Callable[[str, str], bool] = _never_lasts
