"""Questions that name an attribute of somebody, and those that only seem to."""

import pytest
from astrbot_plugin_tidemark.core.conflict.slots import canonical
from astrbot_plugin_tidemark.core.languages.inquiries import Inquiry, inquiries
from astrbot_plugin_tidemark.core.languages.registry import languages
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "key", "who"),
    [
        ("where do I live", "residence", ""),
        ("我现在住哪", "residence", ""),
        ("我目前住哪個縣市？", "residence", ""),
        ("what's my job", "job", ""),
        ("Do you remember what my job is?", "job", ""),
        ("remind me where I work", "workplace", ""),
        ("你还记得我在哪上班吗", "workplace", ""),
        ("我是做什么工作的呀", "job", ""),
        ("我老公在哪上班", "workplace", "我老公"),
        ("我老公是做什么的", "job", "我老公"),
        ("我老公几岁", "age", "我老公"),
        ("我爸干嘛的", "job", "我爸"),
        ("我老公是谁", "partner", ""),
        ("我开什么车", "car", ""),
        ("我养了什么宠物", "pet", ""),
        ("have I got any pets", "pet", ""),
        ("我家猫叫什么名字", "pet", ""),
        ("which languages do I speak?", "language", ""),
        ("how old is my little brother", "age", "my little brother"),
        ("我妈妈生日是哪天", "birthday", "我妈妈"),
        ("what is my wife's occupation", "job", "my wife"),
        ("where does Anna live?", "residence", "Anna"),
        ("小明住在哪里", "residence", "小明"),
        ("you should call me what? well, what am I allergic to?", "allergy", ""),
        ("我对什么过敏来着", "allergy", ""),
        ("我还抽不抽烟", "smoking", ""),
        ("以前在哪儿上班", "workplace", ""),
        ("我还在学钢琴吗", "language", ""),
        ("我搬到哪了", "residence", ""),
        ("am I still in Leeds?", "residence", ""),
        ("who employs me", "workplace", ""),
        ("what does my dad do", "job", "my dad"),
    ],
)
def test_a_question_names_what_it_asks_for_and_of_whom(text: str, key: str, who: str) -> None:
    found = inquiries(text)
    assert found, text
    assert (found[0].keys[0], found[0].who) == (key, who)


@pytest.mark.parametrize(
    ("text", "key", "who"),
    [
        ("which postcode do I put on my parcels", "residence", ""),
        ("whose approval do I need, who approves my leave", "boss", ""),
        ("what do I have in my cup every morning, coffee or what", "favourite:drink", ""),
        ("what sort of shop does my sister keep", "business", "my sister"),
        ("我的快递一般寄到哪", "residence", ""),
        ("我请假归谁批", "boss", ""),
        ("我爸现在靠什么养家", "job", "我爸"),
        ("我平時騎什麼去公司", "commute", ""),
    ],
)
def test_a_question_of_ones_own_life_asks_for_what_its_words_are_about(
    text: str, key: str, who: str
) -> None:
    found = inquiries(text)
    assert found, text
    assert (found[0].keys[0], found[0].who) == (key, who)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("can I eat peanuts?", "diet"),
        ("would it be safe for me to eat shellfish", "diet"),
        ("what can they serve me for a drink", "favourite:drink"),
        ("我能吃花生吗", "allergy"),
        ("给我做菜要避开什么", "allergy"),
        ("送我什么爱好相关的礼物合适", "hobby"),
        ("我该找谁请假", "boss"),
    ],
)
def test_what_suits_somebody_is_asked_of_their_own_life(text: str, key: str) -> None:
    assert key in [one for each in inquiries(text) for one in each.keys[:2]]


@pytest.mark.parametrize(
    "text", ["can I have a recipe", "can I eat out with my in-laws", "给我推荐个电影合适吗"]
)
def test_what_the_bot_is_to_find_is_not(text: str) -> None:
    assert inquiries(text) == ()


def test_of_a_question_known_by_its_words_it_is_told_that_it_is() -> None:
    (told,) = inquiries("我的快递一般寄到哪")
    assert told.words
    (asked,) = inquiries("我住在哪里")
    assert not asked.words


def test_what_somebody_else_is_called_is_no_name_of_the_speaker() -> None:
    (told,) = inquiries("我大学室友叫什么名字")
    assert "name" not in told.keys


@pytest.mark.parametrize(
    "text",
    [
        "how old is my godson",
        "where does my stepmother live these days",
        "我表哥今年多大",
        "what did I eat yesterday",
        "我昨天喝了什么酒",
        "why is my coffee cold",
    ],
)
def test_others_and_occasions_are_no_attributes_of_the_speaker(text: str) -> None:
    assert inquiries(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "what's the capital of France",
        "法国的首都是哪里",
        "where can I live cheaply",
        "what job should I take?",
        "我住哪里比较好",
        "我该换个什么工作",
        "how do I boil an egg",
        "我养了一只猫",
        "我吃素",
        "我有驾照",
        "I love my job, my wife, and my dog",
        "我家猫吃什么好",
        "在哪上班呀",
        "你现在是已经上学了呢，还是在工作？",
        "你住哪",
        "what do you do?",
        "谁是美国总统",
        "外卖又迟到了",
        "what is the best phone",
        "我去哪了",
        "我在哪里可以买到",
        "",
        "?" * 500,
        "where do I live " * 40,
    ],
)
def test_knowledge_advice_statements_and_the_bot_are_no_such_questions(text: str) -> None:
    assert inquiries(text) == ()


def test_every_key_that_is_asked_for_is_one_that_claims_are_kept_under() -> None:
    asking = [each.attributes for each in languages() if each.attributes is not None]
    tables = (table for each in asking for table in (each.nouns, each.patterns))
    keys = {key for table in tables for _, keys in table for key in keys}
    assert {key: canonical(key) for key in keys} == {key: key for key in keys}


def test_what_is_asked_twice_is_asked_once() -> None:
    assert inquiries("Where do I live? I mean it, where do I live?") == (Inquiry(("residence",)),)


def test_of_a_question_of_two_hundred_clauses_the_last_are_read() -> None:
    many = "、我今天很忙，" * 200
    assert inquiries(f"{many}我住在哪里？") == (Inquiry(("residence",)),)
    assert inquiries(f"我住在哪里？{many}") == ()


@settings(deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_read(text: str) -> None:
    assert all(each.keys for each in inquiries(text))


@pytest.mark.parametrize(
    ("whole", "short"),
    [
        ("我养了什么宠物", "养了什么宠物"),
        ("我老婆叫什么", "老婆叫什么"),
        ("我在哪上班来着", "在哪上班来着"),
        ("我对什么过敏", "对什么过敏"),
        ("我生日是几号", "生日是几号"),
    ],
)
def test_in_chinese_who_asks_of_themselves_may_leave_themselves_out(whole: str, short: str) -> None:
    assert inquiries(whole)
    assert inquiries(short) == inquiries(whole)
