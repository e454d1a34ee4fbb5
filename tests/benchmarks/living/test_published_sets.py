"""Sets that others publish, each read from a tiny file in its own shape, written here."""

import json
from pathlib import Path
from random import Random

import pytest
from astrbot_plugin_tidemark.benchmarks.comparing import baselines, beam, denying, memdaily
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
