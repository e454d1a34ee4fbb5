"""How Chinese speakers say that something was put off to another day. Pure."""

from ..reports import PutOffWords
from ..scripts import either_script

_WHAT = "(?P<x>[^，。,]{1,24}?)"
_SOON = "(?:又|已经|临时|突然|被|给|都|也|可能要|[今昨]天|刚才?|通知)*"
_MOVED = (
    "(?:改期|改签|改|推迟|延期|延后|延迟|延|推后|顺延|提前|提早|挪|往[后前][推挪]|调|换|拖)(?:了)?"
)
_FROM = "(?:从[^，]{1,10}?)?"
_TO = "(?:到|至|成|为|在)了?(?P<to>[^，。,]{1,16}?)"
_DOING = "(?:再?(?:去|做|交|考|办|开|见|举行|进行|开始))?"

PUT_OFF = PutOffWords(
    patterns=(
        either_script(
            rf"(?:我们?|咱们?)?把{_WHAT}(?:的?(?:时间|日期))?{_FROM}{_SOON}{_MOVED}{_TO}{_DOING}了?"
        ),
        either_script(rf"{_WHAT}(?:的?(?:时间|日期))?{_FROM}{_SOON}{_MOVED}{_TO}{_DOING}了?"),
        either_script(rf"{_WHAT}{_SOON}(?:推迟|延期|改期|延后|推后)了"),
    ),
    unsure=either_script(
        "如果|要是|假如|万一|想[把要]|能不能|能否|可不可以|可以|应该|可能|希望|打算|也许|没有?[改推延提调]|不[改推延提调]|吗|请(?![假客])"
    ),
    nouns={
        "考试": "考",
        "测验": "测|考",
        "面试": "面试|面",
        "预约": "",
        "行程": "",
        "出差": "出差|去",
        "聚餐": "聚|吃饭|饭局",
        "饭局": "聚|吃饭|饭局",
        "会议": "会",
        "旅行": "旅|去|玩",
        "手术": "手术|开刀|拔|切",
        "接机": "接",
        "送机": "送",
        "课": "课|学|班",
    },
    today=either_script("今[天晚早]|今儿"),
    own=either_script("我们?的?"),
    later=either_script("推迟|延|推后|往后|拖"),
    readings=("改到{to}",),
    at="",
    hour=either_script(r"(?:[上中下晚早][午上])?[0-9一二三四五六七八九十两]{1,3}点(?:半|钟)?"),
    unset="（日子还没定）",
)
