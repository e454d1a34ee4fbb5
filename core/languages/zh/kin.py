"""What relatives, friends and pets are called in Chinese, by one name each. Pure."""

import re

POSSESSIVE = "我的?"
GENITIVES = ("的",)
WIDER_FAMILY = {
    "granddaughter": "孙女|外孙女",
    "grandson": "孙子|外孙(?!女)|孙儿",
    "mother_in_law": "婆婆|岳母|丈母娘",
    "father_in_law": "公公|岳父|丈人|老丈人",
    "daughter_in_law": "儿媳妇?",
    "son_in_law": "女婿",
    "sister_in_law": "嫂子|嫂嫂|弟媳妇?|小姑子|小姨子",
    "brother_in_law": "姐夫|妹夫|小舅子|小叔子|大伯子",
    "niece": "侄女|外甥女",
    "nephew": "侄子|侄儿|外甥(?!女)",
}
"""Whose words hold those of nearer relatives: they are tried first."""

KIN = {
    **WIDER_FAMILY,
    "mother": "妈妈?|母亲|老妈",
    "father": "爸爸?|父亲|老爸",
    "parents": "父母|爸妈",
    "partner": "老婆|老伴|妻子|太太|媳妇|老公|丈夫|先生|爱人|对象|[女男]朋?友",
    "son": "儿子",
    "daughter": "女儿|闺女",
    "child": "孩子|宝宝",
    "brother": "哥哥?|弟弟?|兄弟",
    "sister": "姐姐?|妹妹?|姐妹|姊姊?|姊妹",
    "grandmother": "奶奶|外婆|姥姥|阿嬷",
    "grandfather": "爷爷|外公|姥爷|阿公",
    "uncle": "舅舅?|叔叔?|伯伯?|姑父|姨父",
    "aunt": "姑姑?|阿姨|姨妈?|婶婶?|舅妈",
    "cousin": "[表堂][哥弟姐妹]",
    "friend": "朋友|闺蜜",
    "classmate": "同学|同桌",
    "flatmate": "室友|舍友",
    "colleague": "同事",
    "boss": "领导|老板|上司",
    "dog": "狗狗?|小狗|金毛|柯基|柴犬|泰迪|哈士奇|拉布拉多|边牧|博美",
    "cat": "猫猫?|猫咪|小猫|橘猫|布偶|英短|美短|狸花",
    "rabbit": "兔子?",
    "hamster": "仓鼠",
}

WORDS = {
    kin: word
    for kin, called in KIN.items()
    if (word := re.sub(r"\w\?", "", called.partition("|")[0])).isalpha()
}
"""The first word for each that is a word as it stands."""
