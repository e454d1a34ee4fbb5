"""Recall in published units: what counts as found, and a tiny set from end to end."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.comparing.keeping import Keeping
from astrbot_plugin_tidemark.benchmarks.comparing.sets import SOURCES
from astrbot_plugin_tidemark.benchmarks.datasets.reading import digest_of
from astrbot_plugin_tidemark.benchmarks.kept_replies import KeptModel
from astrbot_plugin_tidemark.benchmarks.living.script import Part
from astrbot_plugin_tidemark.benchmarks.published import UNITS, held_in, main, session_of
from astrbot_plugin_tidemark.core.ports import Prompt

from ..kit import ScriptedModel
from .conftest import documented, keys
from .test_answers import chat

RANKED = [frozenset({"S1:0"}), frozenset({"S1:4"}), frozenset({"S2:7"}), frozenset({"S3:1"})]


@pytest.mark.parametrize(
    ("first", "unit", "wanted", "share"),
    [
        (1, "turn", ["S1:4"], 0.0),
        (2, "turn", ["S1:4"], 1.0),
        (2, "turn", ["S1:4", "S2:7"], 0.5),
        (1, "session", ["S1:4"], 1.0),
        (1, "session", ["S2:0"], 0.0),
        (2, "session", ["S2:0"], 1.0),
        (2, "session", ["S2:0", "S2:9", "S3:1"], 0.5),
        (9, "session", ["S2:0", "S3:9"], 1.0),
    ],
)
def test_sessions_rank_by_best_turn(first: int, unit: str, wanted: list[str], share: float) -> None:
    parts = [Part(frozenset({label})) for label in wanted]
    assert held_in(parts, RANKED, first, UNITS[unit]) == share


def test_a_label_alone_is_a_session_and_the_digest_tells_bytes(tmp_path: Path) -> None:
    assert (session_of("conv-26/D1:3"), session_of("b17")) == ("conv-26/D1", "b17")
    seen = set[str]()
    for name, text in (("a.json", "1"), ("a.json", "2"), ("b.json", "2")):
        (tmp_path / name).write_text(text, "utf-8")
        seen.add(digest_of(tmp_path))
    assert len(seen) == 3


def test_a_set_is_told_by_sessions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / SOURCES["longmemeval"]
    folder.mkdir(parents=True)
    chats = [chat("q1", "With whom do I study the cello?"), chat("q2_abs", "Who is my dentist?")]
    (folder / "longmemeval_s.json").write_text(json.dumps(chats), "utf-8")
    asked = ("--data", str(tmp_path), "--set", "longmemeval", "--embedder", "none", "--json")
    systems = ("--system", "words", "--system", "tidemark", "--resume", str(tmp_path / "kept"))
    assert main([*asked, *systems]) == 0
    first = capsys.readouterr().out
    told = json.loads(first)
    assert told["sizes"]["longmemeval"]["questions"] == 1
    assert told["digests"] == {"longmemeval": digest_of(folder)}
    for system in ("words", "tidemark"):
        for unit in UNITS:
            found = told["sets"]["longmemeval"][system][unit]
            assert [found[name]["value"] for name in ("any_at_5", "share_at_10")] == [1, 1]
            assert found["categories"]["single-session-user"]["n"] == 1
    assert keys(told) - {"single-session-user", *SOURCES, *systems} <= documented("published")
    assert main([*asked, *systems]) == 0
    assert json.loads(capsys.readouterr().out)["sets"] == told["sets"]


PROMPTS = [Prompt(system, user, {}, "p") for system in "ab" for user in "水x"]


async def test_the_same_prompt_is_asked_once_and_any_other_again(tmp_path: Path) -> None:
    model = ScriptedModel([f"reply {number}" for number in range(9)])
    told: list[str] = []
    for name in ("m", "m", "n"):
        kept = KeptModel(model, name, Keeping(tmp_path, "http://here"))
        told += [(await kept.complete(each, session="s")).text for each in PROMPTS]
        assert kept.spent.calls + kept.spent.kept_calls == len(PROMPTS)
    assert told[:4] == told[4:8] == [f"reply {number}" for number in range(4)]
    assert len(model.prompts) == 8
    assert kept.figures() | {"median_seconds": 0} == {
        "asked": 4,
        "kept": 0,
        "median_tokens": 10,
        "median_seconds": 0,
    }
