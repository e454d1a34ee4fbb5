"""A text cut into clauses, each with what it says, of whom, and whether it denies it. Pure."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..languages.numbers import in_digits
from ..languages.terms import terms, with_meaning

NO_NEGATION = re.compile(
    # 喜不喜欢 asks; what looks like a negation in the rest is part of another word.
    r"(?P<asked>[\u4e00-\u9fff])不(?P=asked)"
    r"|不错|不仅仅?|不但|不光|不只|不止|不过(?!敏)|不管|不论|不然|不断|不久|不少|不同|不料|不愧|不禁|不停"
    r"|不好意思|不客气|不用谢|不得了|差不多|了不起|无论|无所谓|没准|没想到|没事|没关系|没问题|没错"
    r"|淹没|沉没|埋没|没收|没落|未来|未婚|未免|忍不住|离不开|少不了|巴不得|对不起|来不及|不一样"
    r"|[特分区级性告识个离]别|别[人的墅名处扭致]|非[^，。不]{1,12}不[可行]"
    r"|\b(?:not (?:only|just|bad|to mention|until)|no (?:doubt|problem|wonder|matter)|nothing but"
    r"|never mind|can(?:no|')t (?:wait|help|get enough)|couldn't be \w+er|why not)\b",
    re.I,
)
"""What holds a word of negation and denies nothing."""

NEGATION = re.compile(
    r"受不了|受不住|忍不了|吃不惯|看不惯|看不上|吃不了|从?没有?|从?不[再会能想要]?|别|从?未|勿|无[法意力]|毫无"
    r"|讨厌|反感|厌恶|痛恨|恨|嫌弃|忌口|戒了|戒掉了?|拒绝|放弃了?"
    r"|\bcan(?:no|')t (?:stand|bear)\b|\bno longer\b|\bcannot\b|n't\b"
    r"|\b(?:no|not|never|neither|nor|nobody|none|nothing|nowhere|without|hardly|scarcely|barely)\b"
    r"|\b(?:hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|detests?|loathes?|despises?|avoid(?:s|ed)?)\b"
    r"|\b(?:stopped|quit|quits|gave up|gives up|has given up|ceased|refuses?|refused)\b",
    re.I,
)
"""What denies once: two in one clause cancel each other."""

PREFERENCE = re.compile(
    r"最?喜欢|最?喜爱|偏爱|偏好|热爱|钟爱|最爱|爱(?=[吃喝看听玩去用读穿上])|爱上|讨厌|反感|厌恶|受不了"
    r"|\b(?:lik(?:e|es|ed|ing)|lov(?:e|es|ed|ing)|enjoy(?:s|ed|ing)?|prefer(?:s|red)?|adores?"
    r"|fond of|favou?rites?|hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|detests?|loathes?"
    r"|can(?:no|')t (?:stand|bear)|into|keen on)\b",
    re.I,
)
"""Words of taste."""

FILLING = re.compile(
    r"用户|提问者|本人|自己|[我你您他她它]们?|[是了的得着过吗呢吧啊都也很还就再要]|非常|特别|一直|已经|现在|目前"
    r"|真的|其实|总是|从来|任何|完全|确实|以后|每天|一点儿?|有点|比较|[吃喝]|一[只条个名位种家]"
    r"|\b(?:the user|user|am|really|very|always|still|any|anymore|quite|much|now|currently"
    r"|at all|also|eats?|eating|drinks?|drinking|goes|going|go|went|takes?|things?|kind of|all"
    r"|more)\b",
    re.I,
)
"""Whom a memory is about anyway, degree, and verbs that go without saying."""

LINKING = "live lives home work works job called name named owns keeps 住家工作班叫名养"
"""Words that only say how a value belongs to a person."""

CLAUSE_END = re.compile(
    r"[，；。！？\n]|[,;!?]|\.(?=\s|$)|但是?|可是|不过(?!敏)|而是|然而|却"
    r"|\b(?:but|while|whereas|although|though|however|yet)\b",
    re.I,
)

BESIDE = re.compile(r"(?:'s?)? *(?:and|&|,|和|与|跟|、) *")
"""What joins a second name to the first."""

_CUT = re.compile(f"(?P<end>{CLAUSE_END.pattern})|{NO_NEGATION.pattern}", re.I)
"""Where clauses end, or what is not to be cut: "nothing but"."""

LONGEST = 1_000
"""Characters of a memory that are compared."""

_IDIOM = "\ufffc"


@dataclass(frozen=True)
class Clause:
    """One clause as it is written."""

    text: str

    @cached_property
    def denies(self) -> bool:
        """Whether it says that something is not so; two denials cancel each other."""
        return len(NEGATION.findall(self._plain)) % 2 == 1

    @cached_property
    def content(self) -> frozenset[str]:
        """Index terms of what it is about, without words of denial, taste and filling."""
        bare = self._plain
        for pattern in (NEGATION, PREFERENCE, FILLING):
            bare = pattern.sub(" ", bare)
        return with_meaning(terms(bare))

    @cached_property
    def figures(self) -> frozenset[str]:
        """The numbers it counts with, in digits."""
        return frozenset(re.findall(r"\d+(?:\.\d+)?", self._plain))

    @cached_property
    def prefers(self) -> bool:
        """Whether it tells of a taste."""
        return PREFERENCE.search(self.text) is not None

    @cached_property
    def _plain(self) -> str:
        return NO_NEGATION.sub(_IDIOM, in_digits(self.text).replace("’", "'"))


@lru_cache(2_048)
def clauses(text: str) -> tuple[Clause, ...]:
    """Those with content, in order; the whole text if none has any."""
    cut = _CUT.sub(lambda found: "\n" if found["end"] else found[0], text[:LONGEST])
    parts = [Clause(part) for part in cut.split("\n") if part.strip()]
    return tuple(part for part in parts if part.content) or (Clause(text[:LONGEST]),)


def content(text: str) -> frozenset[str]:
    """Content of all clauses."""
    return frozenset[str]().union(*(clause.content for clause in clauses(text)))
