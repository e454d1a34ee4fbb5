"""Forms in which Chinese speakers state something of themselves. Data."""

import re

from ...model.memory import Facet, Kind
from ..language import StatementForms, WishForms, form
from .words import KIN

_X = "(?P<x>(?!得)[^你您我他她它谁哪啥]{1,20}?)"
_SO = "(?:现在|目前|一直|也|都|就|还|很|真的|最|特别|非常|超级?|从小|从来|严重|有点)*"
_KIN = f"我(?:的|家)?(?P<kin>{'|'.join(KIN.values())})"
_ASKED = "(?:请|麻烦|帮我|你|您|一定|千万|要|能|可以|能不能|到时候|记得|以后)*"
_HOME = "住在?|定居在?|搬到了?|搬去了?"

FORMS = (
    form("name", f"我(?:的名字)?(?:是叫|叫做?|名叫){_X}", "{who}名叫{x}", 0.85),
    form("name", f"{_KIN}(?:的?名字)?叫做?{_X}", "{who}的{kin}叫{x}"),
    form("residence", f"我们?{_SO}(?:家)?(?:{_HOME}){_X}", "{who}住在{x}", 0.7),
    form("workplace", f"我{_SO}在(?![找想换忙]){_X}(?:上班|工作|任职)", "{who}在{x}工作", 0.7),
    form("job", f"我(?:的(?:工作|职业)是|是做){_X}", "{who}的工作是{x}", 0.7),
    form("allergy", f"我{_SO}对{_X}{_SO}过敏", "{who}对{x}过敏", 0.85),
    form("diet", f"我{_SO}(?P<x>吃素|(?:不|不能|从不)[吃喝碰].+?)", "{who}{x}", 0.75),
    form("like", f"我{_SO}(?:不喜欢|讨厌|不爱){_X}", "{who}不喜欢{x}", denied=True),
    form("like", f"我{_SO}(?:喜欢|爱|热爱){_X}", "{who}喜欢{x}"),
    form("pet", f"我{_SO}[养有]了?[一两]?[只条个]{_X}(?:叫(?P<called>.{{1,8}}))?", "{who}养了{x}"),
    form("birthday", "我的?生日[是在]?(?P<x>.*月.{1,6})", "{who}的生日是{x}", 0.85),
    form(
        "nickname",
        f"{_ASKED}(?:叫|称呼)我{_X}",
        "{who}希望被称呼为{x}",
        0.85,
        facet=Facet.INSTRUCTION,
        asked=True,
    ),
    form("", f"{_ASKED}(?:记住|记一下|记好|别忘了?)(?P<x>.*)", importance=0.85, asked=True),
    form("", ".*提醒(?:一下)?我.+", "", 0.7, Kind.PROSPECTIVE, asked=True),
    form(
        "",
        "[^你您我他她说]{0,8}我们?.*(?:要|得|打算|准备|计划|会|约了|去|有).+",
        "",
        0.6,
        Kind.PROSPECTIVE,
    ),
)

STATEMENTS = StatementForms(
    FORMS,
    taken_back=re.compile("不对|说错了?|记错了?|骗你的?|逗你的?|开玩笑的?|说着玩的?"),
    instead=re.compile("(?:应该)?是(?P<x>.+)"),
    subject="我",
    nameless="用户",
    trailing="了啊呀哦噢喔嘛呢啦哇哟喽的",
)

WISHES = WishForms(
    unkept=re.compile(
        "(?P<this>这(?:句|条|个|些|段|件)?(?:话|事)?)?(?:请?你?(?:别|不要|不许)(?:记录|记住|记下来?|记))"
        "[了啦啊呀哈哦吧嘛]*(?=这|它|我|[，。！,!.：:\\s]|$)(?P<this_too>这(?:句|条|个|些|段)?(?:话|事)?|它)?"
    ),
    forget=re.compile(
        "把(?P<x>[^，。！？,!?\\n]{1,30}?)(?:从[^，。！？,!?\\n]{0,12}?)?(?:都|给)?(?:忘掉|忘了|删掉|删除|删了|抹掉)"
        "|(?:^|[，。！？,!?])(?:请|你)*忘(?:了|记|掉)(?P<about>[^，。！？,!?\\n]{1,30}?)吧"
    ),
)
