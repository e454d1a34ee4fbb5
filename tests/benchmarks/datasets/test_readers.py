"""Published sets and those written by hand, each in its own shape, as lives with questions."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets import cdconv, locomo, madial, proactive
from astrbot_plugin_tidemark.benchmarks.datasets.everyday import changes, everyday
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.living.script import Idle, Life
from astrbot_plugin_tidemark.core.model.conversation import Role

from .conftest import Write

CHAT = [
    "<BOD>\n",
    '<Kim>:"我今天捡到一只海星！"\n',
    '<Assistant>:"真好看！"\n',
    '<Kim>:"可以养在家里吗？"\n',
    '<Assistant>:"你记得上次的螃蟹吗？"\n',
    '<Kim>:"记得。"\n',
    "<EOD>\n",
]


def told(label: str, text: str, user: int = 1, **more: object) -> str:
    fields = {"time": "2023-12-25", "emotion": "开心", "event": text, "user-id": user, "id": label}
    return json.dumps({label: fields | more}, ensure_ascii=False)


def asked(*relevant: int, user: int = 1, **more: object) -> str:
    fields = {"dialogue": CHAT, "test-turn": [4], "relevant-id": relevant, "user-id": user}
    return json.dumps(fields | more, ensure_ascii=False)


def data(write: Write, memories: list[str], dialogues: list[str]) -> list[Life]:
    write("memories.jsonl", "\n".join(memories))
    return madial.read(write("dialogues.jsonl", "\n".join(dialogues) + "\n"), Complaints())


def gold(life: Life) -> list[set[str]]:
    """What each question needs."""
    return [set().union(*(part.labels for part in need.parts)) for need in life.needs]


def test_a_fact_is_told_on_its_day_in_the_first_person(write: Write) -> None:
    (life,) = data(write, [told("7", "Kim捡到一只螃蟹，很开心。")], [asked(7)])
    (line,) = life.lines
    assert (line.label, line.speaker.name, line.text) == ("m7", "Kim", "我捡到一只螃蟹，很开心。")
    assert datetime.fromtimestamp(line.at, UTC).date().isoformat() == "2023-12-25"
    assert [(one.text, one.rests_on) for one in life.recorded] == [
        ("Kim捡到一只螃蟹，很开心。", {"m7"})
    ]


def test_each_user_has_a_life_and_a_dialogue_asks_at_its_end(write: Write) -> None:
    lives = data(write, [told("1", "a"), told("2", "b", user=2)], [asked(2, user=2), asked(1)])
    assert [[line.label for line in life.lines] for life in lives] == [["m1"], ["m2"]]
    assert [gold(life) for life in lives] == [[{"m1"}], [{"m2"}]]
    (life,) = data(write, [told("7", "x")], [asked(7)])
    (need,) = life.needs
    assert (need.text, need.answer) == ("可以养在家里吗？", "你记得上次的螃蟹吗？")
    assert [(said.role, said.text) for said in need.before] == [
        (Role.USER, "我今天捡到一只海星！"),
        (Role.ASSISTANT, "真好看！"),
    ]


def row(opening: str) -> str:
    return f"{opening}\t是啊\t真的吗\t嗯\t0\n"


def test_exchanges_keep_both_turns_in_order(write: Write, complaints: Complaints) -> None:
    rows = "你多大\t20\t你几岁\t25\t1\n" + row("你好呀") + "嗯\t嗯\t~~\t嗯\t0\n"
    first, second = cdconv.exchanges(write("a.tsv", rows), complaints)
    assert first == cdconv.Exchange("你多大", "20", "你几岁", "25", contradicts=True)
    assert (second.opening, second.contradicts) == ("你好呀", False)
    life = half_year(write, complaints)
    assert [(line.label, line.answer) for line in life.lines] == [
        ("S1:1", "哈农也练吗？"),
        ("S2:1", ""),
    ]
    assert datetime.fromtimestamp(life.lines[0].at, UTC).hour == 20
    assert complaints.found == []


def turn(number: int, text: str, at: str, role: str = "user") -> dict[str, object]:
    return {"turn_id": number, "role": role, "content": text, "timestamp": at}


def question(text: str, *concepts: str, **more: object) -> dict[str, object]:
    return {
        "id": "q_1",
        "trigger_type": "时间相关记忆联想",
        "question": text,
        "candidate_set": [{"concept": concept, "reason": ""} for concept in concepts],
        "difficulty": "easy",
        **more,
    }


SESSIONS = [
    {"session_id": 2, "turns": [turn(1, "周三去练琴", "2024-04-02T20:00:00Z")]},
    {
        "session_id": 1,
        "turns": [
            turn(1, "每周三练德彪西 《月光》", "2024-03-01T20:15:00+08:00"),
            turn(2, "哈农也练吗？", "2024-03-01T20:16:00", "assistant"),
        ],
    },
]


def half_year(write: Write, complaints: Complaints, *questions: object) -> Life:
    write("piano_conversations.json", SESSIONS)
    folder = write("piano_proactive_questions.json", list(questions))
    (found,) = proactive.read(folder, complaints)
    return found


TURN = {"id": "1", "language": "en", "class": "follow_up", "text": "And with eggs?"}
CHANGE = {
    "id": "c1",
    "language": "en",
    "slot": "residence",
    "said": [
        {"days_ago": 5, "text": "I moved to Bergen", "value": "Bergen", "state": "current"},
        {"days_ago": 90, "text": "I live in Oslo", "value": "Oslo", "state": "old"},
    ],
    "ask_now": ["Where do I live?"],
    "ask_past": [],
    "current": ["Bergen"],
    "stale": ["Oslo"],
    "listed": True,
}


def lines(*items: object) -> str:
    return "\n".join(json.dumps(item, ensure_ascii=False) for item in items)


def test_turns_have_their_hand_class_and_history(write: Write, complaints: Complaints) -> None:
    before = [{"role": "user", "text": "How do I boil rice?"}, {"role": "bot", "text": "So."}]
    write("everyday_a.jsonl", lines(TURN | {"before": before}))
    first, second = everyday(complaints, write("everyday_b.jsonl", lines(TURN)))
    assert (first.hand, second.hand, first.kind) == ("a", "b", Idle.FOLLOW_UP)
    assert [(one.role, one.text) for one in first.before] == [
        (Role.USER, "How do I boil rice?"),
        (Role.ASSISTANT, "So."),
    ]


def test_a_change_has_its_days_a_concept_its_words(write: Write, complaints: Complaints) -> None:
    (change,) = changes(complaints, write("changes_a.jsonl", lines(CHANGE)))
    assert [(told.value, told.current) for told in change.told] == [
        ("Oslo", False),
        ("Bergen", True),
    ]
    life = half_year(write, complaints, question("又是周三", "德彪西《月光》", "哈农", "张教授"))
    # What the bot said is kept with the turn that it answered; what nobody said is not asked for.
    assert [(part.text, part.labels) for part in life.needs[0].parts] == [
        ("德彪西《月光》", {"S1:1"}),
        ("哈农", {"S1:1"}),
    ]


def test_what_is_in_the_repository_fits(complaints: Complaints) -> None:
    assert everyday(complaints)
    told = changes(complaints)
    assert complaints.found == []
    assert len({(change.hand, change.id) for change in told}) == len(told)


def locomo_turn(label: str, text: str, speaker: str = "Ada", **more: object) -> dict[str, object]:
    return {"speaker": speaker, "dia_id": label, "text": text, **more}


def locomo_question(text: str, *evidence: str, category: object = 4) -> dict[str, object]:
    return {"question": text, "answer": "?", "evidence": list(evidence), "category": category}


def sample(*questions: object, **sessions: object) -> dict[str, Any]:
    conversation = {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            locomo_turn("D1:1", "I adopted a parrot."),
            locomo_turn("D1:2", "Lovely!", "Ben"),
        ],
        "session_2_date_time": "12:05 am on 9 May, 2023",
        "session_2": [locomo_turn("D2:1", "It speaks now.", blip_caption="a green parrot")],
        **sessions,
    }
    return {"sample_id": "conv-1", "conversation": conversation, "qa": list(questions)}


@pytest.mark.parametrize(
    ("evidence", "ids"),
    [
        (["D8:6; D9:17"], {"D8:6", "D9:17"}),
        (["D:11:26"], {"D11:26"}),
        (["D30:05"], {"D30:5"}),
        (["D1:1 D1:2", "D1:2"], {"D1:1", "D1:2"}),
        ("D1:3", {"D1:3"}),
        (["D", "", None, "none"], set()),
        ([], set()),
        (None, set()),
    ],
)
def test_dirty_evidence_is_read_as_the_turns_it_means(evidence: object, ids: set[str]) -> None:
    assert locomo.turn_ids(evidence) == ids


def test_turns_follow_one_another_with_captions(write: Write, complaints: Complaints) -> None:
    (life,) = locomo.read(write("some.json", [sample()]), complaints)
    assert [line.label for line in life.lines] == ["D1:1", "D1:2", "D2:1"]
    assert life.lines[2].text == "It speaks now. [a green parrot]"
    times = [line.at for line in life.lines]
    assert times == sorted(times)
    assert datetime.fromtimestamp(times[2], UTC) == datetime(2023, 5, 9, 0, 5, tzinfo=UTC)
    assert complaints.found == []


def test_the_audit_replaces_and_four_categories_count(write: Write, complaints: Complaints) -> None:
    asked = [locomo_question("What pet?", "D1:2"), locomo_question("What pet?", "D2:1")]
    write("corrected_evidence.json", [_correction("What pet?", ["D1:2"], ["D1:1", "D2:1"])])
    (life,) = locomo.read(write("some.json", [sample(*asked)]), complaints)
    assert gold(life) == [{"D1:1", "D2:1"}, {"D2:1"}]
    asked = [locomo_question(f"Q{number}?", "D1:1", category=number) for number in range(1, 6)]
    (life,) = locomo.read(write("some.json", [sample(*asked)]), complaints)
    assert {need.category for need in life.needs} == {*locomo.CATEGORIES.values()} - {"adversarial"}
    assert [turn.text for turn in life.other_person] == ["Q5?"]


def _correction(text: str, cited: list[str], correct: list[str]) -> dict[str, object]:
    return {"question": text, "cited_evidence": cited, "correct_evidence": correct}


def test_observations_rest_on_their_turns(write: Write, complaints: Complaints) -> None:
    observed = {
        "session_2_observation": {"Ben": [["Ben likes parrots.", ["D2:1", "D1:2"]]]},
        "session_1_observation": {"Ada": [["Ada has a parrot.", "D1:1"], ["Who knows.", ""]]},
    }
    folder = write("some.json", [sample() | {"observation": observed}])
    (life,) = locomo.read(folder, complaints)
    assert [(one.text, one.rests_on) for one in life.recorded] == [
        ("Ada has a parrot.", {"D1:1"}),
        ("Ben likes parrots.", {"D1:2", "D2:1"}),
    ]
