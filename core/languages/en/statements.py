"""Forms in which English speakers state something of themselves. Data."""

import re

from ...model.memory import Facet, Kind
from ..language import StatementForms, WishForms, form

_X = r"(?P<x>(?!(?:it|that|this|you|to)\b)\S.{0,40}?)"
_NAME = r"(?P<x>[\w'’ -]{1,30})"
_AM = r"i(?:['’]?m| am)"
_SO = r"(?:(?:now|just|really|also|still|absolutely|currently|always|recently|very) )*"
_ASKED = r"(?:(?:please|pls|can you|could you|will you|and) )*"
_TO_DO = r"(?:['’]?(?:m|re|ll|ve)| am| are| will| have| need| plan| must| want) .+"

FORMS = (
    form("name", rf"my name(?:['’]?s| is) {_NAME}", "{who}'s name is {x}", 0.85),
    form(
        "name",
        rf"my (?P<kin>[a-z -]+?)(?:['’]s name is| is called| is named) {_NAME}",
        "{who}'s {kin} is called {x}",
    ),
    form(
        "residence",
        rf"(?:i|we)(?:['’]ve| have)? {_SO}(?:live in|live at|moved to) {_X}",
        "{who} lives in {x}",
        0.7,
    ),
    form("workplace", rf"i {_SO}work (?:at|for) {_X}", "{who} works at {x}", 0.7),
    form("job", rf"(?:i {_SO}work as|my job is)(?: an?)? {_X}", "{who} works as {x}", 0.7),
    form("allergy", rf"{_AM} (?:\w+ )?allergic to {_X}", "{who} is allergic to {x}", 0.85),
    form("diet", rf"{_AM} {_SO}(?:a )?(?P<x>vegan|vegetarian)", "{who} is {x}", 0.75),
    form(
        "like",
        rf"i {_SO}(?:hate|dislike|can['’]?t stand|don['’]?t like) {_X}",
        "{who} dislikes {x}",
        denied=True,
    ),
    form("like", rf"i {_SO}(?:like|love|enjoy) {_X}", "{who} likes {x}"),
    form(
        "pet",
        r"i (?:have|got|adopted) an? (?P<x>.{1,20}?)(?: (?:called|named) (?P<called>.+))?",
        "{who} has a {x}",
    ),
    form("birthday", r"my birthday is (?:on )?(?P<x>.{2,30})", "{who}'s birthday is {x}"),
    form(
        "nickname",
        rf"{_ASKED}call me {_NAME}",
        "{who} wants to be called {x}",
        0.85,
        facet=Facet.INSTRUCTION,
        asked=True,
    ),
    form(
        "",
        rf"{_ASKED}(?:remember|don['’]?t forget)(?: that)?(?P<x>(?: .+)?)",
        importance=0.85,
        asked=True,
    ),
    form("", rf"{_ASKED}remind me .+", "", 0.7, Kind.PROSPECTIVE, asked=True),
    form("", rf"(?:i|we){_TO_DO}", "", 0.6, Kind.PROSPECTIVE),
)

STATEMENTS = StatementForms(
    FORMS,
    taken_back=re.compile(r"(?:i was )?wrong|(?:just )?kidding|i was joking|i misspoke", re.I),
    instead=re.compile(r"(?:it['’]?s|i meant|i mean) (?P<x>.+)", re.I),
    subject="i ",
    nameless="The user",
)

WISHES = WishForms(
    unkept=re.compile(
        r"(?:^|[.!?]\s*|\b(?P<this>this|that|it)(?:['’]?s| is| was) )off the record\b"
        r"|(?:^|[.!?,;:]\s*|\bplease )(?:don['’]?t|do not) "
        r"(?:save|record|store|keep|write) (?P<this_too>this|that|it)\b(?: down\b)?",
        re.I,
    ),
    forget=re.compile(
        r"(?:^|[.!?,;]\s*)(?:(?:please|pls|just|can you|could you|will you) )*"
        r"(?:forget|delete|erase)(?: about)? "
        r"(?:what i (?:said|told you)(?: about)?|(?:everything|all) about)?"
        r" ?(?P<x>(?!it\b)(?:my|the|this|that)?\b[^.!?,;\n]{0,60})",
        re.I,
    ),
)
