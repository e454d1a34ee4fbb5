"""What a learning reply may look like, and how it is refused."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import ReplyMalformed
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.lesson import Lesson
from astrbot_plugin_tidemark.core.model.memory import Facet, Kind, Mood, Sentiment
from astrbot_plugin_tidemark.core.prompts import learn
from astrbot_plugin_tidemark.core.text.tags import MOST_TAGS
from hypothesis import given, settings
from hypothesis import strategies as st

from .examples import item, reply

quick = settings(deadline=None)
KNOWN = frozenset({2, 5})


def parsed(document: Any, turns: int = 3, known: frozenset[int] = KNOWN) -> Lesson:
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
    return learn.parse(text, turns=turns, known=known)


def problems(document: Any) -> tuple[str, ...]:
    with pytest.raises(ReplyMalformed) as malformed:
        parsed(document)
    return malformed.value.problems


def test_a_complete_reply_becomes_a_lesson() -> None:
    lesson = parsed(reply(item(facet="preference", turns=[3, 1, 3], updates=5), useful=[5, 2]))
    (candidate,) = lesson.candidates
    assert lesson.summary == "About Berlin."
    assert lesson.useful == {2, 5}
    assert candidate.text == "Anna lives in Berlin."
    assert candidate.turns == (1, 3)
    assert (candidate.kind, candidate.facet) == (Kind.SEMANTIC, Facet.PREFERENCE)
    assert (candidate.importance, candidate.confidence) == (0.7, 0.9)
    assert candidate.about == ("Anna",)
    assert candidate.cues == ("Where is Anna's home?",)
    assert candidate.entities == (Entity("berlin", "Berlin", "place", "home"),)
    assert candidate.relations == (Relation("anna", "lives in", "berlin"),)
    assert candidate.sentiment == Sentiment(Mood.POSITIVE, 0.4)
    assert (candidate.corrects, candidate.updates) == (None, 5)


@pytest.mark.parametrize(
    "around",
    [
        "```json\n{}\n```",
        "Here you are:\n{}\nAnything else?",
        '<think>maybe {{"memories": [1]}} or so</think>\n{}',
        'For example {{"kind": "semantic"}}.\n\n{}',
        "Set notation {{x}} comes first. {}",
    ],
)
def test_the_object_is_found_whatever_surrounds_it(around: str) -> None:
    text = around.format(json.dumps(reply(item())))
    assert parsed(text).candidates[0].text == "Anna lives in Berlin."


def test_nothing_learnt_is_a_lesson_too() -> None:
    assert parsed(reply()) == Lesson("About Berlin.", (), frozenset())


def test_what_may_be_absent_has_its_default() -> None:
    bare = {name: item()[name] for name in ("text", "turns", "kind", "importance", "confidence")}
    lesson = parsed({"memories": [bare]})
    (candidate,) = lesson.candidates
    assert lesson.useful is None
    assert candidate.summary == candidate.text
    assert candidate.facet is None
    assert candidate.sentiment == Sentiment()
    assert candidate.entities == candidate.relations == candidate.cues == candidate.tags == ()


@pytest.mark.parametrize(
    ("tags", "kept"),
    [
        (["Travel", "#旅行", "travel", " "], ("travel", "旅行")),
        (["x" * 10_000, "ok"], ("ok",)),
        ([f"t{n}" for n in range(5_000)], tuple(f"t{n}" for n in range(MOST_TAGS))),
        ([7, None, ["x"], {"a": 1}], ()),
        ("travel", ()),
        (None, ()),
    ],
)
def test_whatever_is_no_tag_counts_as_left_out(tags: object, kept: tuple[str, ...]) -> None:
    assert parsed(reply(item(tags=tags))).candidates[0].tags == kept


def test_an_unimportant_memory_is_left_out_without_complaint() -> None:
    lesson = parsed(reply(item(importance=0.3), item(text="Kept.", importance=0.31)))
    assert [candidate.text for candidate in lesson.candidates] == ["Kept."]


def test_a_correction_is_kept_however_unimportant_it_is_called() -> None:
    lesson = parsed(reply(item(importance=0.1, corrects=min(KNOWN))))
    assert [candidate.corrects for candidate in lesson.candidates] == [min(KNOWN)]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"importance": 8}, "memories[0].importance must be a number 0..1, not 8"),
        ({"importance": 85}, "memories[0].importance must be a number 0..1, not 85"),
        ({"importance": True}, "memories[0].importance must be a number 0..1, not True"),
        ({"importance": "0.7"}, "memories[0].importance must be a number 0..1, not '0.7'"),
        ({"confidence": -0.1}, "memories[0].confidence must be a number 0..1, not -0.1"),
        ({"confidence": None}, "memories[0].confidence must be a number 0..1, not None"),
        ({"confidence": float("nan")}, "memories[0].confidence must be a number 0..1, not nan"),
        ({"text": "  "}, "memories[0].text must not be empty, not '  '"),
        ({"text": None}, "memories[0].text must be text, not None"),
        ({"text": 3}, "memories[0].text must be text, not 3"),
        ({"turns": []}, "memories[0].turns must name at least one turn, not []"),
        ({"turns": None}, "memories[0].turns must name at least one turn, not None"),
        ({"turns": [4]}, "memories[0].turns[0] must be a number shown, 1..3, not 4"),
        ({"turns": [1, 0]}, "memories[0].turns[1] must be a number shown, 1..3, not 0"),
        ({"turns": [1.0]}, "memories[0].turns[0] must be a number shown, 1..3, not 1.0"),
        ({"turns": [None]}, "memories[0].turns[0] must be a number, not None"),
        ({"turns": 1}, "memories[0].turns must be an array, not 1"),
        (
            {"kind": "evidence"},
            "memories[0].kind must be one of semantic, episodic, procedural, prospective,"
            " not 'evidence'",
        ),
        (
            {"facet": "mood"},
            "memories[0].facet must be one of instruction, preference, workflow, episodic,"
            " not 'mood'",
        ),
        ({"corrects": 3}, "memories[0].corrects must be a number shown, 2..5, not 3"),
        ({"updates": "2"}, "memories[0].updates must be a number shown, 2..5, not '2'"),
        ({"corrects": 2, "updates": 5}, "memories[0] must not both correct and update, not (2, 5)"),
        ({"happened_at": "soon"}, "memories[0].happened_at must be an ISO date, not 'soon'"),
        (
            {"happened_at": "0001-01-01"},
            "memories[0].happened_at must be an ISO date, not '0001-01-01'",
        ),
        ({"cues": [7]}, "memories[0].cues[0] must be text, not 7"),
        ({"entities": ["Berlin"]}, "memories[0].entities[0] must be an object, not 'Berlin'"),
        (
            {"sentiment": {"mood": "glad", "intensity": 0}},
            "memories[0].sentiment.mood must be one of positive, negative, neutral, not 'glad'",
        ),
    ],
)
def test_what_does_not_fit_is_named(change: dict[str, Any], problem: str) -> None:
    assert problem in problems(reply(item(**change)))


def test_every_problem_is_reported_at_once() -> None:
    found = problems(reply(item(importance=7, kind="fact"), item(turns=[9]), useful=[3, 2, True]))
    assert [text.split(" ")[0] for text in found] == [
        "memories[0].kind",
        "memories[0].importance",
        "memories[1].turns[0]",
        "useful[0]",
        "useful[2]",
    ]


def test_a_number_is_refused_where_no_memory_was_shown() -> None:
    with pytest.raises(ReplyMalformed, match="no number is known"):
        parsed(reply(item(corrects=1)), known=frozenset())


def test_more_memories_than_agreed_are_a_problem() -> None:
    assert parsed(reply(*[item()] * 30)).candidates
    assert problems(reply(*[item()] * 31)) == ("memories has 31 items, at most 30",)


@pytest.mark.parametrize("text", ["", "no braces", "[]", "null", "{", '{"memories": [', "}{"])
def test_a_reply_without_a_complete_object_says_so(text: str) -> None:
    (problem,) = problems(text)
    assert problem.startswith("reply is not a complete JSON object")


def test_an_object_of_another_shape_lacks_its_memories() -> None:
    assert problems('{"answer": 42}') == ("memories must be an array, not None",)


def test_texts_are_stripped_of_what_cannot_be_stored_and_bounded() -> None:
    cues = ["c"] * 3 + [" ", "d\udfff"]
    odd = item(text=" a\0\ud800b" + "x" * 900, summary="s" * 500, cues=cues)
    (candidate,) = parsed(json.dumps(reply(odd))).candidates
    assert candidate.text.startswith("abx")
    assert len(candidate.text) == 500
    assert len(candidate.summary) == 120
    assert candidate.cues == ("c", "d")
    candidate.text.encode()


def test_entities_are_one_per_name_however_written() -> None:
    names = ["Berlin", "ＢＥＲＬＩＮ", " berlin ", "New  York"]
    entities = [{"name": name, "type": "", "role": ""} for name in names]
    (candidate,) = parsed(reply(item(entities=entities))).candidates
    assert [entity.id for entity in candidate.entities] == ["berlin", "new york"]
    assert candidate.entities[0].type == "thing"


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2025-06-26", datetime(2025, 6, 26, 12, tzinfo=UTC)),
        ("2025-06-26T23:30:00", datetime(2025, 6, 26, 12, tzinfo=UTC)),
        ("2025-06-26T23:30:00+08:00", datetime(2025, 6, 26, 15, 30, tzinfo=UTC)),
        ("1950-02-01", datetime(1950, 2, 1, 12, tzinfo=UTC)),
    ],
)
def test_a_date_is_its_noon_and_a_time_with_offset_is_exact(written: str, moment: datetime) -> None:
    (candidate,) = parsed(reply(item(happened_at=written))).candidates
    assert candidate.happened_at == moment.timestamp()


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        '{"memories": ' + "[" * 5_000_000,
        '{"memories": ' + "[" * 100_000,
        '{"a":' * 30_000,
        "{" * 150_000,
        '{"memories": [' + "9" * 100_000 + "]}",
        '{"memories": {"a": ' + "[[" * 300 + "]]" * 300 + "}}",
        "<think>" * 20_000,
    ],
)
def test_a_huge_or_deep_reply_is_refused_and_does_not_hang(text: str) -> None:
    assert problems(text)
    assert all(len(problem) < 400 for problem in problems(text))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


def lesson_or_problems(text: str) -> None:
    try:
        lesson = parsed(text)
    except ReplyMalformed:
        return
    assert all(set(candidate.turns) <= {1, 2, 3} for candidate in lesson.candidates)
    new = [c for c in lesson.candidates if c.corrects is None and c.updates is None]
    assert all(0.3 < candidate.importance <= 1 for candidate in new)
    assert lesson.useful is None or lesson.useful <= KNOWN


@quick
@given(json_values)
def test_any_json_is_a_lesson_or_malformed(document: Any) -> None:
    lesson_or_problems(json.dumps(document))


@quick
@given(st.text(st.sampled_from('{}[]":,\\ae0.1-n\ud800'), max_size=60))
def test_any_text_is_a_lesson_or_malformed(text: str) -> None:
    lesson_or_problems(text)


@quick
@given(st.sampled_from(sorted(item())), json_values)
def test_any_value_of_any_property_is_a_lesson_or_malformed(name: str, value: Any) -> None:
    lesson_or_problems(json.dumps(reply(item(**{name: value}))))


@quick
@given(st.data())
def test_a_reply_cut_anywhere_is_kept_as_far_as_whole_memories_go(data: st.DataObject) -> None:
    first, second = item(), item(text="Anna rows.", facet="workflow")
    whole = json.dumps(reply(first, second, useful=[2]))
    cut = data.draw(st.integers(0, len(whole) - 1))
    ends = [whole.index(json.dumps(each)) + len(json.dumps(each)) for each in (first, second)]
    complete = sum(cut >= end for end in ends)
    if complete:
        kept = parsed(whole[:cut]).candidates
        assert [each.text for each in kept] == ["Anna lives in Berlin.", "Anna rows."][:complete]
    else:
        assert problems(whole[:cut])


@pytest.mark.parametrize("rest", ["0.", "1e", "7E-"])
def test_a_reply_cut_within_a_number_is_kept_up_to_the_item_before(rest: str) -> None:
    begun = f'{{"text": "Anna rows.", "turns": [1], "importance": {rest}'
    cut = f'{{"memories": [{json.dumps(item())}, {begun}'
    assert [each.text for each in parsed(cut).candidates] == ["Anna lives in Berlin."]


@quick
@given(st.lists(st.integers(-3, 9), max_size=6), st.lists(st.integers(-3, 9), min_size=1))
def test_exactly_the_numbers_that_were_shown_are_accepted(
    useful: list[int], turns: list[int]
) -> None:
    document = reply(item(turns=turns), useful=useful)
    if set(useful) <= KNOWN and set(turns) <= {1, 2, 3}:
        lesson = parsed(document)
        assert lesson.useful == set(useful)
        assert lesson.candidates[0].turns == tuple(sorted(set(turns)))
    else:
        assert problems(document)


def test_causes_are_the_numbers_that_were_shown_and_whatever_else_is_left_out() -> None:
    lesson = parsed(
        reply(
            item(causes=[2, 3, 9, True, "1"], known_causes=[5, 7]),
            item(causes="because", known_causes=None),
            item(),
        )
    )
    assert [each.causes for each in lesson.candidates] == [(2, 3), (), ()]
    assert [each.known_causes for each in lesson.candidates] == [(5,), (), ()]
