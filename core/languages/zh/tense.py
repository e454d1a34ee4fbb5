"""Whether a recurring time (周五) is a habit, past or to come, in Chinese. Pure."""

import re

from ...text.time.calendar import Leaning, Reference

_CLAUSE = re.compile(r"[，。！？；,!?;\n]")
_OVER = re.compile(r"[了过](?!年)|没|那[次时会]|当时|记得|上次")
_HABIT = re.compile(
    r"每|一般|通常|经常|常常|时常|偶尔|往往|平时|平常|习惯|从不|从来|总[是爱会在]|老[是爱在]|基本上?[都不]"
    r"|都(?!.*[了过])"
)
_NOT_DONE = re.compile(r"[我你他她它们大家也又是人的一]{0,4}不(?![想能去在要来会是用行得好太知敢])")
_WEATHER = re.compile(
    r"(?:天气|气温|温度|气候|适合|人[多少]|机票).{0,8}(?:怎|如何|吗|呢|哪|什么|多少|不|会|贵|[?？])"
    r"|[冷热潮晒]不[冷热潮晒]|[冷热]吗|[会要]下[雨雪]|穿什么|[放休]几天|怎么放假|天气预报"
)


def _clause(m: re.Match[str]) -> tuple[str, str]:
    """What stands in the clause before a match, and what stands after it."""
    start = max((each.end() for each in _CLAUSE.finditer(m.string, 0, m.start())), default=0)
    end = _CLAUSE.search(m.string, m.end())
    return m.string[start : m.start()], m.string[m.end() : end.start() if end else None]


def is_over(m: re.Match[str]) -> bool:
    """Whether the clause of a match tells of what was."""
    return _OVER.search("，".join(_clause(m))) is not None


def is_habit(m: re.Match[str]) -> bool:
    """Whether the clause of a match tells of what is done, or not done, each time."""
    before, after = _clause(m)
    if _HABIT.search(before) or _HABIT.search(after):
        return True
    return _NOT_DONE.match(after) is not None and not is_over(m)


def leaning_of(m: re.Match[str], here: Reference) -> Reference:
    """The reference for what comes round: who asks for the weather asks of the next time."""
    asked = any(_WEATHER.search(part) for part in _clause(m))
    return Reference(here.now, Leaning.FUTURE) if asked and not is_over(m) else here
