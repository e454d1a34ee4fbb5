"""Legs by who and what a question names, the boost by the graph, and causes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.graph.communities import CAUSED_BY, LINEAGE
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Succession, Successor
from astrbot_plugin_tidemark.core.ports import Ancestor, Mention
from astrbot_plugin_tidemark.core.recall.legs.ways import (
    DEPTH,
    FADING,
    FAINTEST,
    FALL,
    LEADING,
    MOST_TELLING,
    first_hits,
    specificity,
    traced,
)
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question
from astrbot_plugin_tidemark.core.recall.trace import Drop, Hit, Leg, LegState, Recalled
from astrbot_plugin_tidemark.core.scoring.decision import PLACES, Column
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore
from hypothesis import given
from hypothesis import strategies as st

from ....deciding import showing
from ....samples import ANNS, memory
from .asked import Shelf, drops, hits, reports, said, texts


def about(text: str, *names: str, **changes: object) -> Memory:
    """A memory of some days ago that mentions these."""
    entities = tuple(Entity(name.lower(), name) for name in names)
    return said(text, 9.0, entities=entities, **changes)


@pytest.mark.parametrize(
    "text", ["What about Rosa?", "ROSA's birthday?", "rosa和谁一起", "Is it, Rosa, not?"]
)
async def test_a_memory_is_found_by_whom_it_mentions(shelf: Shelf, text: str) -> None:
    await shelf.keep(about("She limps", "Rosa"), about("He sings", "Otto"))
    assert set(hits(await shelf.ask(text), Leg.ENTITY)) == {"She limps"}


async def test_whom_an_earlier_turn_named_says_less_than_whom_this_one_names(shelf: Shelf) -> None:
    await shelf.keep(about("She limps", "Rosa"), about("He sings", "Otto"))
    earlier = ("Rosa came by", "She brought cake")
    recalled = await shelf.ask("And how is Otto?", earlier=earlier)
    told = {text: hit.relevance for text, hit in hits(recalled, Leg.ENTITY).items()}
    assert told == {"He sings": MOST_TELLING, "She limps": FADING**2 * MOST_TELLING}


async def test_a_friend_who_is_named_is_remembered_when_the_embedder_is_down(shelf: Shelf) -> None:
    await shelf.keep(about("She limps since the spring", "Rosa"))
    recalled = await shelf.ask("How is Rosa?")
    assert texts(recalled) == ["She limps since the spring"]
    assert reports(recalled)[Leg.SEMANTIC].state is LegState.OFF


@pytest.mark.parametrize("name", ["the", "我", "It", "我们", "!!", "🦊"])
async def test_an_entity_without_content_names_nothing(shelf: Shelf, name: str) -> None:
    await shelf.keep(about("She limps", name))
    recalled = await shelf.ask(f"the hive {name} 我们 it !! 🦊")
    assert reports(recalled)[Leg.ENTITY].hits == 0


@pytest.mark.parametrize("name", ["C++", ".*", "a|b", "[Rosa]", "🦊Rosa", "O'Neil", "小明(旧)"])
async def test_a_name_may_hold_any_characters(shelf: Shelf, name: str) -> None:
    await shelf.keep(about("She limps", name), about("He sings", "Otto"))
    recalled = await shelf.ask(f"what of {name} then")
    assert set(hits(recalled, Leg.ENTITY)) <= {"She limps"}


async def test_one_of_many_names_says_less_and_two_say_more_than_one(shelf: Shelf) -> None:
    many = [about(f"walk {number}", "Ann") for number in range(9)]
    await shelf.keep(*many, about("rare", "Rosa"), about("both", "Rosa", "Ann"))
    entity = hits(await shelf.ask("Did Ann meet Rosa?"), Leg.ENTITY)
    assert entity["both"].relevance > entity["rare"].relevance > entity["walk 3"].relevance
    assert entity["both"].rank == 1


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_the_rarer_says_more(one: int, other: int) -> None:
    assert 0.0 <= specificity(one) <= MOST_TELLING
    assert (specificity(one) >= specificity(other)) or one > other


def test_a_rare_entity_is_shown_by_itself_and_a_hub_says_nothing() -> None:
    assert specificity(18) >= LEADING > specificity(19)
    assert specificity(10_000) < FAINTEST


async def test_a_person_is_found_by_every_name(shelf: Shelf) -> None:
    await shelf.keep(
        said("old", 9.0, speaker=Speaker("1", "小明")),
        said("new", 2.0, speaker=Speaker("1", "大明")),
    )
    same = {"小明": ("大明",), "大明": ("小明",), "王五": ("大明",)}
    sources = showing(shelf.store, same=same)
    for asked in ("小明怎么样", "大明怎么样"):
        recalled = await shelf.ask(asked, sources)
        assert set(hits(recalled, Leg.ENTITY)) == {"old", "new"}
    recalled = await shelf.ask("王五怎么样", sources)
    assert set(hits(recalled, Leg.ENTITY)) == {"new"}


async def test_the_dictionary_is_asked_once(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    await shelf.keep(about("She limps", "Rosa"))
    asked: list[Sequence[str]] = []
    known = shelf.store.known_entities

    async def counted(ids: Sequence[str], scopes: frozenset[str]) -> Mapping[str, int]:
        asked.append(ids)
        return await known(ids, scopes)

    monkeypatch.setattr(shelf.store, "known_entities", counted)
    await shelf.ask("where is Rosa " * 140)
    assert len(asked) == 1
    assert len(asked[0]) <= 500


def closeness(recalled: Recalled) -> dict[str, float]:
    """What the graph gave each candidate."""
    told = {c.memory: c.columns[PLACES[Column.GRAPH]] for c in recalled.trace.candidates}
    return {id: value for id, value in told.items() if value}


async def test_what_a_named_entity_is_related_to_comes_closer(shelf: Shelf) -> None:
    lives = Relation("rosa", "lives_with", "otto")
    await shelf.keep(
        about("Rosa lives at the mill", "Rosa", relations=(lives,)),
        about("Otto sings with the miller", "Otto"),
        about("the mill is old", "Mill"),
    )
    moved = closeness(await shelf.ask("Who sings with the miller at Rosa's?"))
    assert moved["Rosa lives at the mill"] > moved["Otto sings with the miller"] > 0.0


async def test_an_exact_match_is_not_buried_under_what_is_near_in_the_graph(shelf: Shelf) -> None:
    def raw(number: int) -> Memory:
        return about(f"Rosa and the boat {number}", "Rosa", "Boat", kind=Kind.EVIDENCE)

    exact = about("The spare key of the boat hangs behind the stove")
    await shelf.keep(exact, *(raw(n) for n in range(12)))
    asked = "Where does the spare key of the boat hang, Rosa?"
    recalled = await shelf.ask(asked, shelf.dense)
    assert texts(recalled)[0] == exact.text


async def test_without_the_leg_there_is_no_graph_either(shelf: Shelf) -> None:
    await shelf.keep(about("Rosa limps", "Rosa"))
    recalled = await shelf.ask("How is Rosa?", without=frozenset({Leg.ENTITY}))
    assert closeness(recalled) == {}
    assert reports(recalled)[Leg.ENTITY].state is LegState.OFF


SCOPES = tuple(replace(ANNS, subject=subject).key for subject in ("901", "902", "903"))
NAMES = ("Rosa", "小雨", "C++", "the", "Otto")


class Watched(ReferenceStore):
    """A store that notes whose memories the questions about entities brought up."""

    def __init__(self) -> None:
        super().__init__()
        self.met: set[str] = set()

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        return await self._noted(await super().mentioning(entities, scopes, limit=limit))

    async def _noted(self, mentions: list[Mention]) -> list[Mention]:
        found = await self.find([mention.memory for mention in mentions])
        self.met |= {record.scope for record in found}
        return mentions


@st.composite
def lives(draw: st.DrawFn) -> list[Memory]:
    """Memories of several scopes, with names in common and relations across."""
    count = draw(st.integers(1, 9))
    return [
        memory(
            f"{draw(st.sampled_from(NAMES))} and bees {number}",
            id=f"m{number}",
            scope=draw(st.sampled_from(SCOPES)),
            speaker=Speaker("1", draw(st.sampled_from(NAMES))),
            entities=tuple(
                Entity(name.lower(), name)
                for name in draw(st.lists(st.sampled_from(NAMES), max_size=3))
            ),
            relations=(
                Relation(
                    f"m{number}",
                    draw(st.sampled_from(sorted(LINEAGE))),
                    f"m{draw(st.integers(0, count - 1))}",
                ),
            ),
        )
        for number in range(count)
    ]


@given(lives(), st.frozensets(st.sampled_from(SCOPES)), st.lists(st.sampled_from(NAMES)))
async def test_only_the_scopes_asked_are_met(
    question: Question, memories: list[Memory], scopes: frozenset[str], names: list[str]
) -> None:
    store = Watched()
    await store.put(memories)
    same = {"rosa": ("otto",), "otto": ("rosa",)}
    asked = replace(question, text=f"why {' '.join(names)} bees?", scopes=scopes)
    recalled = await recall(asked, showing(store, same=same))
    owner = {record.id: record.scope for record in memories}
    assert store.met <= scopes
    assert {owner[candidate.memory] for candidate in recalled.trace.candidates} <= scopes
    assert {record.scope for record in recalled.memories} <= scopes


WHY = "Why did Ann move the hives behind the chapel?"
MOVED = "Ann moved the hives behind the chapel"


def caused(id: str, text: str, *by: str, **changes: object) -> Memory:
    relations = tuple(Relation(id, CAUSED_BY, cause) for cause in by)
    return said(text, 1, id=id, relations=relations, **changes)


async def test_who_asks_why_gets_causes_and_nobody_else(shelf: Shelf) -> None:
    await shelf.keep(
        caused("moved", MOVED, "flood"),
        caused("flood", "A flood came over Zürich's meadow", "rain"),
        said("Rain for six weeks", 9, id="rain"),
    )
    recalled = await shelf.ask(WHY, shelf.dense)
    assert [record.id for record in recalled.memories] == ["moved", "flood", "rain"]
    found = hits(recalled, Leg.CAUSAL)
    assert {id: hit.via for id, hit in found.items()} == {"flood": "moved", "rain": "flood"}
    assert found["rain"].relevance == pytest.approx(FALL * found["flood"].relevance)
    await shelf.keep(caused("moved", MOVED, "flood"), said("A flood", 2, id="flood"))
    asked = "Where did Ann move the hives, behind the chapel?"
    recalled = await shelf.ask(asked, shelf.dense)
    assert Leg.CAUSAL not in reports(recalled)
    assert hits(recalled, Leg.CAUSAL) == {}


async def test_a_raw_turn_leads_to_the_causes_of_what_was_learnt_from_it(shelf: Shelf) -> None:
    turn = Origin(turns=(7,))
    await shelf.keep(
        said(MOVED, 1, kind=Kind.EVIDENCE, origin=turn, id="raw"),
        caused("learnt", "They stand elsewhere now", "flood", origin=turn),
        said("Water everywhere", 2, id="flood"),
    )
    recalled = await shelf.ask(WHY)
    assert "flood" in {record.id for record in recalled.memories}


async def test_a_cause_that_was_replaced_is_not_shown(shelf: Shelf) -> None:
    old = said("A drought", 3, id="old", successor=Successor("x", Succession.CORRECTS))
    await shelf.keep(caused("moved", MOVED, "old"), old)
    recalled = await shelf.ask(WHY)
    assert drops(recalled)["old"] is Drop.GONE
    await shelf.keep(
        caused("moved", MOVED, "ben"), said("Ben's secret", 3, id="ben", scope="other")
    )
    recalled = await shelf.ask(WHY)
    assert "ben" not in drops(recalled)


async def test_cycles_or_self_edges_end(shelf: Shelf) -> None:
    await shelf.keep(
        caused("moved", MOVED, "moved", "flood"),
        caused("flood", "Water everywhere", "moved", "flood", "rain"),
        caused("rain", "Clouds", "flood"),
    )
    recalled = await shelf.ask(WHY)
    ids = [c.memory for c in recalled.trace.candidates]
    assert sorted(ids) == ["flood", "moved", "rain"]
    assert set(hits(recalled, Leg.CAUSAL)) <= {"flood", "rain"}


async def test_a_long_chain_is_followed_so_far(shelf: Shelf) -> None:
    chain = [caused(f"c{n}", f"Link {'xyz' * n}", f"c{n + 1}") for n in range(1, 9)]
    await shelf.keep(caused("moved", MOVED, "c1"), *chain)
    recalled = await shelf.ask(WHY)
    assert set(hits(recalled, Leg.CAUSAL)) == {f"c{n}" for n in range(1, DEPTH + 1)}


async def test_the_first_hits_by_meaning_or_by_words_are_traced(shelf: Shelf) -> None:
    meant = [(id, Hit(Leg.SEMANTIC, 1, 0.5, 0.5)) for id in "abc"]
    worded = [(id, Hit(Leg.TEXT, 1, 0.5, 0.4)) for id in "xyz"]
    noise = [("n", Hit(Leg.SEMANTIC, 1, 0.5, LEADING / 2))]
    assert list(first_hits({Leg.SEMANTIC: meant, Leg.TEXT: worded})) == ["a", "b"]
    assert list(first_hits({Leg.SEMANTIC: [], Leg.TEXT: worded})) == ["x", "y"]
    assert first_hits({Leg.SEMANTIC: noise}) == first_hits({}) == {}
    await shelf.keep(caused("moved", MOVED, "flood"), said("Water everywhere", 2, id="flood"))
    recalled = await shelf.ask(WHY)
    assert "Water everywhere" in texts(recalled)


@given(st.lists(st.integers(0, 20), max_size=20), st.floats(0, 1))
def test_relevance_falls_with_every_step(parents: list[int], root: float) -> None:
    told: list[Ancestor] = []
    depth = {"root": 0}
    for number, parent in enumerate(parents):
        of = ["root", *(each.memory for each in told)][parent % (len(told) + 1)]
        depth[str(number)] = depth[of] + 1
        told.append(Ancestor(str(number), of, CAUSED_BY, depth[str(number)]))
    told.sort(key=lambda each: each.distance)
    found = traced({"root": root}, told)
    assert [hit.rank for _, hit in found] == list(range(1, len(told) + 1))
    for id, hit in found:
        assert hit.relevance == pytest.approx(root * FALL ** depth[id])
