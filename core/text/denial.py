"""Clauses in which somebody says that they know nothing of what was asked. Pure."""

import re

_CLAUSE = re.compile(
    r"[。！？!?；;\n]+|\.(?=\s|$)|[,，]?\s*(?:但是|但|不过|可是|然而|\bbut\b|\bhowever\b)", re.I
)
_DENIAL = re.compile(
    r"我(?:[^们，,]{0,8})(?:[不没]|记不)(?:太|大|是很)?(?:记得|知道|清楚|了解|晓得|得|清)"
    r"|想不起|(?:没有?|无)[^，,]{0,10}(?:记忆|记录|印象|信息|资料)|无从得知|无法(?:得知|知道|确认|回答)"
    r"|你[^，,]{0,4}没有?[^，,]{0,4}(?:告诉|说过|提过|提到|讲过)"
    r"|\bI (?:\w+ ){0,2}?(?:do not|don['’]t|did not|didn['’]t|can(?:no|['’])t) (?:\w+ ){0,2}?"
    r"(?:know|remember|recall|have|see|find|tell)\b"
    r"|\bI (?:know|remember|recall|have) (?:nothing|no\b)|\b(?:no|not any) "
    r"(?:\w+ )?(?:idea|memory|memories|record|information|recollection)\b"
    r"|\bI(?:['’]m| am) not sure\b"
    r"|\byou (?:have not|haven['’]t|did not|didn['’]t|never)(?: \w+)? "
    r"(?:told|tell|mentioned|mention|shared|share|said|say)\b",
    re.I,
)


def without_denials(text: str) -> str:
    """What is left without them: nothing of "I remember nothing about that."."""
    return "\n".join(clause for clause in _CLAUSE.split(text) if not _DENIAL.search(clause))
