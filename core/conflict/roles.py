"""Two texts of the same words in which two things have changed places. Pure."""

import re

from ..text.normalisation import normalise

_SYMMETRIC = frozenset({"and", "or", "和", "与", "跟", "同", "及", "、", "或", "或者"})
_UNIT = re.compile(r"[\u3400-\u9fff]|[^\W_]+(?:'\w+)?|、")


def swapped(one: str, other: str) -> bool:
    """Whether "X verb Y" has become "Y verb X": who bites whom is another matter.

    A list in another order, or words moved together, is none of it.
    """
    first, second = _units(one), _units(other)
    if first == second or sorted(first) != sorted(second):
        return False
    while first[0] == second[0]:
        first, second = first[1:], second[1:]
    while first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    return _exchanged(first, second)


def _exchanged(first: list[str], second: list[str]) -> bool:
    for x in range(1, len(first) - 1):
        for y in range(1, len(first) - x):
            middle = first[x : len(first) - y]
            if second == first[-y:] + middle + first[:x]:
                return "".join(middle) not in _SYMMETRIC
    return False


def _units(text: str) -> list[str]:
    return _UNIT.findall(normalise(text))[:200]
