"""Japanese: markers and times; no rules for extraction."""

import re

from ...text.time.rule import joining, rules_in
from ..language import Language
from . import days
from .words import MARKERS, STOP_WORDS

LANGUAGE = Language(
    "ja",
    # の alone is seen in Chinese, and these characters are written in Chinese only.
    script=re.compile("[\u3005\u3041-\u306d\u306f-\u3096]"),
    unit=re.compile("[\u3041-\u30ff\u4e00-\u9fff]"),
    foreign=re.compile(
        "[们們这這么麼吗嗎吧呢沒说說妳谁为还爱欢时个样过应该给让从对题经现请谢你您她]"
    ),
    instead_of=frozenset({"zh"}),
    stop_words=STOP_WORDS,
    markers=MARKERS,
    times=rules_in(days),
    time_joining=(joining("から|〜"), joining("と", after="の?間")),
)
