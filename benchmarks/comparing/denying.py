"""CDConv as a life: somebody says one thing and, in every second pair, later the opposite.

The two answers of an exchange are said by one person of himself, on two days, and the turn that
got the second is asked at the end. Where the answers contradict each other, both are needed.
"""

from collections.abc import Sequence

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ..datasets.cdconv import Exchange
from ..living.script import CONTRADICTION, DAY, Life, Line, Need, Part

BEGINNING = 1_704_067_200.0
"""1 January 2024, UTC."""

PERSON = Speaker("denier", "小林")
PAIRS = 40
"""Of either sort: what is said once again, and what is denied."""

SHORTEST, LONGEST = 5, 60
"""Characters of an answer."""

APART = 3 * 3_600.0
PER_DAY = 6


def life_of(exchanges: Sequence[Exchange]) -> list[Life]:
    """One life with as many contradictions as consistent pairs; none without any."""
    fitting = [each for each in exchanges if _fits(each)]
    denied = [each for each in fitting if each.contradicts]
    agreeing = [each for each in fitting if not each.contradicts]
    both = zip(denied[:PAIRS], agreeing[:PAIRS], strict=False)
    pairs = [each for pair in both for each in pair]
    if not pairs:
        return []
    half = (len(pairs) // PER_DAY + 7) * DAY
    lines = [
        Line(BEGINNING + side * half + _when(number), PERSON, text, f"c{number}:{side}")
        for number, each in enumerate(pairs)
        for side, text in enumerate((each.answer, each.second_answer))
    ]
    lines.sort(key=lambda line: line.at)
    needs = tuple(_need(number, each) for number, each in enumerate(pairs))
    scope = Scope(ScopeKind.PRIVATE, "cdconv", PERSON.id)
    return [Life("denier", "zh", scope, tuple(lines), needs)]


def _fits(told: Exchange) -> bool:
    """Whether the bot is asked about itself, and says something of itself both times."""
    asked = "你" in told.second and "我" not in told.second and told.second.endswith(("？", "?"))
    return asked and _states(told.answer) and _states(told.second_answer)


def _states(answer: str) -> bool:
    return (
        SHORTEST <= len(answer) <= LONGEST
        and "我" in answer
        and not any(mark in answer for mark in ("？", "?", "你", "不知道"))
    )


def _when(number: int) -> float:
    return number // PER_DAY * DAY + number % PER_DAY * APART


def _need(number: int, told: Exchange) -> Need:
    parts = tuple(Part(frozenset({f"c{number}:{side}"})) for side in (0, 1))
    asked = told.second.replace("你", "我")
    category = CONTRADICTION if told.contradicts else "consistent"
    return Need(f"cdconv:{number}", "cdconv", category, asked, PERSON, parts)
