"""What a soak of hours tells: drift within lives, and what the model was shown of others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.scripts.endurance_report import (
    Diary,
    Leaks,
    Sample,
    drift,
    report,
    settled,
)
from astrbot_plugin_tidemark.scripts.hostkit.model_server import ChatRequest

ANNA, BEN = "Turn 1 by 901: the cargo is salt", "Turn 2 by 902: the cargo is wool"
AT_REST = Sample(0.0, 1, 300.0, 40, 20, 1.0, 1.0, 60, 100.0, 200.0)


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


def test_what_grows_within_lives_drifts_and_what_differs_between_them_does_not() -> None:
    grown = [replace(AT_REST, at=600.0 * n, rss_mb=300.0 + 2 * n) for n in range(6)]
    other = [replace(AT_REST, at=600.0 * n, life=2, rss_mb=500.0) for n in range(7, 12)]
    assert drift(grown, "rss_mb") == {"slope": 12.0, "error": 0.0}
    assert drift(other, "rss_mb") == {"slope": 0.0, "error": 0.0}
    both = drift(grown + other, "rss_mb")
    assert both is not None
    assert 0.0 < both["slope"] < 12.0
    assert both["error"] > 0.0


def test_the_first_rounds_of_each_life_are_no_drift() -> None:
    grown = [replace(AT_REST, at=600.0 * n, rss_mb=300.0 + min(n, 5)) for n in range(8)]
    again = [replace(each, at=each.at + 9_000.0, life=2) for each in grown]
    assert settled(grown + again) == grown[5:] + again[5:]
    assert drift(settled(grown + again), "rss_mb") == {"slope": 0.0, "error": 0.0}


@pytest.mark.parametrize("many", [0, 1, 2])
def test_too_few_samples_tell_no_drift(many: int) -> None:
    assert drift([replace(AT_REST, at=float(n)) for n in range(many)], "files") is None


def test_a_soak_that_was_cut_short_tells_what_it_knows(tmp_path: Path) -> None:
    diary = Diary(tmp_path / "samples.jsonl", interrupted=True)
    told = report(diary)
    assert told["interrupted"]
    assert told["turns_kept"] == told["broken"] == 0
