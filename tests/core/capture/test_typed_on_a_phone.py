"""What English speakers tell in small letters and without apostrophes is learnt as well."""

import pytest
from astrbot_plugin_tidemark.core.capture.clauses import sentences
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.records.intention_reports import Report, reports_in

from .test_rule_extraction import read, texts


def reported(text: str) -> list[Report]:
    return [report for clauses in sentences(text) for report in reports_in(clauses)]


@pytest.mark.parametrize(
    ("said", "whose", "attribute", "value"),
    [
        ("my sons called alfie", "son", "name", "alfie"),
        ("My son's called Alfie", "son", "name", "Alfie"),
        ("my fiance is called rob", "partner", "name", "rob"),
        ("my husbands a plumber", "partner", "job", "plumber"),
        ("my daughters allergic to eggs", "daughter", "allergy", "eggs"),
        ("im lactose intolerant", "", "allergy", "lactose intolerant"),
        ("ive got two kids", "", "family", "kids"),
        ("weve moved to bradford", "", "residence", "bradford"),
        ("were married", "", "marital", "married"),
        ("We're married", "", "marital", "married"),
        ("my bdays 3rd march", "", "birthday", "3rd march"),
        ("getting married on the 20th of june", "", "marriage_date", "20th of june"),
        ("weddings been put back to the 27th", "", "marriage_date", "27th"),
        ("my sisters weddings been put back to the 5th", "sister", "marriage_date", "5th"),
        ("i weigh 11 stone 4 now", "", "weight", "11 stone 4"),
        ("down to 68kg", "", "weight", "68kg"),
        ("i'm 183cm", "", "height", "183cm"),
        ("ive been vegan since january", "", "diet", "vegan"),
        ("im a care worker in leeds", "", "job", "care worker"),
        ("I'm a vet", "", "job", "vet"),
        ("my daughter Mia is 9", "daughter", "name", "Mia"),
        ("my daughter Mia is 9", "daughter", "age", "9"),
        ("mia is my daughter", "daughter", "name", "mia"),
        ("Kate's my sister", "sister", "name", "Kate"),
        ("my partners changed jobs, hes driving for dpd now", "partner", "workplace", "dpd"),
    ],
)
def test_a_fact_typed_on_a_phone_is_learnt(
    said: str, whose: str, attribute: str, value: str
) -> None:
    claims = [each.claim for each in read(said) if each.claim is not None]
    assert (whose, attribute, value) in [(c.whose, c.attribute, c.value) for c in claims]


@pytest.mark.parametrize(
    "said",
    [
        "gotta ring the caterer tmrw",
        "gonna ring the caterer tomorrow",
        "were moving to bradford in august",
        "dress fitting on sat at 11",
        "parents evening next thurs at 4",
        "hair trial 2nd may 10am",
        "need to book the cake by 3 june",
        "need to book the cake by end of the month",
    ],
)
def test_a_plan_typed_on_a_phone_is_one(said: str) -> None:
    (only,) = read(said)
    assert only.kind is Kind.PROSPECTIVE


def test_whose_name_is_known_is_spoken_of_by_it() -> None:
    _, allergy = read("my sons called alfie. alfies allergic to eggs")
    assert allergy.claim is not None
    assert (allergy.claim.whose, allergy.claim.value) == ("son", "eggs")


def test_what_a_lower_case_name_does_is_no_memory_of_the_speakers() -> None:
    assert texts("craigs a joiner, moved to york") == []


def test_a_trade_alone_is_one() -> None:
    """All trades behind the first ending were read as endings: nobody was a vet or a carpenter."""
    for trade in ("vet", "carpenter", "cleaner", "barista", "carer", "bookbinder", "postman"):
        (only,) = read(f"i am a {trade}")
        assert only.claim is not None, trade
        assert only.claim.attribute == "job"


@pytest.mark.parametrize(
    "said", ["I've got to ring the caterer", "ive got a dress fitting", "dropped the kids off"]
)
def test_what_is_still_to_be_done_is_reported_by_nothing(said: str) -> None:
    """ "Got" of "I've got to" closed the very plan that was told again."""
    assert reported(said) == []


@pytest.mark.parametrize("said", ["cancelled the dj", "were not having a dj anymore"])
def test_what_is_given_up_is_so_without_its_speaker(said: str) -> None:
    (report,) = reported(said)
    assert report.given_up
    assert report.about == {"dj"}


def test_a_call_made_is_reported_by_any_of_its_words() -> None:
    (report,) = reported("rang the caterer")
    assert report.verb is not None
    assert report.verb.search("call the caterer")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("dont eat meat", "小明 doesn't eat meat"),
        ("The wedding's on the 20th June", "小明: The wedding's on the 20th June"),
        ("were married", "小明: we're married"),
        ("gave up on the 5:2", "小明 gave up on the 5:2"),
    ],
)
def test_it_is_told_as_a_sentence(said: str, told: str) -> None:
    assert texts(said) == [told]


def test_what_is_meant_comes_without_what_is_not() -> None:
    _, correction = read("the wedding is on the 27th. no i meant 27th june not july")
    assert correction.claim is not None
    assert (correction.claim.value, correction.claim.correction) == ("27th june", True)


@pytest.mark.parametrize("said", ["she is my sister", "sunday is not my day", "my son really is 9"])
def test_no_name_is_made_of_a_pronoun_or_an_adverb(said: str) -> None:
    assert [each for each in read(said) if each.claim and each.claim.attribute == "name"] == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("im vegan and allergic to cashews", {("", "diet", "vegan"), ("", "allergy", "cashews")}),
        (
            "my son's vegan and allergic to nuts",
            {("son", "diet", "vegan"), ("son", "allergy", "nuts")},
        ),
        ("im allergic to nuts and vegan", {("", "allergy", "nuts"), ("", "diet", "vegan")}),
        ("我吃素还对腰果过敏", {("", "allergy", "腰果")}),
        ("我素食并且对腰果过敏", {("", "allergy", "腰果")}),
        ("我还对花生过敏", {("", "allergy", "花生")}),
        ("我对青霉素过敏btw", {("", "allergy", "青霉素")}),
        ("我lactose intolerant，别推荐latte给我", {("", "allergy", "lactose intolerant")}),
        ("我的cat叫Mochi", {("cat", "name", "Mochi")}),
    ],
)
def test_an_allergy_beside_something_else_is_one(
    said: str, told: set[tuple[str, str, str]]
) -> None:
    """It was the end of a diet's name, or began with what stood before it."""
    assert {
        (c.claim.whose, c.claim.attribute, c.claim.value) for c in read(said) if c.claim
    } == told


def test_what_it_is_instead_needs_no_comma() -> None:
    _, correction = read("im allergic to shellfish. actually its not shellfish its just prawns")
    assert correction.claim is not None
    assert (correction.claim.value, correction.claim.correction) == ("prawns", True)


@pytest.mark.parametrize("said", ["got offer from Tencent", "I've got an offer from Google"])
def test_an_offer_is_no_place_of_work(said: str) -> None:
    assert texts(said) == []
