"""Relatives, friends and pets by one name each, however they are called. Pure."""

import re

_NAMES: tuple[tuple[str, str], ...] = (
    ("mother", r"妈妈?|母亲|老妈|mother|mum|mom|mummy"),
    ("father", r"爸爸?|父亲|老爸|father|dad|daddy"),
    ("parents", r"父母|爸妈|parents"),
    ("partner", r"老婆|妻子|太太|媳妇|老公|丈夫|先生|爱人|对象|[女男]朋?友|wife|husband|partner"),
    ("partner", r"girlfriend|boyfriend|fianc[eé]e?|spouse"),
    ("son", r"儿子|sons?|boy|little lad"),
    ("daughter", r"女儿|闺女|daughters?"),
    ("child", r"孩子|宝宝|child|children|kids?|baby"),
    ("brother", r"哥哥?|弟弟?|兄弟|brothers?"),
    ("sister", r"姐姐?|妹妹?|姐妹|sisters?|sis"),
    ("grandmother", r"奶奶|外婆|姥姥|grand(?:ma|mother)|gran|nan"),
    ("grandfather", r"爷爷|外公|姥爷|grand(?:pa|father|dad)"),
    ("uncle", r"舅舅?|叔叔?|伯伯?|姑父|姨父|uncle"),
    ("aunt", r"姑姑?|阿姨|姨妈?|婶婶?|舅妈|aunt(?:ie)?"),
    ("cousin", r"[表堂][哥弟姐妹]|cousin"),
    ("friend", r"朋友|闺蜜|best mate|mate|friend"),
    ("classmate", r"同学|同桌|classmate"),
    ("flatmate", r"室友|舍友|flatmate|roommate"),
    ("colleague", r"同事|colleague|coworker"),
    ("boss", r"领导|老板|上司|boss|manager"),
    ("dog", r"狗狗?|小狗|dogs?|puppy"),
    ("cat", r"猫猫?|猫咪|小猫|cats?|kitten"),
    ("rabbit", r"兔子?|rabbit"),
    ("hamster", r"仓鼠|hamster"),
)
_KIN = tuple((name, re.compile(rf"(?:我的?|my |the )?(?:{p})", re.I)) for name, p in _NAMES)


def kin_of(words: str) -> str:
    """What somebody is to the speaker, by the words that name them; "" if these name nobody."""
    plain = words.strip()
    return next((name for name, pattern in _KIN if pattern.fullmatch(plain)), "")
