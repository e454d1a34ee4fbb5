"""Sets that others publish, each read from a tiny file in its own shape, written here."""

import json
from pathlib import Path
from random import Random

import pytest
from astrbot_plugin_tidemark.benchmarks.comparing import (
    baselines,
    beam,
    denying,
    halumem,
    memdaily,
    precision,
)
from astrbot_plugin_tidemark.benchmarks.comparing.asking import asked_of
from astrbot_plugin_tidemark.benchmarks.comparing.axes import axes
from astrbot_plugin_tidemark.benchmarks.comparing.sets import SOURCES, Sample, Samples, sets
from astrbot_plugin_tidemark.benchmarks.datasets.cdconv import Exchange
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints, NoData
from astrbot_plugin_tidemark.benchmarks.living.script import CONTRADICTION, Life

WHOLE = Samples(Sample(9, 99, 99, 1))


def put(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")


def needed(life: Life) -> dict[str, list[set[str]]]:
    """What each question needs, by the question."""
    return {need.text: [set(part.labels) for part in need.parts] for need in life.needs}


def test_a_chat_of_beam_is_a_life(tmp_path: Path) -> None:
    def said(number: int, role: str, text: str, **more: str) -> object:
        return {"id": number, "role": role, "content": text, **more}

    day = {"time_anchor": "March-15-2024"}
    first = [said(0, "user", "I keep bees ->-> 1,1", **day), said(1, "assistant", "Lovely")]
    second = [said(2, "user", "I never kept bees ->-> 1,2"), said(3, "assistant", "Oh")]
    batches = [{"batch_number": 1, "turns": [first, second]}]
    sides = {"first_statement": [0], "second_statement": [2]}
    update = {"original_info": [0], "updated_info": [2]}
    probes = {
        "abstention": [{"question": "What is my car?"}],
        "contradiction_resolution": [{"question": "Do I keep bees?", "source_chat_ids": sides}],
        "knowledge_update": [{"question": "And now?", "source_chat_ids": update}],
        "event_ordering": [{"question": "In which order?", "source_chat_ids": [1, 3, 3]}],
        "summarization": [
            {"question": "All of it?"},
            {"question": "And that?", "source_chat_ids": [77]},
        ],
    }
    chat = tmp_path / SOURCES["beam"] / "1"
    put(chat / "chat.json", batches)
    put(chat / "probing_questions" / "probing_questions.json", probes)
    complaints = Complaints()
    (life,) = beam.read(chat.parent, complaints)
    assert [(line.text, line.answer) for line in life.lines] == [
        ("I keep bees", "Lovely"),
        ("I never kept bees", "Oh"),
    ]
    assert needed(life) == {
        "Do I keep bees?": [{"b0"}, {"b2"}],
        "And now?": [{"b2"}],
        "In which order?": [{"b0"}, {"b2"}],
    }
    assert life.needs[0].category == CONTRADICTION
    assert [turn.text for turn in life.other_person] == ["What is my car?"]
    assert len(complaints.found) == 2
    put(tmp_path / SOURCES["beam"] / "2" / "chat.json", [{"turns": 3}])
    (board,) = sets(tmp_path, ["beam"], WHOLE, complaints)
    assert board.size | {"idle": 0} == {"lives": 1, "messages": 2, "questions": 3, "idle": 0}
    with pytest.raises(NoData):
        beam.read(tmp_path, complaints)


def test_of_halumem_any_turn_of_the_session_with_a_memory_point_is_evidence(tmp_path: Path) -> None:
    def session(day: int, says: list[str], points: list[object], **more: object) -> object:
        at = f"Dec {day}, 2025, 06:11:23"
        turns = [
            {"role": role, "content": text, "timestamp": at, "dialogue_turn": number}
            for number, text in enumerate(says)
            for role, text in (("user", text), ("assistant", "Oh"))
        ]
        return {"start_time": at, "dialogue": turns, "memory_points": points} | more

    def point(text: str, *old: str, source: str = "secondary") -> object:
        update = {"is_update": str(bool(old)), "original_memories": list(old)}
        return {"memory_content": text, "memory_source": source} | update

    def question(text: str, *evidence: str, kind: str = "Basic Fact Recall") -> object:
        rests = [{"memory_content": one, "memory_type": "Event Memory"} for one in evidence]
        return {"question": text, "answer": "x", "evidence": rests, "question_type": kind}

    asked = [
        question("Where does he row?", "He rows on the Dee"),
        question("Who is his aunt?", kind="Memory Boundary"),
        question("Where now?", "He rows on the Dee", kind=halumem.PRESENT),
        question("What is not his?", "He owns a yacht", kind="Memory Conflict"),
        {"question": "What?"},
    ]
    first = [point("He rows on the Dee"), point("He owns a yacht", source="interference")]
    second = [point("He rows on the Tay", "He rows on the Dee")]
    both = question("Which?", "He rows on the Dee", "He rows on the Tay")
    then = question("And now?", "He rows on the Tay", kind=halumem.PRESENT)
    sessions = [
        session(2, ["I moved to the Tay"], second, questions=[both, then]),
        session(1, ["I row on the Dee", "Each week"], first, questions=asked),
        session(3, ["Rain again"], []),
    ]
    bare = session(4, ["What is 2 + 2?"], [])
    # As in the long file: a session of general questions has no points.
    del bare["memory_points"]
    sessions.append(bare | {"is_generated_qa_session": True, "questions": []})
    told = [{"uuid": "u", "sessions": sessions}, {"uuid": "v"}, {"uuid": "w", "sessions": []}]
    lines = "\n".join(map(json.dumps, told))
    folder = tmp_path / SOURCES["halumem"]
    folder.mkdir()
    (folder / halumem.FILE).write_text(lines, "utf-8")
    complaints = Complaints()
    (life,) = halumem.read(folder, complaints)
    said = ["I row on the Dee", "Each week", "I moved to the Tay", "Rain again", "What is 2 + 2?"]
    assert [line.text for line in life.lines] == said
    assert life.lines[0].answer == "Oh"
    dee, tay = {"S1:0", "S1:2"}, {"S0:0"}
    assert needed(life) == {"Where does he row?": [dee], "Which?": [dee, tay], "And now?": [tay]}
    assert [turn.text for turn in life.other_person] == ["Who is his aunt?"]
    assert len(complaints.found) == 4
    (board,) = sets(tmp_path, ["halumem"], WHOLE, complaints)
    assert board.size["questions"] == 3
    with pytest.raises(NoData):
        halumem.read(tmp_path, complaints)


def test_days_of_memdaily_are_a_life_each(tmp_path: Path) -> None:
    messages = [
        {"mid": 1, "message": "赵云是我表哥", "time": "2024年04月02日 周二 08:20"},
        {"mid": 0, "message": "我今天去了茶馆", "time": "2024年04月01日 周一 21:00"},
    ]
    asked = {
        "question": "赵云是谁？",
        "answer": "表哥",
        "target_step_id": [1],
        "time": "2024年04月03日 周三 07:39",
    }
    told = {"tid": 0, "message_list": messages, "question_list": [asked]}
    items = [
        told,
        told | {"tid": 1, "question_list": [asked | {"question": "[ERRORQ]"}]},
        told | {"tid": 2, "question_list": [asked | {"target_step_id": [9]}]},
        told | {"tid": 3, "question_list": [asked | {"time": "later"}]},
    ]
    put(tmp_path / "01_simple_roles.json", items)
    complaints = Complaints()
    (life,) = memdaily.read(tmp_path, complaints)
    assert [line.text for line in life.lines] == ["我今天去了茶馆", "赵云是我表哥"]
    assert needed(life) == {"赵云是谁？": [{"m1"}]}
    assert life.needs[0].category == "simple"
    assert life.end - life.lines[-1].at == pytest.approx(86_400 - 41 * 60)
    assert len(complaints.found) == 2


def test_beliefs_are_told_and_a_case_needs_what_it_should_only_include(tmp_path: Path) -> None:
    def belief(name: str, text: str, person: str = "me") -> object:
        day = {"created_at": "2026-09-01T00:00:00Z"}
        return {"_id": name, "user_id": person, "content": text} | day

    def case(query: str, only: list[str], **more: object) -> object:
        expected = {"relevantBeliefs": {"shouldOnlyInclude": only}} | more
        return {"caseId": query, "category": "c", "query": query, "expect": expected}

    beliefs = [belief("b1", "Cooks with gas"), belief("b2", "Bakes rye"), belief("b3", "No", "you")]
    pinned = {"pinnedFacts": {"mustInclude": ["b1"]}}
    cases = [
        case("gas?", ["b1"]),
        case("coins?", []),
        case("stove?", [], **pinned),
        case("  ", []),
        case("yours?", ["b3"]),
        {"caseId": "order", "category": "c", "query": "x", "expect": {}},
    ]
    put(tmp_path / "beliefs.seed.json", beliefs)
    put(tmp_path / "retrieval.cases.json", cases)
    complaints = Complaints()
    mine, yours = precision.read(tmp_path, complaints)
    assert [line.text for line in mine.lines] == ["Cooks with gas", "Bakes rye"]
    assert needed(mine) == {"gas?": [{"b1"}]}
    assert [turn.text for turn in mine.other_person] == ["coins?"]
    assert needed(yours) == {"yours?": [{"b3"}]}
    assert complaints.found == []


@pytest.mark.parametrize(("shown", "value"), [(0, 0.0), (1, 0.0), (10, 1.0)])
async def test_a_system_that_shows_one_side_alone_is_noticed(
    monkeypatch: pytest.MonkeyPatch, shown: int, value: float
) -> None:
    monkeypatch.setattr(baselines, "SHOWN", shown)
    cats = Exchange("嗨", "我养猫很多年", "你养猫吗？", "我从来不养猫", True)
    tea = Exchange("好", "我爱喝绿茶", "你爱喝什么茶？", "我最爱绿茶", False)
    (life,) = denying.life_of([cats, tea])
    system = baselines.Baseline(None, len, Random(1), frozenset({"words"}))
    records, _ = await asked_of(life, (), system, learns=False)
    told = axes(records, 1)["both_sides"]
    assert (told["n"], told["value"]) == (1, value)
