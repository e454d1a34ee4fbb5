"""The recall quality benchmark over tiny data of each format, run as a user runs it."""

import asyncio
import json
import math
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks.command import target
from astrbot_plugin_tidemark.benchmarks.datasets import madial
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.figures import quantile
from astrbot_plugin_tidemark.benchmarks.heartbeat import heartbeat
from astrbot_plugin_tidemark.benchmarks.recall_quality_answers import Answered, ask_all
from astrbot_plugin_tidemark.benchmarks.recall_quality_figures import Labels, ideal_gain, scores
from astrbot_plugin_tidemark.benchmarks.recall_quality_run import main
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from hypothesis import given
from hypothesis import strategies as st

from .conftest import documented, keys
from .datasets.test_readers import asked, sample, told
from .datasets.test_readers import locomo_question as question
from .datasets.test_readers import locomo_turn as turn

type Result = dict[str, Any]
MEASURES = {"recall@5", "recall@10", "any@5", "any@10", "all@10", "mrr", "ndcg@10"}
NAMED = {"single-hop", "adversarial", "one", "questions", *MEASURES}

TALK = {
    "session_1": [
        turn("D1:1", "My parrot Captain learnt to whistle the anthem."),
        turn("D1:2", "The glacier hike in Norway was freezing.", "Ben"),
        turn("D1:3", "I baked rye bread with caraway this morning."),
    ],
    "session_2": [turn("D2:1", "Our choir sings Palestrina at the cathedral.", "Ben")],
}
ASKED = [
    question("What did the parrot learn to whistle?", "D1:1"),
    question("Where was the glacier hike?", "D1:2"),
    question("Which bread did Ada bake?", "D1:3", category=5),
]


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    (tmp_path / "talk.json").write_text(json.dumps([sample(*ASKED, **TALK)]))
    return tmp_path


@pytest.fixture
def companion(tmp_path: Path) -> Path:
    memories = [told("1", "Kim在海边捡到一只海星。"), told("2", "Kim的数学考试得了满分。")]
    (tmp_path / "memories.jsonl").write_text("\n".join(memories), "utf-8")
    (tmp_path / "dialogues.jsonl").write_text(asked(1), "utf-8")
    (tmp_path / "chat.tsv").write_text("今天心情不错\t嗯\t真的\t是\t0\n", "utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], folder: Path, dataset: str, *more: str) -> Result:
    arguments = ["--data", str(folder), "--dataset", dataset, "--json", "--embedder", "hashed"]
    assert main([*arguments, *more]) == 0
    return json.loads(capsys.readouterr().out)


def answers(folder: Path, store: Path) -> list[Answered]:
    (world,) = madial.read(folder, Complaints())
    store.mkdir()
    return asyncio.run(
        ask_all(world, store, HashedEmbedder(), without=frozenset(), chance=Random(1))
    )


def test_a_chat_is_measured(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, chat, "locomo")
    assert result["questions"] == 2
    assert result["recall@5"] == 1.0
    assert result["mrr"] >= 0.5
    assert result["by_category"]["single-hop"]["questions"] == 2
    assert result["by_category"]["adversarial"]["recall@10"] == 1.0
    assert 0 < result["evidence_in_1000_tokens"] <= 1.0
    assert 0 < result["precision"] <= 1.0
    assert 0 < result["served"] <= result["evidence_in_1000_tokens"]
    assert 0 < result["lines"] <= 8
    assert 0 <= result["latency_ms"]["embedding_share"] < 1.0
    assert result["latency_ms"]["rest_p50"] <= result["latency_ms"]["p50"]
    assert result["problems"] == []
    assert keys(result) - {"latency_ms"} <= documented("recall_quality") | NAMED


def test_without_embedder_words_are_found(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, chat, "locomo", "--embedder", "none")
    assert result["recall@10"] == 1.0
    assert result["latency_ms"]["embedding_share"] == 0.0


@pytest.mark.parametrize("dataset", ["locomo", "madial", "temporal", "silence"])
def test_a_folder_without_such_data_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], dataset: str
) -> None:
    assert main(["--data", str(tmp_path), "--dataset", dataset, "--embedder", "none"]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_question_does_not_find_its_own_chat(companion: Path, tmp_path: Path) -> None:
    (answered,) = answers(companion, tmp_path / "store")
    assert answered.probe.before
    assert frozenset().union(*answered.ranked) <= {"m1", "m2"}


golds = st.frozensets(st.sampled_from("abcdefgh"), min_size=1)


def of(*names: str) -> list[Labels]:
    return [frozenset(name.split()) for name in names]


@given(golds)
def test_a_perfect_ranking_is_one_throughout(gold: Labels) -> None:
    figures = scores([frozenset({one}) for one in sorted(gold)[:5]], frozenset(sorted(gold)[:5]))
    assert figures == pytest.approx(dict.fromkeys(figures, 1.0))


def test_the_measures_of_a_known_ranking() -> None:
    figures = scores(of("x", "a", "x", "x", "x", "b"), frozenset("abc"))
    gain = 1 / math.log2(3) + 1 / math.log2(7)
    assert figures == pytest.approx(
        {
            "recall@5": 1 / 3,
            "recall@10": 2 / 3,
            "any@5": 1.0,
            "any@10": 1.0,
            "all@10": 0.0,
            "mrr": 0.5,
            "ndcg@10": gain / ideal_gain(3, 10),
        }
    )


samples = st.lists(st.floats(0, 1e6), min_size=1, max_size=60)


@given(samples, st.floats(0, 1))
def test_a_quantile_is_a_sample_with_its_share_below(values: list[float], share: float) -> None:
    found = quantile(sorted(values), share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9


def test_a_goal_is_met_up_to_its_limit() -> None:
    assert target(10.0, 10.0)["met"] is True
    assert target(10.0, 10.1)["met"] is False
    assert target(10.0, None)["met"] is None


async def test_a_blocked_event_loop_is_seen_by_the_heartbeat() -> None:
    async with heartbeat() as late:
        time.sleep(0.03)  # noqa: ASYNC251 - the fault to be seen
    assert max(late) >= 20.0
