"""Talks at once: sessions told side by side, the verdicts there, and labels read twice."""

import json
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.parallel_talks_run import (
    LABELS,
    READINGS,
    agreement,
    kappa,
    main,
)
from astrbot_plugin_tidemark.benchmarks.parallel_talks_sessions import talks
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.tests.benchmarks.test_segmentation import data


def test_of_sessions_told_at_once_each_keeps_its_order_and_its_answers(tmp_path: Path) -> None:
    folder = data(tmp_path)
    drawn = talks(folder, 2, 1, Complaints())
    assert drawn
    assert drawn == talks(folder, 2, 1, Complaints())
    for talk in drawn:
        people = [turn for turn in talk if turn.role is not Role.ASSISTANT]
        assert len({turn.speaker.id for turn in people}) == 2
        for turn in talk:
            if turn.role is Role.ASSISTANT:
                assert turn.answers is not None
                assert turn.answers < turn.seq
                assert talk[turn.answers].role is not Role.ASSISTANT


def test_the_labels_name_earlier_turns_and_hold_no_text() -> None:
    read: list[dict[str, Any]] = [json.loads((LABELS / name).read_text()) for name in READINGS]
    for each in read:
        assert each.keys() == {"source", "sha256", "answers"}
        assert len(each["answers"]) >= 300
        assert all(to is None or 0 <= to < turn for turn, to in each["answers"])
    assert [turn for turn, _ in read[0]["answers"]] == [turn for turn, _ in read[1]["answers"]]


def test_the_figures_of_agreement() -> None:
    assert kappa("aabb", "aabb") == 1.0
    assert kappa("aabb", "abab") == 0.0
    told = agreement({0: None, 1: 0, 2: 0, 3: 2}, {0: None, 1: 0, 2: 1, 3: 2})
    assert (told["turns"], told["begins"], told["agreed"]) == (4, 1, 0.75)
    assert told["before"] == pytest.approx(2 / 3, abs=1e-3)


def test_a_verdict_by_the_answers_to_its_person_is_nearer_to_that_of_a_talk_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(data(tmp_path)), "--drawings", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["labels"]["turns"] == 335
    assert told["verdicts"]["shown"] > 0
    assert told["verdicts"]["own"] >= told["verdicts"]["all"]
