"""What a soak of hours tells: drift within lives, and what the model was shown of others."""

from pathlib import Path
from typing import Any

from astrbot_plugin_tidemark.scripts.endurance_report import Diary, Leaks, report
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest

ANNA, BEN = "Turn 1 by 901: the cargo is salt", "Turn 2 by 902: the cargo is wool"


def request(text: str, *, system: str = "", before: str = "") -> ChatRequest:
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}]
    messages += [{"role": "user", "content": each} for each in (before, text) if each]
    return ChatRequest({"messages": messages}, 0.0)


def leaks(*requests: ChatRequest) -> int:
    seen = Leaks()
    for each in requests:
        seen.look(each)
    return len(seen.found)


def test_a_chat_that_shows_what_another_said_is_a_leak() -> None:
    assert leaks(request(ANNA, before=ANNA)) == 0
    assert leaks(request(f"{ANNA}\n<memory>{BEN}</memory>")) == 1


def test_a_group_is_shown_what_was_said_there_and_nothing_else() -> None:
    here, there = ("Turn 3 by 901 in 6001: the cargo is tea", "Turn 4 by 901 in 6002: it is oil")
    heard = "Turn 5 by 902 in 6001: the cargo is silk"
    assert leaks(request(f"{here}\n<memory>{heard}</memory>")) == 0
    assert leaks(request(f"{here}\n<memory>{there}</memory>")) == 1
    assert leaks(request(f"{here}\n<memory>{ANNA}</memory>")) == 1
    assert leaks(request(f"{ANNA}\n<memory>{here}</memory>")) == 1


def test_an_episode_that_is_learnt_from_is_one_persons() -> None:
    learn = "tidemark:learn/1"
    assert leaks(request(f"{BEN}\n{BEN}", system=learn)) == 0
    assert leaks(request(f"{ANNA}\n{BEN}", system=learn)) == 1


def test_a_soak_that_was_cut_short_tells_what_it_knows(tmp_path: Path) -> None:
    diary = Diary(tmp_path / "samples.jsonl", interrupted=True)
    told = report(diary)
    assert told["interrupted"]
    assert told["turns_kept"] == told["broken"] == 0
