"""Memories of few forms about many people and topics: what is alike but not the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random


@dataclass(frozen=True, slots=True)
class Asked:
    """A memory of a scope (by number), and the question about its person and topic."""

    id: str
    scope: int
    text: str
    question: str
    about: tuple[str, str]


_PEOPLE: dict[str, Sequence[str]] = {
    "en": (
        "Alice Bruno Clara Dmitri Elena Farid Greta Hugo Ines Jonas Karin Lukas Maria Nadia Oscar "
        "Paula Quentin Rosa Stefan Tanja Umar Vera Walter Xenia Yusuf"
    ).split(),
    "zh": (
        "小林 阿强 老周 小美 志明 春娇 大刘 婷婷 建国 阿梅 小宇 丽华 老陈 雨欣 子涵 "
        "国栋 晓峰 阿芳 海燕 浩然 小雪 文博 玉兰 永强 思远"
    ).split(),
}

_TOPICS: dict[str, Sequence[tuple[str, str, Sequence[str]]]] = {
    "en": (
        ("coffee", "{p} drinks {v} coffee every morning", ("black", "iced", "Turkish", "filter")),
        ("pets", "{p} has a {v} as a pet", ("cat", "parrot", "tortoise", "spaniel")),
        ("car", "{p} drives a {v} car", ("red", "second-hand", "electric", "rented")),
        ("music", "{p} likes to listen to {v} music", ("jazz", "folk", "techno", "baroque")),
        ("sports", "{p} plays {v} on weekends", ("tennis", "volleyball", "badminton", "hockey")),
        ("work", "{p} works as a {v}", ("nurse", "plumber", "translator", "surveyor")),
        ("holidays", "{p} spends holidays in {v}", ("Norway", "Sicily", "Vietnam", "Wales")),
        ("breakfast", "{p} eats {v} for breakfast", ("porridge", "toast", "noodles", "yoghurt")),
        ("allergy", "{p} is allergic to {v}", ("peanuts", "pollen", "shellfish", "dust")),
        ("garden", "{p} grows {v} in the garden", ("tomatoes", "roses", "leeks", "sunflowers")),
        ("phone", "{p} uses a {v} phone", ("folding", "borrowed", "cracked", "brand-new")),
        ("language", "{p} is learning {v}", ("Greek", "Korean", "Finnish", "Arabic")),
        ("books", "{p} is reading a book about {v}", ("whales", "Rome", "logic", "volcanoes")),
        ("films", "{p} enjoys {v} films", ("horror", "silent", "western", "animated")),
        ("sleep", "{p} usually goes to bed at {v}", ("nine", "midnight", "two", "half past ten")),
        ("family", "{p} has {v}", ("twin sisters", "four brothers", "a stepson", "no siblings")),
        ("clothes", "{p} always wears {v}", ("scarves", "linen", "boots", "a green hat")),
        ("drawing", "{p} paints {v}", ("harbours", "portraits", "miniatures", "birds")),
        ("exams", "{p} is preparing for the {v} exam", ("bar", "piano", "driving", "chemistry")),
        ("travel to work", "{p} gets to work by {v}", ("tram", "bicycle", "ferry", "scooter")),
    ),
    "zh": (
        ("咖啡", "{p}每天早上喝{v}咖啡", ("冰美式", "手冲", "速溶", "拿铁")),
        ("宠物", "{p}养了一只{v}", ("橘猫", "鹦鹉", "乌龟", "柯基")),
        ("车", "{p}开一辆{v}的车", ("红色", "二手", "电动", "租来")),
        ("音乐", "{p}喜欢听{v}", ("爵士乐", "民谣", "电子乐", "昆曲")),
        ("运动", "{p}周末打{v}", ("网球", "排球", "羽毛球", "冰球")),
        ("工作", "{p}的工作是{v}", ("护士", "水管工", "翻译", "测量员")),
        ("旅行", "{p}放假会去{v}旅行", ("云南", "厦门", "越南", "青海")),
        ("早饭", "{p}早饭吃{v}", ("豆浆油条", "面包", "米粉", "酸奶")),
        ("过敏", "{p}对{v}过敏", ("花生", "花粉", "海鲜", "灰尘")),
        ("菜园", "{p}在院子里种{v}", ("番茄", "月季", "韭菜", "向日葵")),
        ("手机", "{p}用的是{v}手机", ("折叠屏", "借来的", "碎屏的", "新买的")),
        ("外语", "{p}在学{v}", ("希腊语", "韩语", "芬兰语", "阿拉伯语")),
        ("书", "{p}在读一本关于{v}的书", ("鲸鱼", "罗马", "逻辑", "火山")),
        ("电影", "{p}爱看{v}电影", ("恐怖", "默片", "西部", "动画")),
        ("睡觉", "{p}一般{v}睡觉", ("九点", "半夜十二点", "凌晨两点", "十点半")),
        ("家人", "{p}家里有{v}", ("一对双胞胎妹妹", "四个哥哥", "一个继子", "一位奶奶")),
        ("衣服", "{p}总是穿{v}", ("围巾", "亚麻衣服", "靴子", "绿色的帽子")),
        ("画画", "{p}喜欢画{v}", ("港口", "人像", "微缩画", "小鸟")),
        ("考试", "{p}在准备{v}考试", ("司法", "钢琴", "驾照", "化学")),
        ("通勤", "{p}坐{v}上班", ("电车", "公交", "轮渡", "班车")),
    ),
}

_QUESTIONS: dict[str, Sequence[str]] = {
    "en": ("What do you know about {p} and {t}?", "{p}, {t}: what was it?", "Tell me of {p}'s {t}"),
    "zh": ("{p}的{t}是什么情况？", "关于{p}和{t}你知道什么？", "说说{p}的{t}"),
}


_TAILS: dict[str, Sequence[str]] = {
    "en": ("", " with {f}", " since {m}", " again", " because of {f}", " and told {f} in {m}"),
    "zh": ("", "，和{f}一起", "，从{m}开始", "，又开始了", "，是因为{f}", "，{m}告诉了{f}"),
}
_MONTHS = {
    "en": ("January", "March", "May", "July", "September", "November"),
    "zh": ("一月", "三月", "五月", "七月", "九月", "十一月"),
}


def templated(scope: int, size: int, alike: int, random: Random) -> Iterator[Asked]:
    """So many memories of a scope, in the language of its number: no two say the same.

    About `alike` of them are of the same person and topic.
    """
    language = ("en", "zh")[scope % 2]
    pairs = list(product(_PEOPLE[language], _TOPICS[language]))
    count = -(-size // alike)
    if count > len(pairs):
        raise ValueError(f"a scope has at most {len(pairs)} persons' topics, not {count}")
    chosen, told = random.sample(pairs, k=count), set[str]()
    while len(told) < size:
        person, (topic, form, values) = chosen[len(told) % count]
        tail = random.choice(_TAILS[language] if alike > 1 else ("",))
        others = [name for name in _PEOPLE[language] if name != person]
        tail = tail.format(f=random.choice(others), m=random.choice(_MONTHS[language]))
        text = form.format(p=person, v=random.choice(values)) + tail
        if text in told:
            continue
        question = random.choice(_QUESTIONS[language]).format(p=person, t=topic)
        yield Asked(f"templated-{scope}-{len(told)}", scope, text, question, (person, topic))
        told.add(text)
