"""The rehearsal model: no intelligence, but it shows what the memory plugin put in front of it.

It answers questions from the memories in its prompt, says so, and needs no account.
"""

import re
from collections.abc import Sequence

from ..core.languages.terms import content_terms
from ..core.model.memory import REPLY_MARK
from .hostkit.model_server import ChatRequest, Purpose, Reply
from .rehearsal_learning import judge, learn

_BLOCK = re.compile(r"^<tidemark-memories\b[^>]*>$(.*?)^</tidemark-memories>$", re.S | re.M)
_ANSWERED = f" {REPLY_MARK} "
_ITEM = re.compile(r"^\[\d+\] (.+)$", re.M)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_QUESTION = re.compile(
    r"[?？]|[吗呢]\s*$|什么|怎么|怎样|如何|为什么|谁|哪|几|多少|记不记得|还记得"
    r"|^\s*(what|who|whom|whose|where|when|why|which|how|do|does|did|is|are|am|can|could|tell)\b",
    re.I,
)
_EVERYTHING = re.compile(
    r"我是谁|who am i|记得我什么|了解我|知道我什么|关于我|about me|remember me|know me", re.I
)

_TEXTS = {
    "zh": {
        "name": "〔排练模型，没有真正的智能〕",
        "remember": "我记得：",
        "nothing": "关于这个，我什么都不记得。",
        "heard": "好的，我听到了。",
    },
    "en": {
        "name": "[rehearsal model, no real intelligence]",
        "remember": "I remember:",
        "nothing": "I remember nothing about that.",
        "heard": "All right, I have heard you.",
    },
}


def respond(request: ChatRequest) -> Reply:
    """The reply to any request of the host or the plugin."""
    match request.purpose:
        case Purpose.LEARN:
            return Reply(learn(request.user, now=request.at))
        case Purpose.VERDICT:
            return Reply(judge(request.user, now=request.at))
        case _:
            return Reply(answer(question(request.user_parts), memories(request.user_parts)))


def question(parts: Sequence[str]) -> str:
    """What the person typed: the first part that is not an addition in angle brackets."""
    typed = (part.strip() for part in parts if not part.lstrip().startswith("<"))
    return next(typed, "")


def memories(parts: Sequence[str]) -> list[str]:
    """The memories shown in the prompt's block, in order: no numbers, no earlier answers."""
    blocks = (block for part in parts for block in _BLOCK.findall(part))
    items = (item for block in blocks for item in _ITEM.findall(block))
    return [item.partition(_ANSWERED)[0].strip() for item in items]


def answer(text: str, known: Sequence[str]) -> str:
    """A question gets the memories that share content with it; a statement is acknowledged.

    A question without content of its own ("who am I?") gets them all.
    """
    words = _TEXTS["zh" if _CHINESE.search(text) else "en"]
    if not _QUESTION.search(text):
        return f"{words['name']} {words['heard']}"
    asked = content_terms(text)
    everything = not asked or _EVERYTHING.search(text) is not None
    found = [item for item in known if everything or content_terms(item) & asked]
    if not found:
        return f"{words['name']} {words['nothing']}"
    return "\n".join([f"{words['name']} {words['remember']}", *(f"- {item}" for item in found)])
