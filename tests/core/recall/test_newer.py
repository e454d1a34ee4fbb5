"""What was said since of much the same comes directly before what is shown, and hides nothing."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Source
from astrbot_plugin_tidemark.core.recall.newer import (
    follows,
    nearness,
    of_one_slot,
    placed,
    rarities,
)
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question, Sources
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused
from astrbot_plugin_tidemark.storage.ephemeral import EphemeralStore

from ...samples import ANN
from .legs.asked import said, texts
from .legs.conftest import question as question

BEN = Speaker("902", "Ben")


def told(text: str, days_ago: float, **changes: object) -> Memory:
    """A turn of Ann's, of an episode of its own."""
    origin = Origin(session="s", episode=text, turns=(round(1_000 - days_ago),))
    return said(
        text, days_ago, **{"kind": Kind.EVIDENCE, "speaker": ANN, "origin": origin, **changes}
    )


OLD = told("Biscuit the greyhound sleeps on my sofa", 90)
NEW = told("Biscuit the greyhound passed away", 4)
LIFE = [told(f"Neighbour number {n} barks at us", 200.0 + n) for n in range(12)]
UNRELATED = told("Paid the last of the student loans", 2)


async def test_the_newer_statement_comes_first_and_the_older_names_it(question: Question) -> None:
    store = EphemeralStore()
    await store.put([OLD, NEW, UNRELATED, *LIFE])
    asked = replace(question, text="Does Biscuit sleep on my sofa?")
    recalled = await recall(asked, Sources(store))
    assert texts(recalled)[:2] == [NEW.text, OLD.text]
    assert "said before [1]" in recalled.block.split("\n")[3]
    assert UNRELATED.text not in texts(recalled)


@pytest.mark.parametrize(
    "text", ["Did Biscuit sleep on my sofa before?", "Do greyhounds sleep on a sofa?"]
)
async def test_nothing_is_put_first_where_the_past_or_nobody_is_asked_about(
    question: Question, text: str
) -> None:
    store = EphemeralStore()
    await store.put([OLD, NEW])
    recalled = await recall(replace(question, text=text), Sources(store))
    assert "said before" not in recalled.block


@pytest.mark.parametrize(
    ("changes", "does"),
    [
        ({}, True),
        ({"created_at": OLD.created_at - 1}, False),
        ({"speaker": BEN}, False),
        ({"speaker": None}, False),
        ({"source": Source.BOT}, False),
        ({"kind": Kind.PROSPECTIVE}, False),
        ({"origin": OLD.origin}, False),
        ({"text": "Where is Biscuit the greyhound?"}, False),
        ({"claim": Claim("@", "pet", "none", NEW.created_at, NEW.created_at + 9)}, False),
        ({"claim": Claim("@", "pet", "none", NEW.created_at)}, True),
    ],
)
def test_only_the_same_person_in_a_later_conversation_says_something_newer(
    changes: dict[str, object], does: bool
) -> None:
    assert follows(replace(NEW, **changes), OLD) is does


def test_of_two_claims_likeness_says_nothing() -> None:
    one = replace(OLD, claim=Claim("@", "pet", "a greyhound", OLD.created_at))
    assert not follows(replace(NEW, claim=Claim("@", "job", "baker", NEW.created_at)), one)


def test_common_words_count_by_how_rare_they_are() -> None:
    every = [OLD, NEW, UNRELATED, *(told(f"house {n} is here", n + 5) for n in range(20))]
    rarity = rarities(every)
    house = told("a house", 1)
    assert nearness(OLD, NEW, {}, rarity) > 2 * nearness(house, UNRELATED, {}, rarity)
    assert nearness(told("", 1), told("", 2), {}, rarity) == 0.0


def test_nothing_is_shown_beyond_the_limit_and_nothing_twice() -> None:
    judged = [Fused(id, (), 0.5) for id in "abc"] + [Fused("d", (), 0.1, drop=Drop.LIMIT)]
    result = placed(judged, {"a": "d", "b": "c"}, 3)
    assert [(each.memory, each.drop) for each in result] == [
        ("d", None),
        ("a", None),
        ("c", None),
        ("b", Drop.LIMIT),
    ]
    # Two that name each other cannot come of times, and would still end.
    assert len(placed(judged, {"a": "b", "b": "a"}, 8)) == 4


def test_of_several_values_of_a_slot_the_older_say_that_they_are() -> None:
    cat, dog = (
        replace(one, id=one.text, claim=Claim("@", "pet", one.text, one.created_at))
        for one in (told("a cat", 90), told("a dog", 4))
    )
    job = replace(told("a baker", 200), claim=Claim("@", "job", "baker", 0.0))
    records = {each.id: each for each in (cat, dog, job)}
    judged = [Fused(id, (), 0.5) for id in (dog.id, job.id, cat.id)]
    assert of_one_slot(judged, records) == {cat.id: dog.id}
    assert of_one_slot([judged[0].dropped(Drop.LIMIT), *judged[1:]], records) == {}
    assert of_one_slot([judged[2], judged[0]], records) == {}
