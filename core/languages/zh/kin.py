"""What relatives, friends and pets are called in Chinese, by one name each. Pure."""

import re

POSSESSIVE = "我的?"
OWNER = "(?:[我咱你您他她]们?|家)[的家里]?的?[大小]?|(?<=[\u4e00-\u9fffA-Za-z])的[大小]?"
GENITIVES = ("的",)
NO_KIN = "夫|媳|们"
KIN = {
    "mother": "妈妈?|母亲|老妈",
    "father": "爸爸?|父亲|老爸",
    "parents": "父母|爸妈",
    "partner": "老婆|妻子|太太|媳妇|老公|丈夫|先生|爱人|对象|[女男]朋?友",
    "son": "儿子",
    "daughter": "女儿|闺女",
    "child": "孩子|宝宝",
    "brother": "哥哥?|弟弟?|兄弟",
    "sister": "姐姐?|妹妹?|姐妹",
    "grandmother": "奶奶|外婆|姥姥",
    "grandfather": "爷爷|外公|姥爷",
    "uncle": "舅舅?|叔叔?|伯伯?|姑父|姨父",
    "aunt": "姑姑?|阿姨|姨妈?|婶婶?|舅妈",
    "cousin": "[表堂][哥弟姐妹]",
    "friend": "朋友|闺蜜",
    "classmate": "同学|同桌",
    "flatmate": "室友|舍友",
    "colleague": "同事",
    "boss": "领导|老板|上司",
    "dog": "狗狗?|小狗",
    "cat": "猫猫?|猫咪|小猫",
    "rabbit": "兔子?",
    "hamster": "仓鼠",
}

WORDS = {
    kin: word
    for kin, called in KIN.items()
    if (word := re.sub(r"\w\?", "", called.partition("|")[0])).isalpha()
}
"""The first word for each that is a word as it stands."""
