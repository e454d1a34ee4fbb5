"""What a turn is worth, of what could be shown."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Origin
from astrbot_plugin_tidemark.core.recall.pipeline import understand
from astrbot_plugin_tidemark.core.recall.selection import Context
from astrbot_plugin_tidemark.core.recall.trace import Fused
from astrbot_plugin_tidemark.core.recall.weighing import turn_worth
from astrbot_plugin_tidemark.core.scoring.coefficients import Footing
from astrbot_plugin_tidemark.core.scoring.columns import Column, TurnColumn, sheet
from astrbot_plugin_tidemark.core.scoring.defaults import FITTED
from astrbot_plugin_tidemark.core.text.normalisation import normalise

from ...samples import memory
from .test_pipeline import QUESTION

MODEL = FITTED[Footing.DENSE]
BEES = memory("Ann keeps bees", id="bees")


def worth(text: str, *asked: str, memories: int = 100, insists: bool = False) -> float:
    """Of a store of so many with one that is likely, and these bare questions."""
    bare = [replace(memory(each, id=each), kind=Kind.EVIDENCE) for each in asked]
    records = {each.id: each for each in (BEES, *bare)}
    candidates = [Fused(id, (), 1.0, needed=0.0) for id in records]
    understood = understand(replace(QUESTION, text=text, insists=insists))
    return turn_worth(candidates, records, understood, memories, MODEL)


def test_words_of_a_search_are_spoken_to_nobody_and_ask_for_what_is_remembered() -> None:
    asked = "What do you know about Ann?"
    assert worth(asked, insists=True) - worth(asked) == pytest.approx(
        MODEL.turn[TurnColumn.RECALLS] - MODEL.turn[TurnColumn.OF_BOT]
    )


def within_a_talk(text: str, *said: str) -> float:
    """Of a store with one unlikely memory, where the model sees that this was said just before."""
    seen = [
        replace(memory(each, id=each), kind=Kind.EVIDENCE, origin=Origin("j", turns=(n,)))
        for n, each in enumerate(said)
    ]
    records = {each.id: each for each in (BEES, *seen)}
    candidates = [
        Fused("bees", (), 1.0, needed=-4.0),
        *(Fused(each.id, (), 1.0, needed=4.0) for each in seen),
    ]
    history = frozenset(normalise(each).strip() for each in said)
    context = Context(history=history, turn=len(said))
    understood = understand(replace(QUESTION, text=text, context=context))
    return turn_worth(candidates, records, understood, 100, MODEL)


def test_what_the_conversation_tells_of_ones_own_life_is_asked_of_no_memory() -> None:
    asked = "how many sons do I have?"
    alone, told = within_a_talk(asked), within_a_talk(asked, "I have two sons")
    assert told - alone == pytest.approx(0.95 * MODEL.turn[TurnColumn.SEEN], abs=0.05)


def test_what_only_tells_is_worth_the_same_within_a_conversation_about_it() -> None:
    told = "my younger son starts school"
    within = within_a_talk(told, "I have two sons")
    assert within == pytest.approx(within_a_talk(told), abs=0.05)


def test_a_question_that_was_asked_before_answers_nothing() -> None:
    asked = "how many sons do I have?"
    assert within_a_talk(asked, asked) == pytest.approx(within_a_talk(asked), abs=0.05)


def test_questions_that_were_asked_in_vain_are_none_of_the_memories() -> None:
    before = "Do I keep bees?", "where are my bees"
    assert worth("Who keeps bees?", *before, memories=5) == worth("Who keeps bees?", memories=3)


def test_who_is_named_makes_a_question_one_of_somebody() -> None:
    candidates = [
        Fused(
            "bees", (), 1.0, needed=0.0, columns=tuple(sheet({Column.SIDE: [side]}, 1)[0].tolist())
        )
        for side in (0.0, 1.0)
    ]
    understood = understand(replace(QUESTION, text="when was the honey sold?"))
    unnamed, named = (
        turn_worth([each], {"bees": BEES}, understood, 100, MODEL) for each in candidates
    )
    assert named - unnamed == pytest.approx(-MODEL.turn[TurnColumn.OF_NOBODY])


def test_what_is_so_of_one_s_own_life_is_told_sooner() -> None:
    own = worth("where are my bees") - worth("where are the bees of France?")
    of_nobody = MODEL.turn[TurnColumn.OF_NOBODY]
    assert own == pytest.approx(MODEL.turn[TurnColumn.OWN] - of_nobody)
