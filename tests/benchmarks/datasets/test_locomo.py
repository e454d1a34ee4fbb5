"""LoCoMo's files, with the dirt that is in them, as a world with questions."""

from datetime import UTC, datetime
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets import locomo
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints

from .conftest import Write


def turn(label: str, text: str, speaker: str = "Ada", **more: object) -> dict[str, object]:
    return {"speaker": speaker, "dia_id": label, "text": text, **more}


def question(text: str, *evidence: str, category: object = 4) -> dict[str, object]:
    return {"question": text, "answer": "?", "evidence": list(evidence), "category": category}


def sample(*questions: object, **sessions: object) -> dict[str, Any]:
    conversation = {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [turn("D1:1", "I adopted a parrot."), turn("D1:2", "Lovely!", "Ben")],
        "session_2_date_time": "12:05 am on 9 May, 2023",
        "session_2": [turn("D2:1", "It speaks now.", blip_caption="a green parrot")],
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
    (world,) = locomo.read(write("some.json", [sample()]), complaints)
    assert [said.label for said in world.turns] == ["D1:1", "D1:2", "D2:1"]
    assert world.turns[2].text == "It speaks now. [a green parrot]"
    times = [said.at for said in world.turns]
    assert times == sorted(times)
    assert datetime.fromtimestamp(times[2], UTC) == datetime(2023, 5, 9, 0, 5, tzinfo=UTC)
    assert world.now > times[-1]
    assert complaints.found == []


def test_the_audit_replaces_the_evidence_it_cites(write: Write, complaints: Complaints) -> None:
    asked = [question("What pet?", "D1:2"), question("What pet?", "D2:1")]
    write("corrected_evidence.json", [_correction("What pet?", ["D1:2"], ["D1:1", "D2:1"])])
    (world,) = locomo.read(write("some.json", [sample(*asked)]), complaints)
    assert [probe.gold for probe in world.probes] == [{"D1:1", "D2:1"}, {"D2:1"}]


def test_only_four_categories_are_in_the_headline(write: Write, complaints: Complaints) -> None:
    asked = [question(f"Q{number}?", "D1:1", category=number) for number in range(1, 6)]
    (world,) = locomo.read(write("some.json", [sample(*asked)]), complaints)
    assert [probe.counted for probe in world.probes] == [True] * 4 + [False]
    assert {probe.category for probe in world.probes} == set(locomo.CATEGORIES.values())


def _correction(text: str, cited: list[str], correct: list[str]) -> dict[str, object]:
    return {"question": text, "cited_evidence": cited, "correct_evidence": correct}


def test_observations_name_speaker_and_their_turns(write: Write, complaints: Complaints) -> None:
    observed = {
        "session_2_observation": {"Ben": [["Ben likes parrots.", ["D2:1", "D1:2"]]]},
        "session_1_observation": {"Ada": [["Ada has a parrot.", "D1:1"], ["Who knows.", ""]]},
    }
    folder = write("some.json", [sample() | {"observation": observed}])
    (learnt,) = locomo.observations(folder, complaints).values()
    assert [(one.speaker, one.session, one.rests_on) for one in learnt] == [
        ("Ada", 1, {"D1:1"}),
        ("Ben", 2, {"D1:2", "D2:1"}),
    ]
