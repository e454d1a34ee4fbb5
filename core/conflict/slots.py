"""Slots: the attributes of people under one canonical name, single or with several values. Pure.

Algorithms, section 12.
"""

import re

from ..languages.kin import kin_of
from ..languages.terms import carries_meaning, terms
from ..model.knowledge import SPEAKER, Claim, slot_of
from ..text.quoting import entity_id

LONGEST_KEY = 60
LONGEST_VALUE = 200
LONGEST_SUBJECT = 80
"""Characters of what is kept of a claim."""

LIKE = "like"
"""The slot of all tastes: what is disliked is denied there."""

UNMENTIONED = "unmentioned"
"""The slot of what somebody does not want brought up."""

SEVERAL = frozenset(
    (
        f"{UNMENTIONED} allergy illness medication pet family friend hobby like favourite language"
        " skill habit possession child achievement visited"
    ).split()
)
"""What somebody may have several of: a new one takes the place of none. The rest are single, and so
is the favourite of a kind ("favourite:drink")."""

NAMES = frozenset({"name", "nickname"})
OF_WHOM_SEVERAL = frozenset(
    (
        "son daughter child brother sister grandson granddaughter niece nephew uncle aunt cousin"
        " brother_in_law sister_in_law son_in_law daughter_in_law friend classmate flatmate"
        " colleague dog cat rabbit hamster"
    ).split()
)
"""Relatives and pets of whom somebody may have several: a second name is another one's."""

HAD = frozenset("allergy child illness medication pet possession".split())
"""What somebody has, or has no more: "no pets" names no pet. A taste may begin with "no"."""

ENDS = {"workplace": "job"}
"""What is over with something else: who has left work does it no more."""

ALONE = frozenset("单身 离异 离婚 分手 single divorced separated".split())
OF_PARTNERS = frozenset("name nickname job workplace residence school age birthday".split())
"""What is kept of a partner ends with the bond: the next one has a name of their own."""

_VAGUE = frozenset(
    (
        "fact event plan preference opinion activity interest experience other misc note info"
        " feeling mood trip travel topic goal project task relationship attribute status state"
        " memory statement detail thing life personal general question intention news unknown"
    ).split()
)
"""Keys that tell nothing: two facts of a life are no two values of one."""

_CALLED = {
    "residence": "home city address location lives_in",
    "home_town": "hometown origin birthplace",
    "workplace": "employer company work",
    "job": "occupation profession career job_title position",
    "school": "university college",
    "birthday": "birth_date date_of_birth",
    "name": "full_name",
    "marital": "marital_status relationship_status",
    "partner": "spouse husband wife girlfriend boyfriend",
    "contact:phone": "phone phone_number",
    "contact:email": "email",
    "contact:wechat": "wechat",
    "device:computer": "laptop computer",
    "device:phone": "mobile",
    "car": "vehicle",
    "commute": "transport transport_mode transportation",
    "favourite": "favorite",
    LIKE: "likes loves dislike dislikes",
    "hobby": "hobbies",
    "allergy": "allergies",
    "pet": "pets",
    "language": "languages language_learnt language_learning learning_language",
    "medication": "medications medicine",
    "illness": "disease condition",
    "boss": "manager supervisor leader",
    "flatmate": "roommate housemate",
    "instruction": "bot_instruction",
    "alcohol": "drinking drink_alcohol alcohol_consumption",
    "debt": "loan loans mortgage",
    "glasses": "eyesight",
    "thesis": "dissertation thesis_topic research_topic",
    "business": "shop own_business",
    "driving_licence": "driving driving_license",
    "provider:internet": "broadband internet_provider",
    "schedule:work": "work_shift shift working_hours work_schedule",
    "marriage_date": "wedding_plan wedding_date",
    "team": "sports_team football_team",
}
"""Other keys for an attribute, by its name."""

_ALIASES = {key: name for name, keys in _CALLED.items() for key in keys.split()}
_OPPOSITE = frozenset({"dislike", "dislikes"})
_KEY = re.compile(r"[^\w:]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NONE = re.compile(
    r"(?:none|nothing|no longer|no more|not|no)\b\s*"
    r"|(?:已经|现在)?(?:没有|不再[对有]?|没)了?",
    re.I,
)
_ANY = re.compile(
    r"(?:any|an?|the|known|more|pets?|kids|child(?:ren)?|allerg(?:y|ies)|illness(?:es)?|meds"
    r"|medications?|宠物|孩子|小孩|过敏|病|药|吃|养|了|任何|的|\W)*",
    re.I,
)
_AROUND = re.compile(
    r"^(?:[吃喝抽打玩看听学养用穿]|the |an? |my |to |in |at |on |with |for |doing |drinking "
    r"|eating |playing |smoking )+|[\s.,，。!！了啦吧啊呢的]+$"
)


def canonical(key: str) -> str:
    """The name of an attribute that a key, as a rule or a model gives it, stands for; "" for none.

    Keys outside the vocabulary stand for themselves, `KIND:TOPIC` for a topic of a kind.
    """
    kind, _, topic = _KEY.sub("_", entity_id(key)).strip("_:").partition(":")
    kind = _ALIASES.get(kind, kind)
    for prefix in ("favourite_", "favorite_"):
        if kind.startswith(prefix):
            kind, topic = "favourite", kind.removeprefix(prefix)
    if kind in _VAGUE or not kind:
        return ""
    return (kind if not topic else f"{kind}:{topic.strip('_')}")[:LONGEST_KEY]


def is_opposite(key: str) -> bool:
    """Whether a key stands for the denial of what its attribute says: what is disliked."""
    return _KEY.sub("_", entity_id(key)).strip("_").partition(":")[0] in _OPPOSITE


def has_several(attribute: str, subject: str = "") -> bool:
    """Whether a slot of this attribute, and of this subject, may hold several values at once."""
    general, _, kind = attribute.partition(":")
    several = general in SEVERAL and not (general == "favourite" and kind)
    return several or (attribute in NAMES and subject.partition("/")[2] in OF_WHOM_SEVERAL)


def own(account: str, whose: str = "") -> str:
    """The subject of what the speaker says of themselves, or of a relative or pet of theirs."""
    relation = kin_of(whose) or entity_id(whose)
    return f"{SPEAKER}{account}{'/' if relation else ''}{relation}"[:LONGEST_SUBJECT]


def same_value(attribute: str, one: str, other: str) -> bool:
    """Whether two values of an attribute are the same as far as can be told.

    Numbers must be the same. Where there is one value at a time, one that says more of the same
    ("Leeds, near Headingley") is the same; where there are several, it is another.
    """
    first, second = value_key(one), value_key(other)
    if first == second:
        return True
    if not first or not second or _NUMBER.findall(first) != _NUMBER.findall(second):
        return False
    if has_several(attribute):
        return False
    said, heard = value_terms(first), value_terms(second)
    if not said or not heard:
        return first in second or second in first
    return said <= heard or heard <= said


def value_key(value: str) -> str:
    """A value without what may as well be left out: verbs of use, articles, marks."""
    plain = entity_id(value)
    return _AROUND.sub("", plain).strip() or plain


def denied_in(attribute: str, value: str) -> str | None:
    """What a value says that there is none of, "" for any; None if it does not say so."""
    if attribute.partition(":")[0] not in HAD:
        return None
    match = _NONE.match(value.strip())
    if match is None:
        return None
    rest = value.strip()[match.end() :]
    return "" if _ANY.fullmatch(rest) else rest


def ended_with(claim: Claim) -> frozenset[str]:
    """The slots of what is over too: if a claim denies any value of its own, or says of a bond that
    it is over, with whoever it was.
    """
    if claim.attribute == "marital" and not claim.denied and value_key(claim.value) in ALONE:
        return frozenset(slot_of(each, f"{claim.subject}/partner") for each in OF_PARTNERS)
    other = ENDS.get(claim.attribute, "") if claim.denied and not claim.value else ""
    return frozenset({slot_of(other, claim.subject)}) if other else frozenset()


def value_terms(text: str) -> frozenset[str]:
    """Terms of a value that carry a meaning."""
    return frozenset(term for term in terms(text) if carries_meaning(term))
