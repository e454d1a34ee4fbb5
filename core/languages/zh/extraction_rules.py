"""What Chinese speakers say about themselves, as patterns over single clauses. Pure."""

import re

from ...model.intentions import IntentionType
from ...model.memory import Facet, Kind, Mood
from ..extraction_rule import INTRODUCTION, NAMED, ExtractionRule
from ..scripts import either_script
from .words import (
    CALLED_SO,
    CHORE,
    CLOCK,
    DEGREE,
    IDENTITY,
    ILLNESS,
    KIN,
    NAME,
    NICKNAME,
    PET,
    PLACE,
    PURPOSE,
    SOMETHING,
    WHEN,
)


def _whole(pattern: str) -> re.Pattern[str]:
    return either_script(pattern, re.I)


_I = f"我(?:[的家]?(?:{KIN}))?"
_AGE = "[0-9]{1,3}|[一二三四五六七八九十]{1,3}"

LEAD = either_script(
    r"(?:嗯|啊|哦|噢|唉|哎|呀|诶|欸|呃|额|哈|嘿|嗨|你好|您好|大家好|对了|好的|是的|其实|不过|但是|可是|但"
    r"|而且|并且|然后|因为|由于|所以|另外|还有|顺便说一下|顺便|话说|说实话|老实说|事实上|实际上|虽然|毕竟"
    r"|反正|总之|那么|那|首先|其次|最后|我告诉你|告诉你|我跟你说|跟你说|补充一下|更正一下|纠正一下|确实|当然|原来|刚才)"
    r"+(?=我|俺|本人|请|以后|今后|记|别|不要|叫|你|下|明|后|今|周|这|过)"
)
"""Words that open a clause without changing what it says."""

REMEMBER = either_script(
    r"(?:请|麻烦|帮我|你|您|一定|千万|务必|要|给我|替我|先)*"
    r"(?:记住|记一下|记下来?|记好|牢记|别忘了?|不要忘记|别忘记)(?:一下|啊|哦|喔|了)?(?!的|单词|没)"
    r"(?P<x>.*)"
)
"""A request to remember what follows."""

BEFORE_THING = either_script(r"(?:[吃喝看听玩]|一[家个些名位只种])(?=.)")
"""What stands before the name of a thing."""

NO_THING = either_script(r"[在和跟把我自]|.*的|[\u4e00-\u9fff].{10}|(?:\S+\s+){3}", re.I)
"""What names no thing, but describes one or says more."""

RULES: tuple[ExtractionRule, ...] = (
    ExtractionRule(
        "name",
        _whole(rf"{_I}(?:的名字(?:就?是|叫)|名叫|叫做?|姓){NAME}"),
        0.85,
        thing="person",
        cues=("叫什么名字", "是谁"),
        slot="name",
    ),
    ExtractionRule(
        "address",
        _whole(
            rf"(?:大家|朋友们?|别人|你们?)(?:都|可以|就)?[叫喊]我{NICKNAME}(?:就好|就行|就可以)?"
        ),
        0.85,
        thing="person",
        template="{who}也被称为{x}",
        cues=("叫什么名字", "怎么称呼"),
        slot="nickname",
    ),
    ExtractionRule(
        "call me",
        _whole(
            rf"(?:请|麻烦)?(?:你|您)?(?:以后|今后|从现在开始)?(?:你|您)?(?:都|就|请)?(?:称呼|[叫喊])我(?:为)?{NICKNAME}"
            r"(?:就好|就行|就可以)?"
        ),
        0.85,
        facet=Facet.INSTRUCTION,
        thing="person",
        template="{who}希望被称呼为{x}",
        cues=("叫什么名字", "怎么称呼"),
        to_bot=True,
        slot="nickname",
    ),
    ExtractionRule(
        "identity",
        _whole(rf"{_I}(?:现在|目前|本身|也)?是(?:一?[个名位])?{IDENTITY}"),
        0.7,
        cues=("是做什么的", "职业", "身份"),
        slot="job",
    ),
    ExtractionRule(
        "attribute",
        _whole(
            r"我的?(?P<of>职业|工作|专业|身高|体重|血型|星座|生肖|爱好|母语|家乡|老家|梦想|属相|MBTI)"
            r"(?:就?是|在)(?![不因为一个这那我自])(?P<x>[^你您]{1,20}?)(?<!了)的?"
        ),
        0.65,
        cues=("个人资料",),
        slot=NAMED,
    ),
    ExtractionRule(
        "birthday",
        _whole(
            rf"{_I}的?生日(?:就?是|在)?(?P<x>(?:每年|农历|阴历|阳历|公历)?(?:\d+年)?"
            r"(?:[0-9一二三四五六七八九十腊正冬]+月.{1,6}|\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,2})?))"
        ),
        0.85,
        cues=("什么时候过生日", "生日是哪天", "出生日期"),
        slot="birthday",
    ),
    ExtractionRule(
        "age",
        _whole(
            rf"{_I}(?:今年|现在|已经|都|刚|才|快)*(?P<x>(?:{_AGE})岁(?:半)?)(?:了|的?[男女]生)?"
        ),
        0.65,
        cues=("多大", "年龄"),
        slot="age",
    ),
    ExtractionRule(
        "home",
        _whole(
            rf"{_I}(?:现在|目前|一直|从小|常年|一家人?|家)*(?:住在|定居在?|来自|老家在|家在|家住|出生在|生在)"
            rf"{PLACE}(?:住|生活|长大)?"
        ),
        0.7,
        thing="place",
        cues=("住在哪里", "家在哪", "哪里人"),
        slot="residence",
    ),
    ExtractionRule(
        "work",
        _whole(
            rf"{_I}(?:现在|目前|一直|已经|开始|刚刚?)*(?:在|就职于|任职于|就读于)"
            r"(?P<x>(?![这那哪你您他她它忙找认努准专拼好继抓偷埋开考家加想外]|一[边直心])[^的了也你您]{2,15}?)"
            r"(?:工作|上班|上学|读书|念书|读研|读博|读本科|读大学|读高中|读初中|实习|任职|教书"
            r"|(?:当(?=[^了着过]{2,5}了?$)|做(?=[^了着过]{1,4}[员师理工发营售教生]了?$))(?:一?[个名位])?(?P<role>[^了着过]{2,5}))了?"
        ),
        0.7,
        thing="organization",
        cues=("在哪里工作", "在哪上班", "在哪上学"),
        slot="workplace",
    ),
    ExtractionRule(
        "trade",
        _whole(rf"{_I}(?:现在|目前)?从事{PLACE}(?:工作|行业|职业)?"),
        0.7,
        cues=("是做什么的", "职业"),
        slot="job",
    ),
    ExtractionRule(
        "allergy",
        _whole(
            rf"{_I}(?:[^，对]{{1,6}}(?:还|而且|并且|同时)(?=对))?(?:从小|一直|天生|也|都|还)*(?:对|吃)?"
            rf"(?P<x>(?!今天|又|好像|最近|可能|没|不|有点|对|的|(?:{KIN})的)(?:(?!还|而且|并且|同时)[^你您是吃]){{1,12}}?)"
            r"(?<![不没])(?:会|也|都|严重|重度|轻度|有点|特别|非常)*过敏(?:的(?:事情?|情况)[^，]{0,20})?"
        ),
        0.9,
        thing="thing",
        cues=("过敏", "忌口", "不能吃什么"),
        slot="allergy",
    ),
    ExtractionRule(
        "favourite",
        _whole(
            rf"{_I}最?(?:喜欢|爱|讨厌)(?:[吃喝看听玩用])?的[^是你您]{{0,10}}就?是(?![你您不因为这那])"
            r"(?P<x>[^你您]{1,20})"
        ),
        0.7,
        facet=Facet.PREFERENCE,
        mood=Mood.POSITIVE,
        thing="thing",
        cues=("最喜欢什么", "喜好"),
        slot="favourite",
    ),
    ExtractionRule(
        "dislike",
        _whole(
            rf"{_I}{DEGREE}(?:不(?:太|怎么|是很|大)?(?:喜欢|爱(?=[吃喝看听玩]))|不(?:能)?[吃喝](?=[^饭了下起完])"
            rf"|[吃喝]不[了来惯]|讨厌){SOMETHING}"
        ),
        0.65,
        facet=Facet.PREFERENCE,
        mood=Mood.NEGATIVE,
        thing="thing",
        cues=("不喜欢什么", "忌口", "讨厌什么"),
        slot="like",
        denies=True,
    ),
    ExtractionRule(
        "like",
        _whole(
            rf"{_I}{DEGREE}(?:喜欢|热爱|偏爱|钟爱|(?<=[最很超级特别非常])爱|爱(?=[吃喝看听玩打跑唱读写逛爬游]))"
            rf"{SOMETHING}"
        ),
        0.6,
        facet=Facet.PREFERENCE,
        mood=Mood.POSITIVE,
        thing="thing",
        cues=("喜欢什么", "爱好", "喜好"),
        slot="like",
    ),
    ExtractionRule(
        "has",
        _whole(
            r"我(?:家|现在|们家)?(?:里)?(?:还|也|又|新|最近|刚)*(?:有|养了?|领养了|收养了)"
            r"(?:了)?(?:[一两二三四五六七八九十几]|\d+)?(?:个|只|条|位|对|匹|头)"
            rf"(?P<x>[^你您]{{0,15}}(?:{PET}|{KIN}|双胞胎)){CALLED_SO}"
        ),
        0.7,
        cues=("宠物", "家人", "养了什么"),
        slot="pet",
    ),
    ExtractionRule(
        "illness",
        _whole(
            rf"{_I}(?:一直|从小)?(?:有|患有|得了|得过)(?:一?[点些]儿?)?(?P<x>[^你您]{{0,4}}(?:{ILLNESS}))"
        ),
        0.8,
        thing="thing",
        cues=("健康状况", "身体", "病"),
        slot="illness",
    ),
    ExtractionRule(
        "instruction",
        _whole(
            r"(?:请|麻烦)?(?:你|您)?(?:以后|今后|从今以后|从现在起|从现在开始|每次)(?:请|你|您|就|都)*"
            r"(?:不要|别|不许|不准|请|用|记得|务必|一定要|回答|回复|总是|必须|要|尽量|直接|给我|对我|跟我)"
            r"(?P<x>[^你您]{2,40})(?<!了)"
        ),
        0.85,
        facet=Facet.INSTRUCTION,
        template="{who}对机器人的要求：{clause}",
        cues=("要求", "以后怎么做"),
        to_bot=True,
    ),
    ExtractionRule(
        "ban",
        _whole(
            r"(?:请|麻烦)?(?:你|您)?(?:请)?(?:不要|别)(?:再|总是?|老是?|一直)?"
            r"(?:叫我|喊我|称呼|用(?![这那])|发(?![这那])|加(?![这那])|使用(?![这那]))(?P<x>[^你您]{2,30})(?<!了)"
        ),
        0.8,
        facet=Facet.INSTRUCTION,
        template="{who}对机器人的要求：{clause}",
        cues=("要求", "不要做什么"),
        to_bot=True,
    ),
    ExtractionRule(
        "manner",
        _whole(
            r"(?:请|麻烦)?(?:你|您)?(?:以后|今后)?(?:跟我|和我|对我)?(?:说话|讲话|回答|回复|聊天)(?:请|要|得|能|就|尽量|稍微)*"
            r"(?P<x>(?:简短|简单|简洁|短|详细|温柔|直接|直白|正式|随意|活泼|幽默|可爱|专业|口语化?)(?:一)?[点些]儿?)"
        ),
        0.85,
        facet=Facet.INSTRUCTION,
        template="{who}对机器人的要求：{clause}",
        cues=("要求", "怎么说话"),
        to_bot=True,
    ),
    ExtractionRule(
        "intention",
        _whole(
            rf"(?:{WHEN}{CLOCK})?我(?:自己)?(?:{WHEN}{CLOCK})?(?:也|还|正)?(?:打算|计划|准备(?![好了]))"
            rf"(?P<x>(?!{CHORE})[^你您]{{2,30}}?)(?<!了)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("打算", "计划"),
    ),
    ExtractionRule(
        "own decision",
        _whole(
            rf"(?:{WHEN}{CLOCK})?我(?:自己)?(?:{WHEN}{CLOCK})?(?:也|还|正)?决定了?"
            rf"(?P<x>(?!{CHORE})[^你您]{{2,30}}?)(?<!了)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("打算", "计划"),
        intention=IntentionType.DECISION,
    ),
    ExtractionRule(
        "dated plan",
        _whole(
            rf"(?:{WHEN}{CLOCK}我(?:也|还|可能)?(?:想要?|要|会|得|需要|必须)"
            rf"|我{WHEN}{CLOCK}(?:也|还)?(?:想要?|要|会|得|需要|必须)"
            rf"|我(?:想要?|要|会|得){WHEN}{CLOCK})(?P<x>(?!{CHORE}|的)[^你您]{{1,30}}?)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("打算", "计划", "安排"),
    ),
    ExtractionRule(
        "purpose",
        _whole(
            rf"我(?:快|马上|就|即将|也)*要(?P<x>(?:{PURPOSE})(?!{CHORE})[^你您]{{0,20}}?)(?<!了)(?<!的)(?<!去)"
        ),
        0.5,
        kind=Kind.PROSPECTIVE,
        cues=("打算", "计划"),
    ),
)
"""Tried in order; the first that matches a clause reads it."""

_SELF = frozenset(
    {"name", "identity", "attribute", "birthday", "age", "home", "work", "trade"}
    | {"fact of zodiac", "fact of zodiac animal", "fact of schooling of a child"}
)
_OF_INTRODUCED = frozenset({"name", "age", "birthday", "identity", "fact of schooling of a child"})
_TASTE = frozenset({"like", "dislike", "favourite"})
_HEALTH = frozenset({"allergy", "illness", "fact of medicine", "fact of a relative's medicine"})

SUBJECT = either_script(_I)
"""Whom a clause is about: the speaker, a relative or a pet."""


def subject_lasts(earlier: str, later: str) -> bool:
    """Whether a clause of rule `later` may leave out the subject of one of rule `earlier`.

    `earlier` is empty for a clause about one relative that no rule reads.

    After 我有一个女儿 or 我喜欢一个女生 the next clause may be about somebody else.
    """
    if not earlier:
        return later in _HEALTH
    if earlier == INTRODUCTION:
        return later in _OF_INTRODUCED | _HEALTH
    alike = (_TASTE, _HEALTH)
    if earlier in _SELF or any(earlier in some and later in some for some in alike):
        return True
    # An allergy that is lost does more harm than one kept of the wrong person.
    return earlier in _TASTE and later in _HEALTH
