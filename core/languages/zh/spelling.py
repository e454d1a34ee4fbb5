"""Chinese with English words in it: relatives and pets by their Chinese names. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern

_KIN = {
    "cat": "猫",
    "dog": "狗",
    "gf": "女朋友",
    "girlfriend": "女朋友",
    "bf": "男朋友",
    "boyfriend": "男朋友",
    "wife": "老婆",
    "husband": "老公",
    "mom": "妈",
    "mum": "妈",
    "dad": "爸",
    "son": "儿子",
    "daughter": "女儿",
    "boss": "老板",
    "landlord": "房东",
    "roommate": "室友",
}
_OWN = lazy_pattern(
    r"(我(?:的|家的?|家里的?|有一?[个只条]|养了一?[个只条])?)\s?"
    rf"({'|'.join(sorted(_KIN, key=len, reverse=True))})(?![A-Za-z])\s?",
    re.I,
)


def written_out(text: str) -> str:
    """我的cat叫Mochi as 我的猫叫Mochi; a text without such a word as it is."""
    return _OWN.sub(lambda found: found[1] + _KIN[found[2].lower()], text)
