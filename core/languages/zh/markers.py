"""Words by which a turn in Chinese tells what it is after, and whom it is about. Pure."""

from ..language import Marker
from .surnames import CALLED
from .third_person import FIRST_PERSON

_TALK = r"聊|谈|讨论|说|讲|提"
_PLAN = r"安排|计划|打算|日程|行程|待办|[要会该]|(?<!记)得"

MARKERS = {
    Marker.CAUSAL: r"为什么|为何|为啥|怎么会|导致|原因",
    Marker.TEMPORAL: r"什么时候|几时|哪天|哪一天|多久|上周|上个月|最近|之前|刚才|昨天|前天|去年",
    Marker.PROCEDURAL: r"如何|怎么做|怎样|步骤|方法",
    Marker.EXPLORATORY: r"关于|所有|都有哪些|说说|讲讲|介绍一下",
    Marker.FACTUAL: r"什么是|谁是|是谁|哪个|哪里|哪位|叫什么|几岁|多少",
    Marker.CALLED: CALLED,
    Marker.FIRST_PERSON: FIRST_PERSON,
    Marker.SELF: r"我|俺|咱",
    Marker.BOT: r"你|您",
    Marker.BACK: r"又(?![不当是有])|记得|之前我|我之前|上次|上回|老样子",
    Marker.REQUEST: r"[给帮替]我",
    Marker.ASKING: r"[吗么]\W*$|(?:什么|怎么|哪|谁|多少|为何|为啥).*呢\W*$",
    Marker.ASKING_FOR: r"什么|啥|哪些|干嘛|吗",
    Marker.TALK: _TALK,
    Marker.PLAN: _PLAN,
    Marker.DOING: rf"{_TALK}|{_PLAN}|发生|[做干事]",
    Marker.EMPTY: (
        r"还?记得|想起|回忆|告诉|提醒|提到|谈到|说到|聊到|聊天|谈论|讨论|说话|发生|事情|事儿|内容|话题|对话|"
        r"安排|计划|打算|日程|行程|待办|有没有|没有|什么|哪些|哪儿|干嘛|干啥|时候|关于|我们|咱们|你们|大家|"
        r"一起|一下|应该|需要|[我你您咱俺都还又也在跟和与有是的了过着吗呢吧啊呀嘛么啥些事那这聊谈说讲话提到干做"
        r"要会得该请问里间天]"
    ),
    Marker.DENIAL: (
        r"我(?:[^们，,]{0,8})(?:[不没]|记不)(?:太|大|是很)?(?:记得|知道|清楚|了解|晓得|得|清)"
        r"|想不起|(?:没有?|无)[^，,]{0,10}(?:记忆|记录|印象|信息|资料)|无从得知|无法(?:得知|知道|确认|回答)"
        r"|你[^，,]{0,4}没有?[^，,]{0,4}(?:告诉|说过|提过|提到|讲过)"
    ),
    Marker.PAST: (
        r"以前|之前|曾经?|当时|原来|原先|过去|从前|先前|早先|早前|那会儿|那时|起初|起先|一开始|最初|前任|上一[个份任家]"
        r"|年轻时|小时候|没[^，。]{1,8}(?:那会|前)|[换搬改变转辞卖][^，。]{0,4}前|本科是|怎么变|变化"
    ),
    Marker.CLAUSE_END: r"[,，]?\s*(?:但是|但|不过|可是|然而)",
}
