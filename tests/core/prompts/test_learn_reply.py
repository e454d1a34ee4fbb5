"""What a learning reply may look like, in any spelling; nothing sound is lost for what is odd."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import ReplyMalformed
from astrbot_plugin_tidemark.core.model.knowledge import IntentionType
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Stated, ToldFact
from astrbot_plugin_tidemark.core.model.memory import Facet, Kind
from astrbot_plugin_tidemark.core.prompts import learn
from astrbot_plugin_tidemark.core.prompts.schema import KINDS, MOST_FACTS
from hypothesis import given
from hypothesis import strategies as st

from .examples import item, reply


def parsed(document: Any) -> list[ToldFact]:
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
    return learn.parse(text)


def only(**changes: Any) -> Candidate:
    (told,) = parsed(reply(item(**changes)))
    return told.candidate


def test_what_is_asked_for_becomes_a_candidate() -> None:
    fact = {
        "words": "I moved to Berlin",
        "who": "Anna",
        "fact": "Anna lives in Berlin.",
        "kind": "home",
        "slot": "residence",
        "value": "Berlin",
    }
    (told,) = parsed({"facts": [fact]})
    assert told.words == "I moved to Berlin"
    candidate = told.candidate
    assert (candidate.text, candidate.about, candidate.turns) == (
        "Anna lives in Berlin.",
        ("Anna",),
        (),
    )
    assert candidate.claim == Stated("residence", "Berlin")
    assert (candidate.kind, candidate.importance) == (Kind.SEMANTIC, 0.7)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_tells_where_a_fact_belongs(kind: str) -> None:
    candidate = only(kind=kind, importance=None)
    drawer = KINDS[kind]
    assert (candidate.kind, candidate.facet, candidate.intention, candidate.importance) == (
        drawer.kind,
        drawer.facet,
        drawer.intention,
        drawer.importance,
    )


def test_richer_or_cut_replies_are_read_as_far_as_whole_facts_go() -> None:
    candidate = only(facet="preference", turns=[3, 1, 3])
    assert candidate.turns == (1, 3)
    assert (candidate.kind, candidate.facet) == (Kind.SEMANTIC, Facet.PREFERENCE)
    assert (candidate.importance, candidate.confidence) == (0.7, 0.9)
    assert candidate.about == ("Anna",)
    first, second = item(), item(text="Anna rows.", facet="workflow")
    whole = json.dumps(reply(first, second, useful=[2]))
    ends = [whole.index(json.dumps(each)) + len(json.dumps(each)) for each in (first, second)]
    for cut in range(ends[0], len(whole) + 1):
        kept = [each.candidate.text for each in parsed(whole[:cut])]
        told = ["Anna lives in Berlin.", "Anna rows."][: 1 + (cut >= ends[1])]
        assert kept == told, whole[:cut]


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("kind", "Semantic", Kind.SEMANTIC),
        ("kind", "fact", Kind.SEMANTIC),
        ("kind", None, Kind.SEMANTIC),
        ("kind", "Plan", Kind.PROSPECTIVE),
        ("facet", "", None),
        ("facet", "health", None),
        ("importance", "0.8", 0.8),
        ("importance", 7, 0.5),
        ("importance", "high", 0.5),
        ("importance", True, 0.5),
        ("about", "Anna", ("Anna",)),
        ("about", None, ()),
        ("turns", 3, (3,)),
        ("turns", ["3"], (3,)),
        ("turns", [0, -1, True], ()),
        ("turns", "three", ()),
        ("happened_at", "next Wednesday", None),
        ("happened_at", "99999-01-01", None),
        ("happened_at", None, None),
        ("intention", "idea", IntentionType.IDEA),
        ("intention", "dream", None),
    ],
)
def test_a_field_that_does_not_fit_is_left_out_alone(name: str, value: Any, read: Any) -> None:
    (told, beside) = parsed(reply(item(**{name: value}), item(text="Anna rows.")))
    assert getattr(told.candidate, name) == read
    assert told.candidate.text == "Anna lives in Berlin."
    assert beside.candidate.text == "Anna rows."


@pytest.mark.parametrize("lost", [{}, None, 7, {"text": ""}, {"text": None}, {"words": "x"}, []])
def test_what_has_no_sentence_is_left_out_alone(lost: Any) -> None:
    assert [each.candidate.text for each in parsed({"facts": [lost, item()]})] == [
        "Anna lives in Berlin."
    ]


def test_the_first_facts_are_read_and_a_slot_without_a_value_is_none() -> None:
    many = [item(text=f"Anna rows on lake {n}.") for n in range(MOST_FACTS + 9)]
    assert len(parsed(reply(*many))) == MOST_FACTS
    candidate = only(text="  mat\0cha \ud83d" + "x" * 900, about=["\0", " Ann\ud800 "])
    assert candidate.text.startswith("matcha")
    assert len(candidate.text) <= 500
    assert candidate.about == ("Ann",)
    assert only(slot="car").claim is None
    assert only(slot="car", over=True).claim == Stated("car", "", denied=True)
    assert only(slot=None, value="red").claim is None
    (told,) = parsed({"事实": [{"谁": "小李", "内容": "小李的妹妹对虾过敏"}]})
    assert told.candidate.text == "小李的妹妹对虾过敏"


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2025-06-26", datetime(2025, 6, 26, 12, tzinfo=UTC)),
        ("2025-06-26T23:30:00", datetime(2025, 6, 26, 12, tzinfo=UTC)),
        ("2025-06-26T23:30:00+08:00", datetime(2025, 6, 26, 15, 30, tzinfo=UTC)),
        ("2026-12-02 20:00", datetime(2026, 12, 2, 12, tzinfo=UTC)),
    ],
)
def test_a_date_is_its_noon_and_a_time_with_offset_is_exact(written: str, moment: datetime) -> None:
    assert only(happened_at=written).happened_at == moment.timestamp()


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        '{"memories": ' + "[" * 5_000_000,
        '{"a":' * 30_000,
        "{" * 150_000,
        '{"memories": {"a": ' + "[[" * 300,
        "<think>" * 20_000,
        "",
    ],
)
def test_a_huge_or_deep_reply_is_refused_and_does_not_hang(text: str) -> None:
    with pytest.raises(ReplyMalformed):
        parsed(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


def facts_or_malformed(text: str) -> None:
    try:
        told = parsed(text)
    except ReplyMalformed:
        return
    assert all(each.candidate.text and 0 <= each.candidate.importance <= 1 for each in told)


@given(json_values | st.text(st.sampled_from('{}[]":,\\ae0.1-n\ud800'), max_size=60))
def test_whatever_a_model_replies_is_read_or_malformed(document: Any) -> None:
    facts_or_malformed(document if isinstance(document, str) else json.dumps(document))


@given(st.sampled_from(sorted(item())), json_values)
def test_no_value_of_any_property_loses_what_is_beside_it(name: str, value: Any) -> None:
    told = parsed(json.dumps(reply(item(**{name: value}), item(text="Anna rows."))))
    assert told[-1].candidate.text == "Anna rows."


CONTENTS: dict[str, list[dict[str, Any]]] = {
    "nothing": [],
    "one": [item()],
    "two": [item(), item(text="Anna rows.", kind="procedural")],
    "chinese": [item(text="安娜住在柏林，说：“我喜欢这里”。", summary="住处")],
    "quotes": [item(text='Anna said "never again" to Bo\'s plan.')],
    "escapes": [item(text="Anna's path is C:\\dir\\sub, line\nbreak, tab\t, 😀")],
    "braces": [item(text="Anna writes {x: [1, 2]} and // no comment")],
    "bare": [
        {name: item()[name] for name in ("text", "turns", "kind", "importance", "confidence")}
    ],
}
"""What is learnt, by a name."""


def _written(document: Any, **how: Any) -> str:
    return json.dumps(document, ensure_ascii=False, **how)


def _single_quoted(document: Any) -> str:
    return repr(document)


def _with_commas(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return text.replace("\n}", ",\n}").replace("}\n ]", "},\n ]")


def _bare_names(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return text.replace('"memories":', "memories:").replace('"useful":', "useful:")


def _newlines_in_texts(document: Any) -> str:
    return _written(document).replace("\\n", "\n")


def _python_words(document: Any) -> str:
    return _written(document).replace(": null", ": None")


def _commented(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return text.replace('"memories":', '// what to keep\n "memories": /* all */')


SHAPES: dict[str, Callable[[Any], str]] = {
    "plain": _written,
    "indented": lambda d: _written(d, indent=2),
    "ascii": json.dumps,
    "fenced": lambda d: f"```json\n{_written(d, indent=2)}\n```",
    "fenced without a language": lambda d: f"```\n{_written(d)}\n```",
    "fenced and never closed": lambda d: f"```json\n{_written(d)}",
    "introduced": lambda d: f"Sure! Here is the JSON you asked for:\n\n{_written(d)}",
    "introduced in Chinese": lambda d: f"好的，以下是提取结果：\n{_written(d)}\n希望对你有帮助！",
    "followed by advice": lambda d: f"{_written(d)}\n\nLet me know if you need {{more}}.",
    "thought aloud": lambda d: f'<think>Maybe {{"memories": []}}?</think>\n{_written(d)}',
    "thought with a lost beginning": lambda d: f"So {{Anna}}, hm.</think>{_written(d)}",
    "reasoned": lambda d: f"<reasoning>She lives there.</reasoning>{_written(d)}",
    "trailing commas": _with_commas,
    "single quotes": _single_quoted,
    "names without quotes": _bare_names,
    "words of Python": _python_words,
    "comments": _commented,
    "line breaks in texts": _newlines_in_texts,
    "wrapped": lambda d: _written({"result": d}),
    "wrapped and fenced": lambda d: f"```json\n{_written({'output': d})}\n```",
    "an array of memories": lambda d: _written(d["memories"]) if d["memories"] else _written(d),
    "one text": lambda d: json.dumps(_written(d)),
    "a byte order mark": lambda d: f"\ufeff{_written(d)}",
    "more properties": lambda d: _written({"thoughts": "none", **d, "language": "en"}),
    "a draft before it": lambda d: f'{{"draft": true}}\n{_written(d)}',
}
"""How it is written, by a name."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("content", CONTENTS)
def test_what_is_said_is_read_however_it_is_written(shape: str, content: str) -> None:
    memories = CONTENTS[content]
    told = learn.parse(SHAPES[shape](reply(*memories)))
    assert [each.candidate.text for each in told] == [each["text"] for each in memories]


@pytest.mark.parametrize(
    "refusal",
    [
        "I'm sorry, but I can't help with that.",
        "抱歉，我无法处理这段对话。",
        "<think>They want JSON.",
        '{"error": {"message": "content_filter"}}',
        "```json\n```",
        "memories: []",
        "1. Anna lives in Berlin.\n2. Anna rows.",
    ],
)
def test_a_refusal_teaches_nothing(refusal: str) -> None:
    with pytest.raises(ReplyMalformed):
        learn.parse(refusal)
