"""What Chinese speakers take, and what comes back, as patterns. Pure."""

from dataclasses import replace

from ..extraction_rule import ExtractionRule
from .changes import ADVERBS, ANYBODY, KIN_OR_SELF
from .facts import fact
from .others import NAMED, SURNAMES
from .words import ILLNESS, KIN

_DONE = "(?:了|啦|呢)*"
_MEDICINE = (
    "(?P<x>(?!感冒|退烧|止痛|消炎)(?:[^，了着你您我他她在]{1,8}?"
    "(?:药|缓释片|胶囊|他汀|沙坦|地平|洛尔|普利|双胍|西林|霉素|司他|嘌醇|拉唑|替丁|西汀|曲林|唑仑|西泮|岛素)"
    "|阿司匹林|优甲乐))"
)
"""Medicines by how their names end; what is taken for a cold is over in a week."""

_DAILY = (
    "(?:每天|天天|每晚|一直|长期|都|要|得|正?在|早上|早晨|早晚|中午|晚上"
    "|睡前|[饭餐][前后]|按时|定时|各)*"
)
_DOSE = "(?:[一二两三四半0-9]+[片粒颗丸包袋支次])?"
_NAMED_MEDICINE = (
    "(?P<x>[^，了着你您我他她在的把说吃用换]{1,6}?"
    "(?:他汀|沙坦|地平|洛尔|普利|双胍|西林|霉素|司他|嘌醇|拉唑|替丁|西汀|曲林|唑仑|西泮|岛素|降压药)"
    "|阿司匹林|优甲乐)"
)
"""Of a clause that names nobody, only what is a medicine's own name."""

_NAMED = (
    rf"(?P<named>{NAMED}|(?!周[末一二三四五六日天围边]|程序|任何|方面)"
    rf"[{SURNAMES}][\u4e00-\u9fff]{{1,2}}(?=对))"
)

FIRST: tuple[ExtractionRule, ...] = (
    fact(
        "a relative's medicine",
        "medication",
        rf"我[的家]?(?:{KIN})(?:的药)?{ADVERBS}(?:换|改)(?:成|吃|用)+了?{_NAMED_MEDICINE}{_DONE}",
    ),
)
"""Tried before what else is said to have changed: 改成缬沙坦 is no trade."""

RULES: tuple[ExtractionRule, ...] = (
    fact(
        "medicine",
        "medication",
        rf"{KIN_OR_SELF}{ADVERBS}{_DAILY}[吃服用](?:着|的是|上了?)?{_DOSE}{_MEDICINE}",
    ),
    replace(
        fact(
            "medicine prescribed",
            "medication",
            rf"(?:医生|大夫)(?:又|还)?(?:[给让叫帮](?:我)?)?(?:又|还)?(?:换|开|改|加|吃)(?:了|成|吃)*{_MEDICINE}{_DONE}",
        ),
        template="{who}在用{x}",
    ),
    replace(
        fact(
            "medicine stopped",
            "medication",
            rf"(?:(?:医生|大夫)(?:说|让|叫)?(?:我)?)?(?:把)?{_NAMED_MEDICINE}(?:已经|都|就|也|可以)*"
            r"(?:(?:不用|不|别)(?:再)?[吃用服]|停)了?(?:吃|用|服)?了?",
            denies=True,
        ),
        template="{who}不再用{x}",
    ),
    replace(
        fact(
            "medicine changed",
            "medication",
            rf"(?:就|又|现在|给我)*(?:换|改)(?:成|吃|用)+了?{_NAMED_MEDICINE}{_DONE}",
        ),
        template="{who}在用{x}",
    ),
    replace(
        fact(
            "allergy of somebody by name",
            "allergy",
            rf"{_NAMED}(?:从小|一直|也|都|好像)*对?(?P<x>[^你您我他她它是吃，不没对有]{{1,8}}?)"
            r"(?:会|严重|重度|轻度|特别)*过敏",
        ),
        template="{clause}",
        importance=0.85,
    ),
    fact(
        "bout of a lasting illness",
        "illness",
        rf"{ANYBODY}的?(?P<x>{ILLNESS})(?:又|好像|可能)*(?:犯|发作){_DONE}",
    ),
)
"""Tried after what else people say of themselves."""
