"""Cutting a chat message into clauses that state something in the speaker's own name. Pure."""

import re
from collections.abc import Iterator

LONGEST_MESSAGE = 4_000

_QUOTED = re.compile(
    r"“[^”\n]*”?|「[^」\n]*」?|『[^』\n]*』?|【[^】\n]*】?|\"[^\"\n]*\"?|`[^`\n]*`"
)
_MARKUP = re.compile(
    r"```.*?(?:```|\Z)|^[>|/][^\n]*$|https?://\S+|\[[^\[\]\n]{1,40}\]|@\S+", re.S | re.M
)
_GAP = "⋯"
_FICTION = re.compile(
    r"翻译|造句|扮演|角色|歌词|台词|作文|小说|剧本|续写|改写|模仿|假装|仿写|润色"
    r"|写一?(?:个|篇|段|首|封|句)"
    r"|\b(?:translate|translation|role-?play|lyrics|pretend|paraphrase|proofread|rewrite)\b"
    r"|\bwrite (?:me )?an? (?:\w+ )?(?:story|poem|letter|email|essay|song|scene)\b",
    re.I,
)
_SENTENCE_END = re.compile(
    r"(?<=[。！!？?；;~～…\n])\s*|(?<=\.)(?<!\b[A-Z]\.)(?<!Dr\.)(?<!Mr\.)(?<!Ms\.)(?<!St\.)"
    r"(?<!Mrs\.)\s+"
)
_CLAUSE_END = re.compile(
    r"[，：]|[,:、](?=\s*(?:我|俺|本人|以后|请|别|不要))|[,:]\s"
    r"|(?<=[\u4e00-\u9fff])[\s,:]+(?=[\u4e00-\u9fff])"
    r"|(?=但是|可是|不过(?!敏)|而且|所以|因为)"
    r"|\s[-–—]\s|—"
    r"|\s(?=(?:and|but|so|because|though|although|while|plus)\s+(?:i|i['’]m|my)\b)",
    re.I,
)
_EDGES = " \t\r\n。！!？?；;~～…，,、：:.-—()（）*#"
_PARTICLES = re.compile(
    r"(?:[啊呀哦噢喔嘛呢啦哇呗哟喽咯捏]|哈{2,}|(?<![酒网贴氧水书])吧|\b(?:lol|haha+|xd))+$", re.I
)

_QUESTION = re.compile(
    r"什么|啥|谁|哪[里儿个些种位]|哪$|怎么|怎样|咋|为何|多少|多大|多久|多长|几[点岁号]|吗|是否|还是说"
    r"|(?P<verb>[\u4e00-\u9fff])[不没](?P=verb)|[呢么]$"
)
_TAG = re.compile(
    r"(?:你说|是|对|没错|不是)(?:吗|吧|呢|不对|不是)|right|correct"
    r"|(?:is|was|are|were|do|does|did|have|has|had|ca|wo|would|should)n['’]t \w+"
    r"|(?:do|am|have) i|you know",
    re.I,
)
_UNREAL = re.compile(
    r"如果|假如|假设|要是|若是|倘若|万一|除非|的话|比如|例如|譬如|想象|即使|就算|哪怕|听说|据说|难道"
    r"|以为|好像|仿佛|梦见|梦到|可能|也许|或许|说不定"
    r"|\b(?:if|unless|suppose|supposing|imagine|assuming|maybe|perhaps|would|wish|dreamt|dreamed"
    r"|might|used to)\b",
    re.I,
)
_REPORTED = re.compile(
    r"(?:说|说道|问|问我|道|回答|回复|写道|写着|表示|唱|念|喊|讲|称|想|觉得|认为|说我|告诉我)$"
    r"|\b(?:said|says|saying|asked|asks|replied|wrote|thinks|thought|goes|told (?:me|him|her|us))$",
    re.I,
)
_ANNOUNCED = re.compile(r"(?:你们?|您|大家|实|白|来|不得不|简单|换句话)(?:说|讲)$")


def sentences(message: str) -> Iterator[tuple[str, ...]]:
    """The clauses of each sentence that the speaker states, without marks and particles.

    No questions, quotations, suppositions or words of others. A message that asks for a text
    to be written, translated or acted states nothing. Only the first `LONGEST_MESSAGE`
    characters are read.
    """
    heard = message[:LONGEST_MESSAGE]
    if _FICTION.search(heard):
        return
    spoken = _QUOTED.sub(_GAP, _MARKUP.sub("\n", heard))
    for sentence in _SENTENCE_END.split(spoken):
        stated = tuple(_stated(sentence))
        if stated:
            yield stated


def _stated(sentence: str) -> Iterator[str]:
    trimmed = (part.strip(_EDGES) for part in _CLAUSE_END.split(sentence))
    parts = [part for part in trimmed if part]
    if sentence.rstrip().endswith(("?", "？")):
        parts = _without_question(parts)
    elif parts and _TAG.fullmatch(parts[-1]):
        parts = parts[:-2]
    for place, part in enumerate(parts, start=1):
        if _GAP in part or _UNREAL.search(part) or (place < len(parts) and _reports(part)):
            return
        if not _QUESTION.search(part):
            yield _PARTICLES.sub("", part).strip(_EDGES)


def _without_question(parts: list[str]) -> list[str]:
    tagged = bool(parts) and _TAG.fullmatch(parts[-1]) is not None
    return parts[:-2] if tagged else parts[:-1]


def _reports(part: str) -> bool:
    return _REPORTED.search(part) is not None and _ANNOUNCED.search(part) is None
