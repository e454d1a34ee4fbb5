"""A tiny data set of every format."""

import json
from pathlib import Path

import pytest

from ..datasets.test_readers import asked, locomo_question, locomo_turn, sample, told, turn
from ..datasets.test_readers import question as association

SAID = (
    ("我对花生过敏，吃了会喘不上气", "记住了，花生过敏。"),
    ("我每周三晚上去学大提琴", "大提琴很美。"),
    ("我养了一只橘猫叫年糕", "年糕是只好猫。"),
    ("我在杭州的动画公司做分镜师", "分镜很有意思。"),
)
ASSOCIATIONS = (
    association("朋友送了一盒花生酥", "花生过敏"),
    association("又到周三了，琴盒该擦擦了", "大提琴", trigger_type="行为模式相关记忆联想"),
    association("年糕又吐毛球了", "橘猫"),
)


def _half_year() -> tuple[object, object]:
    sessions = [
        {
            "session_id": number,
            "turns": [
                turn(1, said, f"2024-03-{number:02}T20:00:00"),
                turn(2, answer, f"2024-03-{number:02}T20:01:00", "assistant"),
            ],
        }
        for number, (said, answer) in enumerate(SAID, start=1)
    ]
    return sessions, list(ASSOCIATIONS)


def _put(path: Path, content: object) -> None:
    path.parent.mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_text(text, "utf-8")


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data sets."""
    folder = tmp_path_factory.mktemp("life") / "data"
    folder.mkdir()
    sessions, associations = _half_year()
    _put(folder / "proactive_zh_dev" / "piano_conversations.json", sessions)
    _put(folder / "proactive_zh_dev" / "piano_proactive_questions.json", associations)
    observed = {"session_1_observation": {"Ada": [["Ada owns a parrot.", "D1:1"]]}}
    talk = [
        locomo_turn("D1:1", "I adopted a green parrot called Captain."),
        locomo_turn("D1:2", "Our choir sings Palestrina at the cathedral.", "Ben"),
    ]
    asked_of = [
        locomo_question("What is the green parrot called?", "D1:1"),
        locomo_question("Which parrot does Ben own?", "D1:1", category=5),
    ]
    days = {f"session_{n}_date_time": f"1:56 pm on {n} March, 2024" for n in (1, 2)}
    pair = sample(*asked_of, session_1=talk, **days) | {"observation": observed}
    _put(folder / "locomo_dev" / "talk.json", [pair])
    day = {"time": "2024-03-03"}
    facts = [
        told("1", "Kim在海边捡到一只海星。", **day),
        told("2", "Kim的数学考试得了满分。", **day),
    ]
    _put(folder / "madial_zh_dev" / "memories.jsonl", "\n".join(facts))
    _put(folder / "madial_zh_dev" / "dialogues.jsonl", asked(1))
    chats = "".join(f"今天第{n}次下雨\t是啊\t明天还下吗\t会的\t0\n" for n in range(330))
    _put(folder / "cdconv_dev" / "chat.tsv", chats)
    return folder
