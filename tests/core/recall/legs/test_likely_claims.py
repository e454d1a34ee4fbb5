"""A question whose words name no attribute finds what holds of the one it asks for by meaning."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.conflict.slots import told_by
from astrbot_plugin_tidemark.core.host.coefficients import with_asked, with_need
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question, Sources
from astrbot_plugin_tidemark.core.recall.trace import Leg, Recalled
from astrbot_plugin_tidemark.core.scoring.asked_attributes import AskedAttributes, OfSpace
from astrbot_plugin_tidemark.core.scoring.defaults import FITTED
from astrbot_plugin_tidemark.core.scoring.memory_need import ByMeaning, MemoryNeed

from ....kit import FakeEmbedder
from .asked import NOW, hits, reports, said, texts
from .conftest import Keep

ASKS = "whom do I beg for a long weekend"
DAY = 86_400.0

type Ask = Callable[..., Awaitable[Recalled]]


def claim(text: str, attribute: str, days_ago: float, subject: str = "@", **how: object) -> Memory:
    since = NOW - days_ago * DAY
    end = NOW - 2 * DAY if how.get("over") else None
    return said(text, days_ago, claim=Claim(subject, attribute, text, since, end))


BOSS = claim("Oona, since the spring", "boss", 30)
OLD_BOSS = claim("Piet, who has left", "boss", 300, over=True)
RELATIVES = claim("Femke rules over her", "boss", 30, "@/sister")
OTHERS = [claim("a flat in Ghent", "residence", 40), said("nothing in particular", 1.0)]


@pytest.fixture
async def ask(store: MemoryStore, embedder: FakeEmbedder, question: Question) -> Ask:
    """Asks with models that take the meaning of ASKS alone for a question who the boss is."""
    vector = await embedder.embed_query(ASKS)
    space = (await embedder.identity()).fingerprint
    rows = np.stack([vector, np.zeros_like(vector)]).astype(np.float32)
    asked = AskedAttributes((("boss",), ()), {space: OfSpace(20 * rows, np.array([-10, 0], "f4"))})

    async def recalled(text: str = ASKS, *, recalls: float = 4.0, **changes: object) -> Recalled:
        need = MemoryNeed({}, {space: ByMeaning(np.zeros_like(vector), {}, recalls)})
        fitted = MappingProxyType(with_asked(with_need(FITTED, need), asked))
        sources = Sources(store, embedder, fitted=fitted)
        return await recall(replace(question, text=text, **changes), sources)

    return recalled


async def test_what_holds_is_shown_and_how_likely_it_was_asked_for(keep: Keep, ask: Ask) -> None:
    await keep(BOSS, OLD_BOSS, RELATIVES, *OTHERS)
    recalled = await ask()
    assert texts(recalled)[0] == BOSS.text
    found = hits(recalled, Leg.SLOT)
    assert list(found) == [BOSS.id]
    assert 0.9 < found[BOSS.id].score < 1.0
    assert reports(recalled)[Leg.SLOT].hits == 1


async def test_what_is_not_known_stays_unanswered(keep: Keep, ask: Ask) -> None:
    await keep(RELATIVES, *OTHERS)
    assert hits(await ask(), Leg.SLOT) == {}


async def test_a_turn_that_asks_for_nothing_remembered_finds_no_claim(keep: Keep, ask: Ask) -> None:
    await keep(BOSS, *OTHERS)
    assert hits(await ask(recalls=-4.0), Leg.SLOT) == {}


async def test_what_was_told_before_two_hundred_other_claims_is_found(keep: Keep, ask: Ask) -> None:
    later = [claim(f"spoon number {n}", f"spoon_{n}", 1 + n / 1_000) for n in range(210)]
    await keep(BOSS, *later)
    assert list(hits(await ask(), Leg.SLOT)) == [BOSS.id]


@pytest.mark.parametrize(
    "text", ["whom does Dev beg for a long weekend", "whom does my neighbour beg for it"]
)
async def test_who_asks_of_somebody_else_is_told_nothing_of_their_own(
    keep: Keep, ask: Ask, text: str
) -> None:
    await keep(BOSS, *OTHERS)
    assert BOSS.id not in hits(await ask(text), Leg.SLOT)


async def test_a_relative_that_is_named_is_asked_about(keep: Keep, ask: Ask) -> None:
    await keep(BOSS, RELATIVES, *OTHERS)
    recalled = await ask(f"{ASKS}, my sister")
    assert list(hits(recalled, Leg.SLOT)) == [RELATIVES.id]


async def test_a_form_that_is_known_and_answered_is_believed_alone(keep: Keep, ask: Ask) -> None:
    await keep(BOSS, *OTHERS)
    recalled = await ask("where do I live")
    assert list(hits(recalled, Leg.SLOT)) == [OTHERS[0].id]


async def test_without_the_slot_leg_nothing_is_looked_for(keep: Keep, ask: Ask) -> None:
    await keep(BOSS, *OTHERS)
    recalled = await ask(without=frozenset({Leg.SLOT}))
    assert hits(recalled, Leg.SLOT) == {}


@pytest.mark.parametrize(
    ("attribute", "told"),
    [
        ("favourite:tea", 0.5),
        ("favourite:opera", 0.25),
        ("provider:internet", 0.75),
        ("tattoo_plan", 1.0),
        ("debt", 0.0),
    ],
)
def test_an_attribute_is_told_by_its_kind_where_nothing_says_more(
    attribute: str, told: float
) -> None:
    known = {"favourite:tea": 0.5, "favourite": 0.25, "provider": 0.75, "tattoo": 1.0}
    assert told_by(attribute, known) == told
