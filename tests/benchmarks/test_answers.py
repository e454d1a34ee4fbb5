"""The benchmark of answers over tiny sets, with a model of a few words behind real HTTP."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from astrbot_plugin_tidemark.benchmarks import kept_replies
from astrbot_plugin_tidemark.benchmarks.answering.prompts import (
    RIGHT,
    UNKNOWN,
    WRONG,
    Asked,
    outcome,
)
from astrbot_plugin_tidemark.benchmarks.answers import main
from astrbot_plugin_tidemark.benchmarks.comparing.sets import SOURCES
from astrbot_plugin_tidemark.core.languages.terms import content_terms
from astrbot_plugin_tidemark.scripts.hostkit.model_server import (
    ChatRequest,
    ModelServer,
    Purpose,
    Reply,
)

from .conftest import documented, keys
from .datasets.test_readers import asked, sample, told
from .datasets.test_readers import locomo_question as question
from .datasets.test_readers import locomo_turn as turn

KEY = "sk-of-a-stranger"
MODELS = ("--model", "answerer", "--judge", "referee")
NAMED = {"locomo", "longmemeval", "madial", "single-session-user", "unanswerable", "one", "load"}


def respond(request: ChatRequest) -> Reply:
    """The notes that share content with the message, all if none does; right by half the words."""

    def within(name: str) -> str:
        found = re.search(rf"^<{name}>$(.*?)^</{name}>$", request.user, re.S | re.M)
        return found[1].strip() if found else ""

    if request.purpose is Purpose.ANSWER:
        notes = re.findall(r"^\[\d+\] (.+)$", within("notes"), re.M)
        asked = content_terms(within("message"))
        found = [note for note in notes if content_terms(note) & asked] or notes
        return Reply(json.dumps({"answer": " ".join(found) or "I do not know."}))
    wanted, reply = content_terms(within("reference")), within("reply")
    held = len(wanted & content_terms(reply)) >= len(wanted) / 2
    return Reply(json.dumps({"right": held if wanted else reply == "I do not know."}))


def chat(name: str, text: str) -> dict[str, Any]:
    said = {"role": "user", "content": "I study the cello with Mr Brandt.", "has_answer": True}
    return {
        "question_id": name,
        "question_type": "single-session-user",
        "question": text,
        "question_date": "2024/03/09 (Sat) 10:00",
        "answer": "Mr Brandt",
        "haystack_dates": ["2024/03/02 (Sat) 10:00"],
        "haystack_sessions": [[said, {"role": "assistant", "content": "Lovely."}]],
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    talk = [turn("D1:1", "I adopted a green parrot called Captain.")]
    what = question("What is the green parrot called?", "D1:1") | {"answer": "Captain"}
    wrong = question("Which parrot does Ben own?", "D1:1", category=5)
    files = {
        "locomo_dev/talk.json": json.dumps([sample(what, wrong, session_1=talk)]),
        "longmemeval_s/longmemeval_s.json": json.dumps(
            [chat("q1", "With whom do I study the cello?"), chat("q2_abs", "Who is my dentist?")]
        ),
        "madial_zh_dev/memories.jsonl": told("1", "Kim在海边捡到一只螃蟹。", time="2024-03-03"),
        "madial_zh_dev/dialogues.jsonl": asked(1),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    assert {SOURCES[name] for name in ("locomo", "longmemeval", "madial")} == {
        path.name for path in folder.iterdir()
    }
    return folder


@pytest.fixture(scope="module")
def heard(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The blocks of every question, made once; no server is there."""
    kept = tmp_path_factory.mktemp("heard")
    run("http://127.0.0.1:9/v1", data, kept, "--estimate")
    return kept


@pytest.fixture
def kept(heard: Path, tmp_path: Path) -> Path:
    return Path(copytree(heard, tmp_path / "kept"))


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer.running(respond) as running:
        yield running


def run(url: str, data: Path, kept: Path, *more: str, fails: bool = False) -> dict[str, Any]:
    endpoint = ("--endpoint", url, "--data", str(data), "--resume", str(kept))
    printed = StringIO()
    with redirect_stdout(printed):
        code = main([*endpoint, *MODELS, "--embedder", "none", "--json", *more])
    assert code == (2 if fails else 0)
    return {} if fails else json.loads(printed.getvalue())


async def measured(
    server: ModelServer, data: Path, kept: Path, *more: str, fails: bool = False
) -> dict[str, Any]:
    """The same beside the server's loop."""
    return await asyncio.to_thread(run, server.source.url, data, kept, *more, fails=fails)


def texts(folder: Path) -> list[str]:
    return [file.read_text("utf-8") for file in folder.iterdir()]


def calls(server: ModelServer) -> list[int]:
    purposes = (Purpose.ANSWER, Purpose.JUDGE_ANSWER)
    return [len(server.asked(purpose)) for purpose in purposes]


async def test_every_set_is_answered_and_judged(
    server: ModelServer,
    data: Path,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ANSWERS_KEY", KEY)
    result = await measured(server, data, kept)
    assert result["sizes"] == {"locomo": 1, "longmemeval": 2, "madial": 1}
    assert calls(server) == [4, 4]
    assert {request.body["model"] for request in server.asked(Purpose.ANSWER)} == {"answerer"}
    assert {request.body["model"] for request in server.asked(Purpose.JUDGE_ANSWER)} == {"referee"}
    assert result["sets"]["locomo"]["right"]["value"] == 1.0
    of_chats = result["sets"]["longmemeval"]["categories"]
    assert of_chats["single-session-user"]["value"] == 1.0
    assert of_chats["unanswerable"]["n"] == 1
    assert result["sets"]["madial"]["right"]["n"] == 1
    assert any("Captain" in request.user for request in server.asked(Purpose.ANSWER))
    assert keys(result) - NAMED - {"open-domain", "single-hop"} <= documented("answers")
    everywhere = [json.dumps(result), capsys.readouterr().err, *texts(kept)]
    assert not any(KEY in text for text in everywhere)
    assert {request.authorization for request in server.requests} == {f"Bearer {KEY}"}


@pytest.mark.parametrize(
    ("gold", "answer", "told"),
    [
        ("Mr Brandt", "You study with mr. Brandt.", RIGHT),
        ("a green parrot called Captain", "A parrot called Captain", RIGHT),
        ("Captain", "Biscuit", WRONG),
        ("Captain", "unknown", UNKNOWN),
        ("大润发超市", "是大润发超市吧", RIGHT),
        ("大润发超市", "沃尔玛", WRONG),
        ("是", "是的", RIGHT),
        ("", "Unknown.", RIGHT),
        ("", "Doctor Okafor", WRONG),
    ],
)
def test_the_words_of_the_answer_tell_what_is_right(gold: str, answer: str, told: str) -> None:
    asked = Asked("q", "locomo", "single-hop", "?", gold, "2024-03-09, Saturday", ())
    assert outcome(asked, answer) == told


async def test_without_a_judge_words_tell(server: ModelServer, data: Path, tmp_path: Path) -> None:
    asked = ("--set", "locomo", "--set", "longmemeval", "--embedder", "none", "--json")
    where = ("--endpoint", server.source.url, "--data", str(data), "--model", "answerer")
    shown: dict[str, dict[str, Any]] = {}
    for system in ("tidemark", "nothing"):
        kept = ("--resume", str(tmp_path), "--system", system)
        before = sum(calls(server))
        for more in (["--estimate"], []):
            assert sum(calls(server)) == before
            with redirect_stdout(StringIO()) as printed:
                assert await asyncio.to_thread(main, [*where, *asked, *kept, *more]) == 0
        shown[system] = json.loads(printed.getvalue())
    assert calls(server)[1] == 0
    assert shown["tidemark"]["estimate"]["judge"]["calls"] == 0
    ours, none = (shown[system]["sets"]["locomo"] for system in ("tidemark", "nothing"))
    assert ours["right"]["value"] == 1.0
    assert ours["lines"]["value"] > none["lines"]["value"] == 0.0
    assert keys(shown["tidemark"]) - NAMED - {"single-hop"} <= documented("answers")


async def test_costs_are_told_before_and_after(server: ModelServer, data: Path, kept: Path) -> None:
    before = await measured(server, data, kept, "--estimate")
    assert calls(server) == [0, 0]
    assert before["estimate"]["questions"] == 4
    assert before["estimate"]["model"]["calls"] == 4
    assert before["estimate"]["judge"]["calls"] == 4
    assert before["estimate"]["judge"]["tokens"] > 400
    assert "spent" not in before
    after = await measured(server, data, kept)
    assert after["spent"]["model"]["calls"] == 4
    assert after["spent"]["judge"]["calls"] == 4
    assert after["spent"]["model"]["tokens"] > 600
    assert after["spent"]["model"]["without_usage"] == 0
    again = await measured(server, data, kept, "--estimate")
    assert again["estimate"]["model"] == again["estimate"]["judge"] == {"calls": 0, "tokens": 0}


async def test_what_was_paid_for_is_asked_once(server: ModelServer, data: Path, kept: Path) -> None:
    server.script(*[Reply(status=400)] * 8, purpose=Purpose.JUDGE_ANSWER)
    first = await measured(server, data, kept)
    assert first["spent"]["judge"]["failed"] == 2
    assert sum(each["unjudged"] for each in first["sets"].values()) == 2
    server.clear()
    second = await measured(server, data, kept)
    assert calls(server) == [0, 2]
    assert second["spent"]["model"]["kept_calls"] == 4
    assert second["spent"]["model"]["kept_tokens"] == first["spent"]["model"]["tokens"]
    assert sum(each["unjudged"] for each in second["sets"].values()) == 0
    server.clear()
    other = await measured(server, data, kept, "--judge", "another")
    assert other["spent"]["model"]["calls"] == 0
    assert other["spent"]["judge"]["calls"] == 4


async def test_a_run_ends_where_the_endpoint_is_down(
    server: ModelServer,
    data: Path,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.script(*[Reply(status=401)] * 9, purpose=Purpose.JUDGE_ANSWER)
    monkeypatch.setattr(kept_replies, "PATIENCE", 3)
    await measured(server, data, kept, fails=True)
    assert "3 calls in a row failed" in capsys.readouterr().err
    server.clear()
    await measured(server, data, kept, "--set", "locomo")
    assert calls(server) == [0, 1]
