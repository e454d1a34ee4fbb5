"""What Chinese speakers' people are called and whose star sign is which, as patterns. Pure.

Tried first: rules for what somebody is or has read the same words as something less.
"""

from ..extraction_rule import ExtractionRule
from .changes import ADVERBS, KIN_OR_SELF
from .facts import fact
from .words import KIN

_CALLED = r"(?P<x>(?![这那哪你您他她它我不没很太好])[^了你您，的]{1,10}?)"

RULES: tuple[ExtractionRule, ...] = (
    fact(
        "name of kin",
        "name",
        rf"我(?:们?家)?里?(?:还|也)?有了?一?[个位](?:{KIN})(?:名字)?叫做?{_CALLED}",
    ),
    fact(
        "zodiac animal",
        "zodiac_animal",
        rf"{KIN_OR_SELF}{ADVERBS}是?属(?P<x>[鼠牛虎兔龙蛇马羊猴鸡狗猪])的?",
    ),
    fact(
        "zodiac",
        "zodiac",
        rf"{KIN_OR_SELF}{ADVERBS}是?一?个?(?P<x>(?:白羊|牡羊|金牛|双子|巨蟹|狮子|处女|天秤|天平|天蝎"
        r"|射手|人马|摩羯|山羊|魔羯|水瓶|双鱼)座)的?(?:男|女)?生?",
    ),
)
