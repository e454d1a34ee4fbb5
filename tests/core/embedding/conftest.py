"""Sentences whose relation is known, and the local model's file."""

from itertools import combinations

import pytest

UNRELATED = (
    "我女儿下个月要参加钢琴六级考试",
    "公司的服务器昨天晚上又宕机了",
    "楼下新开的火锅店味道很辣",
    "周末打算去莫干山爬山露营",
    "医生说我的血压有点高，少吃盐",
    "他最近在学 Rust，写了一个解析器",
    "猫把我的花瓶打碎了",
    "房租从三千涨到了三千五",
    "My brother is moving to Lisbon in October",
    "The sourdough starter died while we were on holiday",
    "I failed my driving test for the third time",
    "Quarterly revenue grew by twelve percent",
    "She adopted two greyhounds from the shelter",
    "Our telescope photographed the rings of Saturn",
    "The old bicycle needs a new chain and brakes",
    "Chess tournaments make him terribly nervous",
)

PARAPHRASES = (
    ("我对花生过敏，不能吃花生酱", "吃花生我会过敏，花生酱也不行"),
    ("他在杭州的一家银行上班", "他在一家杭州的银行工作"),
    ("我养了一只叫豆豆的橘猫", "豆豆是我养的橘色猫咪"),
    ("下周三要去北京出差", "我下周三去北京出差三天"),
    ("I work as a nurse in a children's hospital", "My job: nurse at the children's hospital"),
    ("She plays the violin in an orchestra", "In the orchestra she is a violin player"),
    ("We are planning a trip to Norway in July", "Our July trip to Norway is being planned"),
    ("My favourite programming language is Python", "Python is the programming language I like"),
)

TRANSLATIONS = (
    ("我对花生过敏", "I am allergic to peanuts"),
    ("她在医院当护士", "She works as a nurse in a hospital"),
    ("我们七月要去挪威旅行", "We are travelling to Norway in July"),
    ("他养了两只狗", "He has two dogs"),
)


@pytest.fixture(scope="session")
def unrelated_pairs() -> list[tuple[str, str]]:
    """120 pairs of Chinese and English sentences about different things."""
    return list(combinations(UNRELATED, 2))


@pytest.fixture(scope="session")
def paraphrases() -> tuple[tuple[str, str], ...]:
    """Pairs that say the same with shared words."""
    return PARAPHRASES


@pytest.fixture(scope="session")
def translations() -> tuple[tuple[str, str], ...]:
    """Pairs that say the same in Chinese and in English."""
    return TRANSLATIONS
