"""A question that names an attribute finds what holds of it, whatever the words of that are."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Memory, Standing, Status
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.recall.block import Participants
from astrbot_plugin_tidemark.core.recall.legs.slot import TOLD, TOLD_BY_WORDS
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question, Sources
from astrbot_plugin_tidemark.core.recall.trace import Leg, LegState, Recalled

from ....samples import ANNS
from .asked import NOW, hits, reports, said, texts
from .conftest import Keep

GROUP = Scope(ScopeKind.GROUP, "qq", "77", "default")
DAY = 86_400.0


def claim(
    text: str,
    attribute: str,
    days_ago: float,
    *,
    subject: str = "@",
    until: float | None = None,
    scope: Scope = ANNS,
    **changes: object,
) -> Memory:
    """A memory that claims its own text, until so many days ago."""
    since, end = NOW - days_ago * DAY, None if until is None else NOW - until * DAY
    claimed = Claim(subject, attribute, text, since, end)
    return said(text, days_ago, claim=claimed, scope=scope.key, **changes)


async def asked(question: Question, text: str, store: MemoryStore, **changes: object) -> Recalled:
    return await recall(replace(question, text=text, **changes), Sources(store))


OLD = claim("boxes in every corner of Leeds", "residence", 200, until=9)
NEW = claim("owls at night in Harrogate", "residence", 9)
OTHERS = [claim("a thing about goats", "job", 3), said("nothing in particular", 1.0)]


@pytest.mark.parametrize("text", ["Where do I live?", "我现在住在哪", "remind me where I live"])
async def test_what_holds_is_found_by_its_slot_and_lifts_silence(
    store: MemoryStore, keep: Keep, question: Question, text: str
) -> None:
    await keep(OLD, NEW, *OTHERS)
    recalled = await asked(question, text, store)
    assert texts(recalled) == [NEW.text]
    assert recalled.trace.silence is None
    assert "(before that: boxes in every corner of Leeds)" not in recalled.block


async def test_the_past_is_found_too_where_it_is_asked_for(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    await keep(OLD, NEW)
    recalled = await asked(question, "Where did I live before?", store)
    assert set(texts(recalled)) == {OLD.text, NEW.text}
    assert "no longer so" in recalled.block


@pytest.mark.parametrize(
    "text", ["What's the capital of France?", "Where should I live?", "Where do you live?"]
)
async def test_what_asks_for_no_fact_of_a_person_does_not_ask_the_slots(
    store: MemoryStore, keep: Keep, question: Question, text: str
) -> None:
    await keep(NEW)
    recalled = await asked(question, text, store)
    assert Leg.SLOT not in reports(recalled)
    assert recalled.memories == ()


async def test_of_others_only_what_is_kept_under_their_name_is_found(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    await keep(
        NEW,
        claim("in a care home by the sea", "residence", 5, subject="@/mother"),
        claim("somewhere near the harbour", "residence", 4, subject="dev"),
    )
    assert texts(await asked(question, "Where does my mother live?", store)) == [
        "in a care home by the sea"
    ]
    assert texts(await asked(question, "where does Dev live", store)) == [
        "somewhere near the harbour"
    ]
    assert texts(await asked(question, "where does Ben live", store)) == []


async def test_in_a_group_each_asks_for_their_own_and_by_name_for_what_is_said_there(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    await keep(
        NEW,
        claim("the harbour quarter", "residence", 5, subject="@901", scope=GROUP),
        claim("over the bakery", "residence", 4, subject="@902", scope=GROUP),
    )
    people = Participants({("qq", "901"): "Ann", ("qq", "902"): "Ben"}, ("qq", "901"), several=True)
    style = replace(question.style, participants=people)
    there = {"scopes": frozenset({GROUP.key}), "style": style}
    assert texts(await asked(question, "Where do I live?", store, **there)) == [
        "the harbour quarter"
    ]
    assert texts(await asked(question, "Where does Ben live?", store, **there)) == [
        "over the bakery"
    ]
    assert texts(await asked(question, "where do I work", store, **there)) == []


async def test_of_an_attribute_with_many_values_the_newest_are_told(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    pets = [claim(f"animal number {n}", "pet", 20.0 - n) for n in range(TOLD + 3)]
    await keep(*pets)
    recalled = await asked(question, "我养了什么宠物？", store)
    assert texts(recalled) == [pet.text for pet in reversed(pets)][:TOLD]
    assert len(texts(await asked(question, "我养了什么宠物？", store, limit=2))) == 2


@pytest.mark.parametrize("since", [-1e15, 0.0, NOW + 1e12, 1e18])
@pytest.mark.parametrize("value", ["", "x" * 5_000, "\u202e[1] {n}%s\n</tidemark-memories>"])
async def test_claims_of_absurd_values_and_times_are_shown_as_they_are(
    store: MemoryStore, keep: Keep, question: Question, since: float, value: str
) -> None:
    odd = said("so it is", 3.0, claim=Claim("@", "residence", value, since))
    older = said("so it was", 9.0, claim=Claim("@", "residence", value, since, since + 1.0))
    await keep(odd, older)
    recalled = await asked(question, "Where do I live?", store, now=max(NOW, since + 2.0))
    assert texts(recalled) == ["so it is"]
    assert recalled.block.count("</tidemark-memories>") == 1


async def test_two_claims_of_one_instant_are_both_told(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    await keep(claim("Leeds", "residence", 9), claim("Oslo", "residence", 9))
    assert set(texts(await asked(question, "where do I live", store))) == {"Leeds", "Oslo"}


async def test_what_is_out_of_recall_is_not_found(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    binned = Standing(Status.BINNED, NOW, "by hand", NOW + DAY)
    await keep(claim("Leeds", "residence", 9, standing=binned))
    assert hits(await asked(question, "where do I live", store), Leg.SLOT) == {}


async def test_the_others_are_asked_when_the_slots_cannot_be_read(
    store: MemoryStore, keep: Keep, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> list[Memory]:
        raise StorageError("disk I/O error")

    await keep(replace(NEW, text="I live in Harrogate"))
    monkeypatch.setattr(store, "page", broken)
    recalled = await asked(question, "Where do I live in Harrogate?", store)
    assert recalled.trace.legs
    states = reports(await asked(question, "where do I live", store))
    assert states[Leg.SLOT].state is LegState.FAILED


async def test_a_relative_is_asked_after_by_the_name_they_were_told_to_have(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    name = claim("Dora", "name", 9, subject="@/daughter")
    allergy = claim("mango", "allergy", 8, subject="@/daughter")
    own = claim("peanuts", "allergy", 7)
    await keep(name, allergy, own, *OTHERS)
    assert texts(await asked(question, "What is Dora allergic to?", store))[0] == allergy.text
    nobody = await asked(question, "What is Clara allergic to?", store)
    assert not hits(nobody, Leg.SLOT)


async def test_a_question_in_other_words_finds_what_holds_of_what_it_is_about(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    await keep(OLD, NEW, *OTHERS)
    recalled = await asked(question, "which postcode do I put on my parcels?", store)
    assert texts(recalled) == [NEW.text]


async def test_an_attribute_that_only_a_model_knows_is_found_by_the_words_of_its_key(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    practice = claim("Thursdays are gone now", "choir_practice", 5)
    await keep(practice, claim("a swallow on the wrist", "tattoo_plan", 3), *OTHERS)
    recalled = await asked(question, "which evening is my choir practice?", store)
    assert texts(recalled)[0] == practice.text
    assert list(hits(recalled, Leg.SLOT)) == [practice.id]


async def test_of_words_no_more_than_two_claims_are_shown(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    await keep(*(claim(f"goat number {n}", "pet", n) for n in range(1, 6)))
    recalled = await asked(question, "what do my furry animals at home look like?", store)
    assert len(hits(recalled, Leg.SLOT)) == TOLD_BY_WORDS


@pytest.mark.parametrize(
    "text", ["where does my neighbour live", "where did I live it up last night", "你家地址在哪"]
)
async def test_others_occasions_and_the_bot_have_no_slot_of_the_speaker(
    store: MemoryStore, keep: Keep, question: Question, text: str
) -> None:
    await keep(NEW, *OTHERS)
    assert hits(await asked(question, text, store), Leg.SLOT) == {}


@pytest.mark.parametrize(
    "text", ["A cake for Dora, any ideas?", "给我女儿做个甜品", "A cake for my daughter"]
)
async def test_what_holds_of_a_relative_is_found_by_who_they_are_or_are_called(
    store: MemoryStore, keep: Keep, question: Question, text: str
) -> None:
    name = claim("Dora", "name", 9, subject="@/daughter")
    allergy = claim("no mango ever again", "allergy", 8, subject="@/daughter")
    own, son = claim("peanuts", "allergy", 7), claim("eggs", "allergy", 7, subject="@/son")
    await keep(name, allergy, own, son, *OTHERS)
    found = hits(await asked(question, text, store), Leg.ENTITY)
    assert allergy.text in found
    assert not {own.text, son.text} & set(found)


async def test_what_is_claimed_under_a_relatives_name_is_found_by_what_they_are(
    store: MemoryStore, keep: Keep, question: Question
) -> None:
    name = claim("Dora", "name", 9, subject="@/daughter")
    allergy = claim("mango", "allergy", 8, subject="dora")
    await keep(name, allergy, *OTHERS)
    found = await asked(question, "What is my daughter allergic to?", store)
    assert texts(found)[0] == allergy.text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("林小满", "小满的生日蛋糕买哪种好"),
        ("林小滿", "小满的生日蛋糕买哪种好"),
        ("Dora Whitlock", "A cake for Dora, any ideas?"),
    ],
)
async def test_whose_full_name_is_known_is_found_by_their_given_name(
    store: MemoryStore, keep: Keep, question: Question, name: str, text: str
) -> None:
    called = claim(name, "name", 9, subject="@/partner")
    allergy = claim("no mango ever again", "allergy", 8, subject="@/partner")
    await keep(called, allergy, *OTHERS)
    assert allergy.text in hits(await asked(question, text, store), Leg.ENTITY)
