"""A Chinese speaker's own words, told about the speaker. Pure."""

import re

from ..scripts import either_script
from .words import KIN

FIRST_PERSON = "(?:(?<!自)我的?(?!们)|本人的?|俺的?)(?![^《》]*》)"
PLURAL = either_script("我们|咱们?")
TODAY = either_script("(?<!到)(?:就?在)?今[天早晚日](?![的起年之])(?:早上|上午|中午|下午|晚上)?")
_OWN = either_script(FIRST_PERSON)
_NAMING = either_script("(?<=[叫喊])我(?=[^的，]{1,6}$)")
"""别叫我哥 is about being called so, not about a brother."""

_LATIN = re.compile("[A-Za-z0-9]")

_KIN = either_script(rf"我(?={KIN}|生日|职业|身高|体重|血型|星座|家乡|老家)")


def told(clause: str, who: str) -> str:
    """The first 我 becomes `who`, every later one 自己."""
    named = iter([who])

    def subject(match: re.Match[str]) -> str:
        name = next(named, "自己")
        of = "的" if match.group().endswith("的") else ""
        # 我15号 of somebody called u1 is no 115th.
        runs_on = _LATIN.search(name[-1:]) and _LATIN.match(match.string, match.end())
        return name + of + (" " if runs_on and not of else "")

    return _OWN.sub(subject, _KIN.sub("我的", clause))


def asked(clause: str, who: str) -> str:
    """A request to the bot, without the 你 it is addressed with."""
    return re.sub("[你您]", "", told(_NAMING.sub(who, clause), who))
