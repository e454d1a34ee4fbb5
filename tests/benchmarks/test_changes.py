"""`python -m benchmarks.changes` on a written pair of changes."""

import json
from pathlib import Path

import pytest

from ..strength import only_long
from .conftest import documented, keys, run

SAID = {
    "en": (
        ("I live in Leeds", "I moved to Oslo"),
        "where do I live",
        "where did I live before",
        ("Leeds", "Oslo"),
    ),
    "zh": (("我住在成都", "我搬到杭州了"), "我现在住哪", "我以前住哪", ("成都", "杭州")),
}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    lines: list[str] = []
    for language, (texts, now, past, values) in SAID.items():
        said = [
            {"days_ago": ago, "text": text, "value": value, "state": state}
            for ago, text, value, state in zip(
                (12, 2), texts, values, ("old", "current"), strict=True
            )
        ]
        change = {
            "id": f"ca-{language}-001",
            "language": language,
            "slot": "residence",
            "said": said,
            "ask_now": [now],
            "ask_past": [past],
            "current": [values[1]],
            "stale": [values[0]],
            "listed": True,
        }
        lines.append(json.dumps(change, ensure_ascii=False))
    for hand in "ab":
        content = "\n".join(lines).replace('"ca-', f'"c{hand}-')
        (tmp_path / f"changes_{hand}.jsonl").write_text(content + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("learning", ["rules", pytest.param("recorded", marks=only_long)])
def test_forms_that_the_rules_list_are_told_as_what_holds(written: Path, learning: str) -> None:
    options = ("--embedder", "none", "--learning", learning, "--written", str(written))
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
