"""People who tell how things change, each of a slot once, and the questions after it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ..datasets.cdconv import Exchange
from ..datasets.everyday import Change
from .noise import exchange_lines
from .script import DAY, PLATFORM, Asked, Life, Line, Recorded
from .sources import named

ASKED_AT = 1_735_689_600.0 - DAY
"""31 December 2024: every change is over by then."""

_NAMES = {"zh": "小林", "en": "Ann"}
_OF_A_DAY = 3_600.0


def changers(changes: Sequence[Change], noise: Iterator[Exchange]) -> list[Life]:
    """As few people as there are changes of one slot by one hand in one language, or more."""
    people: defaultdict[tuple[str, str], list[dict[str, Change]]] = defaultdict(list)
    for change in changes:
        known = people[change.hand, change.language]
        free = next((one for one in known if change.slot not in one), None)
        if free is None:
            free = {}
            known.append(free)
        free[change.slot] = change
    return [
        _changer(f"changer-{hand}-{language}-{number}", language, list(told.values()), noise)
        for (hand, language), own in sorted(people.items())
        for number, told in enumerate(own)
    ]


def _changer(
    name: str, language: str, changes: Sequence[Change], noise: Iterator[Exchange]
) -> Life:
    speaker = Speaker(name, _NAMES[language])
    lines: list[Line] = []
    recorded: list[Recorded] = []
    for number, change in enumerate(changes):
        for index, told in enumerate(change.told):
            label = f"{change.id}:{index}"
            at = ASKED_AT - told.days_ago * DAY - _OF_A_DAY * (1 + number % 12)
            lines.append(Line(at, speaker, told.text, label))
            # A story of the past, told when something else holds.
            over = not told.current and any(one.current for one in change.told[:index])
            fact = Recorded(told.text, frozenset({label}), change.slot, told.value, over)
            recorded.append(fact)
    for line, exchange in zip(list(lines), islice(noise, len(lines)), strict=False):
        lines += exchange_lines(exchange, speaker, line.at + 5 * 60 + _OF_A_DAY / 2)
    scope = Scope(ScopeKind.PRIVATE, PLATFORM, name)
    lines.sort(key=lambda line: line.at)
    asked = [one for change in changes for one in _asked(change)]
    life = Life(name, language, scope, tuple(lines), recorded=tuple(recorded), changes=tuple(asked))
    return named(life)


def _asked(change: Change) -> Iterator[Asked]:
    # What is out of date now is right of the past; a history tells it by the values alone.
    former = *change.stale, *(told.value for told in change.told if not told.current)
    for past, texts in ((False, change.ask_now), (True, change.ask_past)):
        right, wrong = (former, change.current) if past else (change.current, change.stale)
        for text in texts:
            yield Asked(
                change.id, change.hand, change.language, change.listed, text, past, right, wrong
            )
