"""Who answers whom: labels by number, sessions told at once, the fit and the figures."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints, NoData
from astrbot_plugin_tidemark.benchmarks.threads_fit import (
    kappa,
    known,
    overlap,
    rand_index,
    variation,
)
from astrbot_plugin_tidemark.benchmarks.threads_links import (
    LinkModel,
    answers_in,
    talks_of,
)
from astrbot_plugin_tidemark.benchmarks.threads_run import main
from astrbot_plugin_tidemark.benchmarks.threads_talks import LABELS, READINGS, readings, talks
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.tests.benchmarks.test_segmentation import data

SESSIONS = 14
PEOPLE = ("Ann", "Ben", "Cleo", "Dan")
SAID = (("Ann", "怎么样？", None), ("Ben", "好了", 0), ("Cleo", "我这边也行", 0), ("Ann", "好", 2))


def group(folder: Path) -> Path:
    """Four people who meet for fourteen days; the readings disagree about every last turn."""
    turns, first, second = [], [], []
    for day in range(SESSIONS):
        for n, (name, text, answered) in enumerate(SAID):
            number = len(turns)
            begin = number - n
            first.append([number, None if answered is None else begin + answered])
            second.append([number, begin + 1 if n == 3 else first[-1][1]])
            turns.append(
                {
                    "message_id": f"msg_{number:04}",
                    "create_time": f"2025-02-{day + 1:02}T02:0{n}:00Z",
                    "sender": name.lower(),
                    "sender_name": name,
                    "content": f"{text} {'abcdefghijklmn'[day] * 4}",
                }
            )
    about = {name.lower(): {"extra": {}} for name in PEOPLE}
    (folder / "group_chat_zh").mkdir()
    file = folder / "group_chat_zh" / "team_chat_zh.json"
    meta = {"session_meta": {"user_details": about}, "conversation_list": turns}
    file.write_text(json.dumps(meta))
    digest = sha256(file.read_bytes()).hexdigest()
    for name, answers in zip(READINGS, (first, second), strict=True):
        label = {"source": file.name, "sha256": digest, "answers": answers}
        (folder / name).write_text(json.dumps(label))
    return folder


def test_of_sessions_told_at_once_each_keeps_its_order_and_its_links(tmp_path: Path) -> None:
    first, second = readings(group(data(tmp_path)), tmp_path)
    assert sum(first[n] != second[n] for n in first) == SESSIONS
    drawn = talks(tmp_path, first, 2, 1, Complaints())
    assert drawn == talks(tmp_path, first, 2, 1, Complaints())
    assert {each.family for each in drawn} == {
        "labelled",
        "labelled, two by two",
        "locomo_dev, two by two",
        "proactive_zh_dev, two by two",
    }
    for each in drawn:
        parted = talks_of(each.links)
        assert len({*parted}) == (1 if each.family == "labelled" else 2)
        for at, answered in enumerate(each.links):
            assert answered is None or answered < at
            fixed = known(each).stretch.fixed(at)
            assert fixed == (answered if each.turns[at].role is Role.ASSISTANT else None)


def test_labels_of_another_file_are_refused(tmp_path: Path) -> None:
    group(tmp_path)
    with (tmp_path / "group_chat_zh" / "team_chat_zh.json").open("a") as file:
        file.write("\n")
    with pytest.raises(NoData, match="labelled"):
        readings(tmp_path, tmp_path)


def test_the_labels_name_earlier_turns_and_hold_no_text() -> None:
    read: list[dict[str, Any]] = [json.loads((LABELS / name).read_text()) for name in READINGS]
    for each in read:
        assert each.keys() == {"source", "sha256", "answers"}
        assert len(each["answers"]) >= 300
        assert all(to is None or 0 <= to < turn for turn, to in each["answers"])
    assert [turn for turn, _ in read[0]["answers"]] == [turn for turn, _ in read[1]["answers"]]


def test_the_figures_of_agreement_and_of_talks() -> None:
    assert kappa("aabb", "aabb") == 1.0
    assert kappa("aabb", "abab") == 0.0
    one, other = [0, 0, 0, 3, 3, 3], [0, 0, 2, 2, 2, 2]
    assert overlap(one, one) == rand_index(one, one) == 1.0
    assert variation(one, one) == 0.0
    assert overlap(one, other) == overlap(other, one) == pytest.approx(5 / 6)
    assert rand_index(one, other) == pytest.approx((4 - 2.8) / (6.5 - 2.8))
    assert variation(one, other) == pytest.approx(1.0)
    assert overlap([0] * 6, [*range(6)]) == pytest.approx(1 / 6)
    assert overlap([*range(300)], [*range(300)]) == 1.0


def test_who_talks_with_whom_tells_the_talks_of_different_people_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(group(data(tmp_path)))
    assert main(["--data", folder, "--labels", folder, "--drawings", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["agreement"]["links"] == 0.75
    assert told["agreement"]["turns"] == 4 * told["agreement"]["begins"] == 4 * SESSIONS
    sets = told["sets"]
    assert sets["labelled"].keys() == {"fitted", "own", "before", "pause", "elsewhere"}
    others = sets["proactive_zh_dev, two by two"]
    assert others["fitted"]["links"]["mean"] > others["before"]["links"]["mean"]
    assert told["verdicts"]["own"] >= told["verdicts"]["all"]


def test_links_that_the_platform_gives_are_taken(tmp_path: Path) -> None:
    first, _ = readings(group(data(tmp_path)), tmp_path)
    drawn = talks(tmp_path, first, 1, 1, Complaints())
    each = next(one for one in drawn if one.family.startswith("proactive"))
    found = answers_in(known(each).stretch, LinkModel({}))
    for at, turn in enumerate(each.turns):
        if turn.role is Role.ASSISTANT:
            assert (found[at].place, found[at].sure) == (each.links[at], 1.0)
