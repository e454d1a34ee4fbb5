"""The gate over the tiny sets: whether each axis notices what it is there to notice."""

import json
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks import gate, machine
from astrbot_plugin_tidemark.benchmarks.comparing import sets as board_sets
from astrbot_plugin_tidemark.benchmarks.comparing.baselines import Baseline
from astrbot_plugin_tidemark.benchmarks.comparing.longmemeval import read
from astrbot_plugin_tidemark.benchmarks.comparing.system import Answer, Item, Question
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints, NoData
from astrbot_plugin_tidemark.benchmarks.embedders import embedder_of
from astrbot_plugin_tidemark.benchmarks.living.script import Line, Recorded

from ..conftest import documented, keys

type Result = dict[str, Any]
type Change = Callable[[Answer], Answer]
NAMED = {"proactive", "locomo", "evidence@5", "evidence@10", "another's@10", "shuffled@10", "load"}

WORDS = ("--system", "words", "--set", "proactive")
NOISE = (Item(frozenset(), "noise"),)


class LastHeard:
    """A system of somebody's own: it brings up whatever was said last."""

    def __init__(self, folder: Path, embedder: object) -> None:
        self._lines: list[Line] = []

    async def learn(self, fact: Recorded) -> None:
        """Never mind."""

    async def add(self, line: Line) -> None:
        self._lines.append(line)

    async def rest(self, at: float) -> None:
        """Nothing to do."""

    async def block(self, question: Question, budget: int | None = None) -> Answer:
        last = self._lines[-1]
        item = Item(frozenset({last.label}), last.text)
        return Answer((item,), (item,), len(last.text), 0.5)

    async def answered(self) -> None:
        """Nothing was kept."""

    async def memories(self) -> Sequence[Item]:
        return [Item(frozenset({line.label}), line.text) for line in self._lines[-1:]]

    async def close(self) -> int:
        return 0


def measured(data: Path, *more: str) -> Result:
    printed = StringIO()
    arguments = ["--data", str(data), "--json", "--embedder", "hashed", *more]
    with redirect_stdout(printed):
        assert gate.main(arguments) == 0
    return json.loads(printed.getvalue())


@pytest.fixture(autouse=True)
def few_idle_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_sets, "IDLE", 1)


def test_every_system_is_measured_on_every_set_that_is_there(data: Path) -> None:
    chosen = ("words", "dense", "fusion-recorded", "tidemark-recorded", f"{__name__}:LastHeard")
    asked = [word for name in chosen for word in ("--system", name)]
    own = [word for name in ("proactive", "locomo") for word in ("--set", name)]
    result = measured(data, *asked, *own)
    assert set(result["sets"]) == {"proactive", "locomo"}
    half_year = result["sets"]["proactive"]
    assert set(half_year) == set(chosen)
    assert half_year["words"]["axes"]["evidence@10"]["value"] > 0.3
    product = half_year["tidemark-recorded"]["axes"]
    assert product["evidence@10"]["value"] > 0.3
    assert product["silent_when_idle"]["value"] > 0.5
    assert half_year[chosen[-1]]["axes"]["gone"]["value"] > 0.5 > product["gone"]["value"]
    told = {
        name: each["axes"]["learnt"]["value"] for name, each in result["sets"]["locomo"].items()
    }
    assert told["words"] == 0.0 < told["tidemark-recorded"] <= told["fusion-recorded"] == 1.0
    assert half_year["words"]["axes"]["silent_when_idle"]["value"] == 0.0
    assert result["sets"]["locomo"]["tidemark-recorded"]["costs"]["model_calls"] > 0
    asked_for = half_year["words"]["categories"] | result["sets"]["locomo"]["words"]["categories"]
    assert all(each["n"] and 0.0 <= each["evidence@10"] <= 1.0 for each in asked_for.values())
    assert keys(result) - NAMED - set(chosen) - set(asked_for) <= documented("gate")


@pytest.fixture(scope="module")
def of_words(data: Path) -> Result:
    """The axes of words alone on one set."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_sets, "IDLE", 1)
        return measured(data, *WORDS)["sets"]["proactive"]["words"]["axes"]


@pytest.mark.parametrize(
    ("broken", "axis", "worse"),
    [
        (lambda told: replace(told, ranked=()), "evidence@10", -1),
        (lambda told: replace(told, ranked=told.ranked[-1:]), "evidence@5", -1),
        (lambda told: replace(told, shown=()), "in_1000_tokens", -1),
        (lambda told: replace(told, shown=()), "silent_though_found", 1),
        (lambda told: replace(told, shown=told.shown * 2 + NOISE), "served_precision", -1),
        (lambda told: replace(told, tokens=told.tokens + 99), "tokens", 1),
        (lambda told: replace(told, certainty=-told.certainty), "abstention_auc", -1),
    ],
)
def test_each_axis_notices_a_system_that_is_broken(
    data: Path,
    of_words: Result,
    monkeypatch: pytest.MonkeyPatch,
    broken: Change,
    axis: str,
    worse: int,
) -> None:
    before = of_words[axis]["value"]
    plain = Baseline.block

    async def block(self: Baseline, question: Question, budget: int | None = None) -> Answer:
        return broken(await plain(self, question, budget))

    monkeypatch.setattr(Baseline, "block", block)
    after = measured(data, *WORDS)["sets"]["proactive"]["words"]["axes"]
    value = after[axis]["value"] if axis in after else 0.0
    assert (value - before) * worse > 0


def test_an_interrupted_run_goes_on_with_what_is_left(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--system", "words", "--set", "proactive", "--set", "locomo")
    kept = ("--resume", str(tmp_path / "kept"))
    monkeypatch.setattr(machine, "commit", lambda: "c0ffee")
    whole, rest = measured(data, *asked, *kept), Baseline.rest

    async def never(self: Baseline, at: float) -> None:
        pytest.fail("measured twice")

    monkeypatch.setattr(Baseline, "rest", never)
    assert measured(data, *asked, *kept)["sets"] == whole["sets"]
    for other in ({"commit": "c0ffee-dirty"}, {"commit": "cafe"}, {"seed": "2"}):
        monkeypatch.setattr(machine, "commit", lambda told=other: told.get("commit", "c0ffee"))
        with pytest.raises(pytest.fail.Exception, match="measured twice"):
            measured(data, *asked, *kept, "--seed", other.get("seed", "1"))
    next((tmp_path / "kept" / "c0ffee").iterdir()).unlink()
    heard: list[float] = []

    async def once(self: Baseline, at: float) -> None:
        heard.append(at)
        await rest(self, at)

    monkeypatch.setattr(Baseline, "rest", once)
    monkeypatch.setattr(machine, "commit", lambda: "c0ffee")
    again = measured(data, *asked, *kept)["sets"]
    assert len(heard) == 1
    assert again["locomo"]["words"]["axes"] == whole["sets"]["locomo"]["words"]["axes"]


def test_a_sample_is_a_part_of_the_set_and_its_size_is_told(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--fast", "--system", "words", "--set", "proactive", "--set", "locomo")
    monkeypatch.setattr(gate, "FAST", gate.Extent((9, 99, 99), {"proactive": (1, 2, 1)}))
    cut = measured(data, *asked)
    sizes = cut["sizes"]["proactive"]
    assert (sizes["lives"], sizes["messages"], sizes["questions"]) == (1, 2, 1)
    assert cut["sizes"]["locomo"]["messages"] == 3 > sizes["messages"]
    assert cut["sets"]["proactive"]["words"]["axes"]["evidence@10"]["n"] == 1
    monkeypatch.setattr(gate, "FAST", gate.Extent((9, 99, 0)))
    nothing = measured(data, *asked)["sets"]["proactive"]["words"]["axes"]
    assert "evidence@10" not in nothing


def test_the_gate_is_all_of_its_parts(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extent = gate.Extent((1, 2, 1), {"changes": (1, 9, 1)}, sizes=(40,), turns=2, store=40)
    monkeypatch.setattr(gate, "FAST", extent)
    for name, chosen in (("SETS", ("locomo",)), ("PLAIN", ("words",)), ("OURS", ())):
        monkeypatch.setattr(gate, name, chosen)
    monkeypatch.setattr(gate, "embedder_of", lambda _: embedder_of(Namespace(embedder="hashed")))
    result = measured(data, "--fast")
    assert result["changes"]["changes"]["tidemark-recorded"]["costs"]["model_calls"] > 0
    assert set(result["hashed"]["locomo"]) == {"dense", "fusion"}
    assert [(each["memories"], each["turns"]) for each in result["turn"]] == [(40, 2)]
    assert [each["memories"] for each in result["store"]] == [40]


def test_longmemeval_is_read_as_lives(tmp_path: Path) -> None:
    question = {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Where do I keep my skis?",
        "answer": "In the loft",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/21 (Sun) 10:00", "2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [
            [{"role": "user", "content": "Rain again"}],
            [
                {"role": "user", "content": "My skis are in the loft", "has_answer": True},
                {"role": "assistant", "content": "Good to know"},
            ],
        ],
    }
    nobody = question | {"question_id": "q2_abs", "haystack_sessions": [[], []]}
    file = tmp_path / "longmemeval_s.json"
    file.write_text(json.dumps([question, nobody, {}]), "utf-8")
    complaints = Complaints()
    (life,) = read(tmp_path, complaints)
    assert [line.text for line in life.lines] == ["My skis are in the loft", "Rain again"]
    assert life.lines[0].answer == "Good to know"
    (need,) = life.needs
    assert [part.labels for part in need.parts] == [frozenset({life.lines[0].label})]
    assert life.end > life.lines[-1].at
    assert len(complaints.found) == 2
    with pytest.raises(NoData):
        read(tmp_path / "nothing", complaints)
