"""Relatives, pets and others by their names, as people in chats speak of them."""

import pytest
from astrbot_plugin_tidemark.core.capture.rule_extraction import extract
from astrbot_plugin_tidemark.core.model.lesson import Candidate

from .test_rule_extraction import turn


def _told(*texts: str) -> list[Candidate]:
    return list(extract([turn(text, seq=n) for n, text in enumerate(texts, 1)]).candidates)


def _claims(*texts: str) -> list[str]:
    found = [(each.claim, each.about[0]) for each in _told(*texts)]
    return [
        f"{claim.whose or ('' if who == '小明' else who)}.{claim.attribute}"
        f"{'≠' if claim.denied else '='}{claim.value}"
        for claim, who in found
        if claim is not None
    ]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("家里养了条狗叫旺财 是只金毛 八岁了", [".pet=狗", "dog.name=旺财", "dog.age=八岁"]),
        ("我養了一隻貓叫咪寶", [".pet=貓", "cat.name=咪寶"]),
        ("我家养了只金毛叫大黄", [".pet=金毛", "dog.name=大黄"]),
        ("我又养了只猫 叫煤球", [".pet=猫", "cat.name=煤球"]),
        ("I have a dog called Rex", [".pet=dog", "dog.name=Rex"]),
        ("I have a son called Ben who is six", [".family=son", "son.name=Ben"]),
        ("我外孙叫豆豆 今年五岁", ["grandson.name=豆豆", "grandson.age=五岁"]),
        ("我媽住台南", ["mother.residence=台南"]),
        ("我太太对花生过敏", ["partner.allergy=花生"]),
        ("my grandson is allergic to nuts", ["grandson.allergy=nuts"]),
        ("my mother-in-law lives in Leeds", ["mother_in_law.residence=Leeds"]),
        ("我在台灣大學讀書", [".school=台灣大學"]),
    ],
)
def test_a_relative_or_pet_is_told_of_with_the_name(text: str, claims: list[str]) -> None:
    """Of 养了条狗叫旺财 no name was kept, so nothing that was said of 旺财 was the dog's."""
    assert _claims(text) == claims


def test_what_is_said_of_a_name_is_said_of_its_bearer() -> None:
    assert _claims("家里养了条狗叫旺财", "旺财前天走了")[-1] == ".pet≠狗"
    assert _claims("我外孙叫豆豆", "豆豆对芒果过敏")[-1] == "grandson.allergy=芒果"
    assert _claims("my grandson is called Tom", "Tom is allergic to nuts")[-1] == (
        "grandson.allergy=nuts"
    )


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("隔壁刘姐明天过七十大寿 她不吃香菜 也不能喝酒", ["刘姐.like≠香菜", "刘姐.alcohol≠酒"]),
        ("隔壁劉姐對花生過敏 她不吃香菜", ["劉姐.allergy=花生", "劉姐.like≠香菜"]),
        ("我同事小王吃素", ["小王.diet=吃素"]),
        ("王叔有糖尿病 每天吃二甲双胍", ["王叔.illness=糖尿病", "王叔.medication=二甲双胍"]),
        ("老张生日是五月三号", ["老张.birthday=五月三号"]),
    ],
)
def test_what_is_to_be_minded_of_somebody_by_name_is_kept(text: str, claims: list[str]) -> None:
    """有什么不能给刘姐吃 found nothing a month later: what was said of her was a raw turn."""
    assert _claims(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "我和小王吃素",
        "小王喜欢吃辣",
        "小王今天不吃饭了",
        "李老师说我不吃饭",
        "刘姐明天过生日，我不吃香菜了",
        "最近認識一個人 叫承恩 在出版社當編輯",
        "我最近认识了一个男生 在腾讯上班",
    ],
)
def test_nothing_else_is_read_of_somebody_by_name(text: str) -> None:
    assert all(each.about == ("小明",) for each in _told(text))


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("我女儿李静对花粉过敏", ["daughter.name=李静", "daughter.allergy=花粉"]),
        ("我妹妹周敏住在绵阳", ["sister.name=周敏", "sister.residence=绵阳"]),
        ("我男朋友阿哲是工程師", ["partner.name=阿哲", "partner.job=工程師"]),
        ("我儿子豆豆对牛奶过敏", ["son.name=豆豆", "son.allergy=牛奶"]),
        ("my brother Tom is allergic to nuts", ["brother.name=Tom", "brother.allergy=nuts"]),
        ("外孙叫豆豆", ["grandson.name=豆豆"]),
        ("女儿对芒果过敏", ["daughter.allergy=芒果"]),
        ("老伴姓李 我们都叫他老李", ["partner.name=李", "partner.nickname=老李"]),
        ("我妈每天早上吃一片降压药", ["mother.medication=降压药"]),
    ],
)
def test_a_name_beside_the_relative_and_a_relative_without_a_word_of_whose(
    text: str, claims: list[str]
) -> None:
    assert _claims(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "我妈天天在家看电视",
        "我弟周三在学校",
        "我老公向来是个好人",
        "女儿是小棉袄",
        "老婆饼好吃",
        "女朋友的妈妈对花生过敏",
        "我女朋友的妈妈对花生过敏",
    ],
)
def test_no_name_and_nobodys_allergy_are_made_up(text: str) -> None:
    """Of 我女朋友的妈妈对花生过敏 the girlfriend's allergy was 的妈妈对花生."""
    assert _claims(text) == []


def test_who_is_only_told_to_be_a_li_is_not_everybody_whose_name_begins_so() -> None:
    told = _claims("我老伴姓李", "李静对花粉过敏")
    assert "partner.allergy=静对花粉" not in told


def test_a_relative_by_their_nickname_is_the_relative() -> None:
    told = _claims("老伴姓李 我们都叫他老李", "老李有高血压", "老李的药换了 改成缬沙坦了")
    assert told[2:] == ["partner.illness=高血压", "partner.medication=缬沙坦"]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("我没有糖尿病", [".illness≠糖尿病"]),
        ("我沒有過敏蝦子啦", [".allergy≠蝦子"]),
        ("我没有对虾过敏", [".allergy≠虾"]),
        ("我海鲜过敏你们忘了", [".allergy=海鲜"]),
        (
            "我们搬家了 搬到高新区女儿买的房子去住了",
            [".residence≠", ".residence=高新区女儿买的房子"],
        ),
        ("搬到内湖去住了", [".residence=内湖"]),
        ("我手机丢了 换了个新号 18612345678", [".contact:phone=18612345678"]),
        ("我手机坏了 换了个小米", [".device:phone=小米"]),
        ("我没有对象", []),
        ("我没有过敏反应", []),
    ],
)
def test_what_a_chat_leaves_out_or_adds_is_no_part_of_the_value(
    text: str, claims: list[str]
) -> None:
    assert _claims(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "我要跟廣告公司提離職了",
        "我打算辞职了",
        "我下个月就退休了",
        "我决定辞职了",
        "我月底就搬到内湖了",
    ],
)
def test_what_is_to_come_is_no_change_yet(text: str) -> None:
    """我要跟廣告公司提離職了 ended the work that she still had."""
    assert _claims(text) == []


@pytest.mark.parametrize("text", ["我暑假要干嘛", "我明天要做嘛", "我周末要去哪天"])
def test_a_question_without_a_mark_is_no_plan(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我今天开始吃素了", "小明开始吃素了"),
        ("我今天開始學日文", "小明開始學日文"),
        ("I quit my job today", "小明 quit their job"),
    ],
)
def test_a_fact_does_not_keep_the_word_today(text: str, told: str) -> None:
    assert [each.text for each in _told(text)] == [told]
