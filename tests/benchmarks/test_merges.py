"""The benchmark of written pairs: counted in both directions, and slept on as the plugin does."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.installation import NoModel
from astrbot_plugin_tidemark.benchmarks.merges import (
    Judge,
    Merges,
    by_hand,
    figures,
    leaking_of,
    recorded,
    slept,
    targets,
    written,
)
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder

from ..strength import only_long
from .conftest import documented, keys, run

NOW = 1.8e9


def test_whoever_merges_too_much_is_wrong_and_too_little_has_missed() -> None:
    every = written(Complaints(), NOW, 1)
    pairs = [pair for pair in every if pair.hand == "a"]
    ids = [pair.id for pair in pairs if pair.language == "zh"]
    # A trap, and of two pairs that say the same three memories in two nights.
    trap, same = (frozenset({f"{ids[n]}-0", f"{ids[n]}-1"}) for n in (5, 0))
    merges = Merges([trap, same, frozenset({"merged", f"{ids[0]}-1", f"{ids[1]}-0"})])
    told = figures(pairs, merges)
    assert (told["merged"], len(told["wrong"]), len(told["missed"])) == (4, 3, 9)
    assert told["zh"]["recall"]["share"] == 0.2
    assert told["recall"]["share"] == 0.1
    assert told["precision"]["share"] == 0.25
    assert told["en"]["precision"]["share"] is None
    low, high = told["precision"]["interval"]
    assert low < 0.25 < high
    same = [pair for pair in every if not pair.differs]
    alone, both = (
        by_hand(every, Merges([frozenset({p.one.id, p.other.id}) for p in same if p.hand in hands]))
        for hands in ("a", "ab")
    )
    assert (alone["hand a"]["merged"], alone["hand b"]["merged"], alone["merged"]) == (10, 0, 10)
    met = [targets({"recorded": each})["recorded"]["met"] for each in (alone, both)]
    assert met == [False, True], "each hand must reach them"


async def test_words_of_a_second_reading_merge_what_code_alone_does_not(tmp_path: Path) -> None:
    """By hashed words, so that no model is needed here: half of what the local embedder finds."""
    pairs, embedder = written(Complaints(), NOW, 4), HashedEmbedder()
    alone = by_hand(pairs, await slept(pairs, embedder, NoModel(), tmp_path))
    told = by_hand(pairs, await slept(pairs, embedder, Judge(recorded(pairs)), tmp_path))
    assert (alone["wrong"], told["wrong"]) == ([], [])
    assert alone["calls"] == 0 < told["calls"]
    assert 0 < alone["merged"] < told["merged"]


def test_the_guards_keep_most_traps_apart_whatever_a_judge_says() -> None:
    pairs = written(Complaints(), NOW)
    leaking = {pair.differs for pair in leaking_of(pairs)}
    assert leaking.isdisjoint({"number", "negation"})
    assert sum(bool(pair.differs) for pair in pairs) == len(pairs) / 2 == 200


def test_a_second_reading_has_a_word_for_each_pair_and_no_text_is_written_twice() -> None:
    pairs = written(Complaints(), NOW)
    texts = [memory.text for pair in pairs for memory in (pair.one, pair.other)]
    assert len(recorded(pairs)) == len({*texts}) == len(texts) == 800
    assert len({(pair.hand, pair.language, pair.one.account) for pair in pairs}) == 40


SAID = {
    "en": (
        *(("I live in Leeds", "I moved to Oslo"), "where do I live", "where did I live before"),
        ("Leeds", "Oslo"),
    ),
    "zh": (("我住在成都", "我搬到杭州了"), "我现在住哪", "我以前住哪", ("成都", "杭州")),
}


@pytest.fixture
def pair_of_changes(tmp_path: Path) -> Path:
    lines: list[str] = []
    for language, (texts, now, past, values) in SAID.items():
        said = [
            {"days_ago": ago, "text": text, "value": value, "state": state}
            for ago, text, value, state in zip(
                (12, 2), texts, values, ("old", "current"), strict=True
            )
        ]
        own = {"id": f"ca-{language}-001", "language": language, "slot": "residence", "said": said}
        asked = {"ask_now": [now], "ask_past": [past], "listed": True}
        change = own | asked | {"current": [values[1]], "stale": [values[0]]}
        lines.append(json.dumps(change, ensure_ascii=False))
    for hand in "ab":
        content = "\n".join(lines).replace('"ca-', f'"c{hand}-')
        (tmp_path / f"changes_{hand}.jsonl").write_text(content + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("learning", ["rules", pytest.param("recorded", marks=only_long)])
def test_forms_that_the_rules_list_are_told_to_hold(pair_of_changes: Path, learning: str) -> None:
    options = ("--embedder", "none", "--learning", learning, "--written", str(pair_of_changes))
    result = run("changes", *options)
    now = result["now"]["all"]
    assert (now["n"], now["stale_first"], now["stale_unmarked"]) == (4, 0.0, 0.0)
    # Without an embedder a question is answered by the words that it shares.
    assert now["current_first"] >= 0.5
    assert result["problems"] == []
    groups = {"all", "hand a", "hand b", "language en", "language zh"}
    assert groups <= set(result["now"])
    told = keys(result) - set(result["now"]) - {"n", "problems"}
    assert told <= documented("changes") | {"learning", "embedder"}
