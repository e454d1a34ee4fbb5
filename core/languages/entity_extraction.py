"""Names in what somebody says, by rules: capitals, quoted titles, and for Chinese a dictionary.

Precise rather than many: a wrong name connects what has nothing in common.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from ..model.knowledge import Entity
from ..text.display_names import LONGEST_NAME, entity_id
from .terms import content_terms

MOST = 8
"""Names of one turn; the first ones."""

LONGEST_TEXT = 1_000
"""Characters of a turn that are read."""

SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕"
    "丁任沈姚卢崔钟谭陆汪范廖贾夏韦付邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武莫孔向"
)
"""Common family names, but for those that are mostly something else: 马, 高, 于, 白, 方, 汤, 戴."""

_NEVER_IN_A_NAME = frozenset(
    "的了是不在有去来到上下前后里要能会可很都也还又再就被把给和跟说看吃喝记底类条件段次点"
)

_COMPOUND = ("欧阳", "司马", "上官", "诸葛", "慕容", "司徒", "东方", "夏侯", "皇甫", "尉迟")
_TITLES = (
    "老师|医生|教授|经理|老板|阿姨|叔叔|师傅|同学|先生|女士|大夫|律师|教练|学长|学姐|师兄|师姐"
)
_CALLED = re.compile(
    rf"[小老阿][{''.join(SURNAMES)}](?![\u4e00-\u9fff])|[{''.join(SURNAMES)}](?:{_TITLES})"
)
_TITLE = re.compile(r"《([^《》\n]{1,40})》|“([^“”\n]{2,40})”|\"([^\"\n]{2,40})\"")
_WORD = re.compile(r"[^\W\d_][\w'’&-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？:;\n…—\"“(*-]\s*)\Z")
_JOINING = re.compile(r" (?:(?:of|the|de|van|von|la|le|du) ){0,2}")
_ACRONYM = 5
"""Letters of a word in capitals that may be a name; longer ones are shouted."""

_NO_NAMES = frozenset(
    """i monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december mon tue tues wed thu thur thurs fri sat
    sun last next god ok okay tv pm am lol omg wow btw asap
    mr mrs ms dr mom dad mum english""".split()
)
"""Words written with a capital that name nobody in particular; days are read as times."""

_OPENERS = frozenset(
    """hey hi hello yeah yep yes yup no nope thanks thank bye oh ooh aw aww wow well sure absolutely
    definitely totally congrats congratulations happy merry remember go good great nice cool awesome
    amazing it's that's what's here's let's so and but also sorry dear cheers glad love then maybe
    perhaps exactly right true indeed meet tell ask see when how what where who why the a my our
    your his her their in on at to for from with is are was were do does did has have had""".split()
)
"""Words before a name at the beginning of a sentence that are none of it."""


def names_by_rule(text: str) -> list[Entity]:
    """Titles in quotation marks and capitalised names that do not merely begin a sentence."""
    read = text[:LONGEST_TEXT]
    titles = [Entity(entity_id(t), t.strip(), "work") for t in _titles(read)]
    people = [Entity(m[0], m[0], "person") for m in _CALLED.finditer(read)]
    return first_of([*titles, *people, *(Entity(entity_id(n), n) for n in _capitalised(read))])


def first_of(entities: Iterable[Entity], most: int = MOST) -> list[Entity]:
    """The first entities of different names that have content."""
    found: dict[str, Entity] = {}
    for entity in entities:
        if content_terms(entity.name) and len(entity.name) <= LONGEST_NAME:
            found.setdefault(entity.id, entity)
    return list(found.values())[:most]


def is_full_name(word: str) -> bool:
    """Whether a Chinese word that no dictionary knows looks like a person's family and own name."""
    if word.startswith(_COMPOUND):
        return 3 <= len(word) <= 4
    given = word[1:]
    return word[0] in SURNAMES and 1 <= len(given) <= 2 and _NEVER_IN_A_NAME.isdisjoint(given)


def _titles(text: str) -> Iterator[str]:
    for match in _TITLE.finditer(text):
        book, *quotes = match.groups()
        if book:
            yield book
            continue
        # A quotation may be anything that was said; a title is short, or begins with a capital.
        (quote,) = filter(None, quotes)
        if (quote.isascii() and quote[0].isupper() and quote[-1].isalnum()) or (
            not quote.isascii() and len(quote) <= 8
        ):
            yield quote


def _capitalised(text: str) -> Iterator[str]:
    """Runs of capitalised words. One that begins a sentence must be a name elsewhere, or go on."""
    runs = list(_runs(text))
    inside = {name for name, begins in runs if not begins}
    for name, begins in runs:
        if not begins or name in inside or " " in name:
            yield name


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    words = [match for match in _WORD.finditer(text) if _is_capital(match[0])]
    run: list[re.Match[str]] = []
    for word in words:
        if run and not _JOINING.fullmatch(text, run[-1].end(), word.start()):
            yield _run(text, run)
            run = []
        run.append(word)
    if run:
        yield _run(text, run)


def _run(text: str, words: Sequence[re.Match[str]]) -> tuple[str, bool]:
    begins = bool(_SENTENCE_START.search(text[max(0, words[0].start() - 4) : words[0].start()]))
    if begins and len(words) > 1 and words[0][0].replace("’", "'").lower() in _OPENERS:
        words, begins = words[1:], False
    start = words[0].start()
    name = re.sub(r"(?:['’]s|['’&-]+)\Z", "", text[start : words[-1].end()])
    return name, begins


def _is_capital(word: str) -> bool:
    plain = re.sub(r"['’].*", "", word)
    shouted = plain.isupper() and len(plain) > _ACRONYM
    return len(plain) > 1 and word[0].isupper() and not shouted and plain.lower() not in _NO_NAMES
