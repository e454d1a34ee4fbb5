"""What decides that a question is answered decides what may stand beside the answer."""

from dataclasses import replace

from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.recall.slot_answers import answered
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg

from ...samples import memory

SHARE = 0.06


def test_junk_is_not_shown_beside_an_answer_that_a_fact_decides() -> None:
    cat = replace(memory("Ann keeps a cat", id="cat"), claim=Claim("ann", "pet", "a cat", 0.0))
    others = [memory(f"Ann likes {what}", id=what) for what in ("tea", "oats", "cats")]
    records = {each.id: each for each in (cat, *others)}
    asked = Fused("cat", (Hit(Leg.SLOT, 1, 1.0, 1.0),), 0.4, needed=-3.0)
    junk = [Fused(id, (), 0.6, needed=needed) for id, needed in (("tea", -6.0), ("oats", -9.0))]
    likely = Fused("cats", (), 0.5, needed=-1.0)
    shown = answered([*junk, asked, likely], records, 8, SHARE)
    assert [(each.memory, each.drop) for each in shown] == [
        ("cat", None),
        ("tea", Drop.IRRELEVANT),
        ("oats", Drop.IRRELEVANT),
        ("cats", None),
    ]
