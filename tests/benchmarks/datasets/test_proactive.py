"""ProactiveMemBench's files: half a year of chat, and turns that need what was said in it."""

from datetime import UTC, datetime

from astrbot_plugin_tidemark.benchmarks.datasets import proactive
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.core.model.conversation import Role

from .conftest import Write


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


def half_year(write: Write, complaints: Complaints, *questions: object) -> proactive.HalfYear:
    write("piano_conversations.json", SESSIONS)
    folder = write("piano_proactive_questions.json", list(questions))
    (found,) = proactive.read(folder, complaints)
    return found


def test_turns_are_in_the_order_of_wall_time(write: Write, complaints: Complaints) -> None:
    life = half_year(write, complaints)
    assert [said.label for said in life.turns] == ["S1:1", "S1:2", "S2:1"]
    assert [said.role for said in life.turns] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert datetime.fromtimestamp(life.turns[0].at, UTC).hour == 20
    assert complaints.found == []


def test_a_concept_is_found_literally_in_each_side(write: Write, complaints: Complaints) -> None:
    life = half_year(write, complaints, question("又是周三", "德彪西《月光》", "哈农", "张教授"))
    moonlight, hanon, professor = life.associations[0].concepts
    assert (moonlight.person, moonlight.bot) == ({"S1:1"}, frozenset())
    assert (hanon.person, hanon.bot) == (frozenset(), {"S1:2"})
    assert (professor.person, professor.bot) == (frozenset(), frozenset())
    assert life.associations[0].reachable == (moonlight, hanon)
    assert moonlight.held_by("弹了 德彪西《月光》两遍")
    assert not moonlight.held_by("弹了月光")
