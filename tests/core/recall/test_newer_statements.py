"""Of several values of a slot the older say that they are."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.languages.inquiries import Inquiry
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.recall.newer_statements import of_one_slot, with_newer_statements
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question, Sources
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ...samples import ANN
from .legs.asked import said as told
from .legs.conftest import question as question


async def test_what_was_only_said_later_is_not_told_as_newer(question: Question) -> None:
    peanuts, weather = (
        told(f"{text}\n↳ All right, I have heard you.", days_ago, kind=Kind.EVIDENCE, speaker=ANN)
        for text, days_ago in (("I am allergic to peanuts", 9), ("What fine weather", 2))
    )
    store = ReferenceStore()
    await store.put([peanuts, weather])
    asked = replace(question, text="What am I allergic to?")
    recalled = await recall(asked, Sources(store))
    assert recalled.memories[0].id == peanuts.id
    assert "said before" not in recalled.block


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


def landlords(*told: tuple[str, float]) -> list[Memory]:
    return [said_raw(text, days_ago) for text, days_ago in told]


def said_raw(text: str, days_ago: float) -> Memory:
    return told(f"{text}\n↳ I see.", days_ago, kind=Kind.EVIDENCE, speaker=ANN)


ASKED = (Inquiry(("landlord", "rent")),)


def order(
    *memories: Memory, drop: Drop | None = None, asked: Sequence[Inquiry] = ASKED
) -> list[str]:
    """What is shown of the memories, the first of them found best, the others dropped so."""
    records = {each.id: each for each in memories}
    first, *others = (Fused(each.id, (), 0.5) for each in memories)
    judged = [first, *(each if drop is None else each.dropped(drop) for each in others)]
    return [
        each.memory
        for each in with_newer_statements(judged, records, asked, 8)
        if each.drop is None
    ]


def test_what_was_said_since_of_what_is_asked_for_comes_first() -> None:
    old, new = landlords(("my landlady brings us dumplings", 90), ("the new landlord is grim", 3))
    assert order(old, new) == [new.id, old.id]
    assert order(old, new, drop=Drop.IRRELEVANT) == [new.id, old.id]
    assert order(old, new, drop=Drop.IN_CONTEXT) == [old.id]
    assert order(new, old) == [new.id, old.id]


@pytest.mark.parametrize(
    "text",
    [
        "the weather is grim",
        "is my landlord grim?",
        "back in the nineties my landlord was grim",
        "my sister has a new landlord",
    ],
)
def test_other_matters_questions_stories_and_other_people_are_not_what_was_said_since(
    text: str,
) -> None:
    old, new = landlords(("my landlady brings us dumplings", 90), (text, 3))
    assert order(old, new) == [old.id, new.id]


def test_nothing_is_brought_in_where_nothing_of_the_same_is_shown() -> None:
    tea, new = landlords(("I drink tea", 90), ("the new landlord is grim", 3))
    assert order(tea, new, drop=Drop.IRRELEVANT) == [tea.id]
    assert order(tea, new, asked=()) == [tea.id, new.id]
