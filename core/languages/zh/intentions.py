"""What Chinese speakers decide, wonder about, think up and come to see, as patterns. Pure."""

import re

from ...model.intentions import IntentionType
from ...model.memory import Kind
from ..extraction_rule import ExtractionRule
from ..scripts import either_script
from .words import CHORE, CLOCK, WHEN

_TO_BOT = "叫我|喊我|称呼|请|别|不要|用[中英]文|回答|回复|说话|跟我|给我"

_DOING = (
    f"[去到](?!{CHORE})|交|参加|考|见|搬|回老?家|出差|飞|陪|带|接|送|办|取|拿|面试|体检|复查|复诊|看牙|看病|看医生|看房|相亲|答辩"
    "|开会|开庭|述职|汇报|比赛|演出|培训|报到|入职|离职|退租|续租|结婚|订婚|约了?|请客|值班|加班|上台|做手术|打疫苗"
)
"""What people have before them: begins a plan that leaves its speaker out."""
_APPOINTMENT = (
    "面试|体检|考试|会|会议|课|手术|约会|聚会|婚礼|比赛|演出|答辩|培训|航班|预约|饭局|复查|家长会"
    "|聚餐|团建|体测|复诊"
)
_PLEASE = "(?:请|麻烦|记得|到时候|别忘了?|帮我|你|您|也|再|要|能不能|可不可以|能否|可以|能)*"


def _whole(pattern: str) -> re.Pattern[str]:
    return either_script(pattern)


RULES: tuple[ExtractionRule, ...] = (
    ExtractionRule(
        "plan without its speaker",
        _whole(
            rf"(?:(?:记得|到时候|请)*提醒我(?P<remind>))?(?P<x>{WHEN}{CLOCK}(?:还|又|就|也)?"
            rf"(?:要|得|打算|准备|计划|需要|(?(remind)|(?!)))(?:{_DOING})[^你您]{{0,30}}?)(?<!了)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        template="{who}{x}",
        cues=("打算", "计划", "安排"),
    ),
    ExtractionRule(
        "reminder",
        _whole(
            rf"{_PLEASE}(?P<at>{WHEN}{CLOCK})?{_PLEASE}提醒(?:一下)?我(?:一[下声])?"
            r"(?P<x>(?!说|了|过|的|一下)(?(at)|(?=.{3}))[^你您]{2,40}?)(?<!了)(?:好不好|[好可行]?以?[吗嘛不吧呗])?"
        ),
        0.7,
        kind=Kind.PROSPECTIVE,
        template="{who}要求：{clause}",
        cues=("打算", "计划", "安排", "提醒"),
        to_bot=True,
    ),
    ExtractionRule(
        "appointment",
        _whole(
            rf"(?P<x>(?:我)?{WHEN}{CLOCK}(?:还|又|也)?有(?:个|场|一[个场节])?[^你您的]{{0,10}}?"
            rf"(?:{_APPOINTMENT}))"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("打算", "计划", "安排"),
    ),
    ExtractionRule(
        "decision",
        _whole(
            r"(?:我们?|咱们)?从(?:今天|明天|现在|这周|下周|这个月|下个?月|今年|明年)(?:起|开始)(?:我们?|咱们)?(?:就|都)?"
            rf"(?P<x>(?:全部|统一)?(?:改用|用|换成|换|戒|不|每[天周月])(?!{_TO_BOT})[^你您]{{1,30}}?)"
        ),
        0.65,
        kind=Kind.PROSPECTIVE,
        cues=("决定", "定下来的"),
        intention=IntentionType.DECISION,
    ),
    ExtractionRule(
        "shared decision",
        _whole(
            r"(?:我们|咱们)(?:最后|最终|还是|已经|商量|讨论)*(?:决定|定)了?(?P<x>[^你您]{2,30}?)(?<!了)"
        ),
        0.65,
        kind=Kind.PROSPECTIVE,
        cues=("决定", "定下来的"),
        intention=IntentionType.DECISION,
    ),
    ExtractionRule(
        "open question",
        _whole(
            r"我(?:们)?(?:还|一直|最近|现在|也)*(?:在)?(?:没(?:有)?(?:想好|想通|想明白|搞明白|弄明白|搞清楚|决定好?|定好?)"
            r"|不确定|拿不准|犹豫|纠结)(?:的是)?(?P<x>[^你您]{3,30}?)(?<!了)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("没想好的", "疑问", "纠结什么"),
        intention=IntentionType.QUESTION,
    ),
    ExtractionRule(
        "idea",
        _whole(
            r"我(?:突然|忽然|刚才?|昨晚)?(?:有个想法[是就]?|想到(?:了)?(?:一个)?(?:办法|点子|主意)?[是就]?)"
            r"(?P<x>(?:可以|不如|应该可以)[^你您]{3,40}?)"
        ),
        0.55,
        kind=Kind.PROSPECTIVE,
        cues=("想法", "点子"),
        intention=IntentionType.IDEA,
    ),
    ExtractionRule(
        "shared idea",
        _whole(
            r"我(?:觉得|在想|想着|感觉)(?:我们?|咱们)?(?:可以|不如)"
            r"(?P<x>(?:试试|试一下|考虑|做个?|用|把|弄个?|搞个?)[^你您]{2,40}?)"
        ),
        0.55,
        kind=Kind.PROSPECTIVE,
        cues=("想法", "点子"),
        intention=IntentionType.IDEA,
    ),
    ExtractionRule(
        "insight",
        _whole(
            r"我(?:终于|突然|忽然|这才|才|现在|今天|慢慢)*(?:意识到|想通了?|想明白了?|悟到了?|领悟到了?|体会到了?)"
            r"(?P<x>[^你您]{4,40}?)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("领悟", "体会"),
        intention=IntentionType.INSIGHT,
    ),
)
"""Tried in order, after what people say of themselves."""

APPOINTMENTS: tuple[ExtractionRule, ...] = (
    ExtractionRule(
        "appointment by its name",
        _whole(
            rf"(?P<x>(?!.*[你您他她])(?:我们?的?|咱们的?)?[^你您了是有去]{{0,8}}?(?:{_APPOINTMENT})的?(?:时间)?"
            rf"(?:也|就|都)?(?:约|定|订|安排|排|改)?(?:是|在|到)?了?{WHEN}{CLOCK})"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        template="{who}的安排：{clause}",
        cues=("打算", "计划", "安排"),
    ),
    ExtractionRule(
        "booking",
        _whole(
            r"(?P<x>(?:我们?|咱们)?(?:已经|也|又|刚)?(?:预约|约|预定|预订|订|定|挂)(?:好)?了(?:个|一个)?"
            rf"(?!{WHEN}了)[^你您了，]{{1,10}}?{WHEN}{CLOCK}[^你您了，]{{0,12}}?)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        cues=("打算", "计划", "安排"),
    ),
)
"""Tried last: what an attribute is told with is that first."""
