"""Whether a question asks for nothing but a time: "what did we talk about last Friday". Pure."""

import re

from ..text.terms import normalise

_ASKING = re.compile(
    r"[?？]|什么|啥|哪些|干嘛|吗|\b(?:what|which|anything|remind me|tell me)\b|"
    r"^\W*(?:did|do|does|have|has|had|is|are|was|were)\b",
    re.IGNORECASE,
)
_TALK = r"聊|谈|讨论|说|讲|提|talk|chat|discuss|spoke|speak|sa(?:y|id)|t(?:ell|old)|mention"
_PLAN = (
    r"安排|计划|打算|日程|行程|待办|[要会该]|(?<!记)得|\b(?:plan|schedul|agenda|appointment|upcoming|"
    r"will|shall|coming|going\s+to|due|to-?do)"
)
_OF_BOT = re.compile(r"你|您|\b(?:you|your)\b", re.IGNORECASE)
_OF_SELF = re.compile(r"我|俺|咱|\b(?:i|my|me|we|our|us)\b", re.IGNORECASE)
_SPOKEN = re.compile(_TALK, re.IGNORECASE)
_PLANNED = re.compile(_PLAN, re.IGNORECASE)

_DOING = re.compile(
    rf"{_TALK}|{_PLAN}|发生|[做干事]|\b(?:do|did|done|doing|happen|occur|go|went|on|up|things?)",
    re.IGNORECASE,
)

_EMPTY = re.compile(
    # What is said, done, planned or the case at some time, without saying what.
    r"还?记得|想起|回忆|告诉|提醒|提到|谈到|说到|聊到|聊天|谈论|讨论|说话|发生|事情|事儿|内容|话题|对话|"
    r"安排|计划|打算|日程|行程|待办|有没有|没有|什么|哪些|哪儿|干嘛|干啥|时候|关于|我们|咱们|你们|大家|"
    r"一起|一下|应该|需要|[我你您咱俺都还又也在跟和与有是的了过着吗呢吧啊呀嘛么啥些事那这聊谈说讲话提到干做"
    r"要会得该请问里间天]|"
    r"\b(?:i|i'm|i've|we|we've|you|me|us|my|our|your|it|there|that|this|those|these|"
    r"do|did|does|done|doing|was|were|is|are|am|be|been|being|have|has|had|having|got|get|"
    r"can|could|would|will|shall|should|what|what's|which|things?|stuff|anything|something|"
    r"everything|talk(?:ed|ing)?|chat(?:ted|ting)?|discuss(?:ed|ing)?|discussions?|spoke|speak|"
    r"say|said|saying|tell|told|mention(?:ed)?|conversations?|topics?|happen(?:ed|ing|s)?|"
    r"occurred|went|going|go|on|up|to|about|with|for|of|in|at|from|by|the|a|an|and|any|all|so|"
    r"then|ever|again|each|other|together|plan(?:s|ned|ning)?|schedule[ds]?|agenda|"
    r"appointments?|upcoming|coming|due|to-?dos?|remember|recall|remind|please|"
    r"s|m|re|ve|ll|d)\b",
)
_WORD = re.compile(r"\w")


def asks_for_time_alone(text: str, timeless: str) -> bool:
    """Whether a question has no content besides its times; `timeless` is it without them.

    What the bot itself did or does is no question to its memory, unless it is what it said.
    """
    # "Is today a holiday" is about the time itself.
    if not _ASKING.search(text) or not _DOING.search(timeless):
        return False
    of_bot = _OF_BOT.search(text) and not _OF_SELF.search(text)
    if of_bot and not _SPOKEN.search(text):
        return False
    return not _WORD.search(_EMPTY.sub(" ", normalise(timeless).replace("’", "'")))


def looks_ahead(text: str) -> bool:
    """Whether a question is about what is planned rather than about what was."""
    return _PLANNED.search(text) is not None
