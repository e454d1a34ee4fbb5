"""Talks at once: sessions told side by side, the verdicts there, and labels read twice."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.parallel_talks_run import (
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


def test_a_verdict_by_the_answers_to_its_person_is_nearer_to_that_of_a_talk_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(data(tmp_path)), "--drawings", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["labels"]["turns"] == 335
    assert told["verdicts"]["shown"] > 0
    assert told["verdicts"]["own"] >= told["verdicts"]["all"]
