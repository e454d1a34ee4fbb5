"""The files of `benchmarks/data` have the form that their page promises."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "data"
CLASSES = set("opening request knowledge remark follow_up question_to_bot unanswerable".split())


def of_kind(kind: str) -> list[Any]:
    """The files whose name begins so, each a case of its own."""
    return [pytest.param(path, id=path.stem) for path in sorted(DATA.glob(f"{kind}*.jsonl"))]


def items(path: Path) -> list[dict[str, Any]]:
    # Not splitlines: a text may hold a character that only Unicode takes for the end of a line.
    return [json.loads(line) for line in path.read_text("utf-8").rstrip("\n").split("\n")]


def held(string: str, texts: list[str]) -> bool:
    return any(string.casefold() in text.casefold() for text in texts)


def said(item: dict[str, Any], state: str) -> list[str]:
    return [each["text"] for each in item["said"] if each["state"] == state]


@pytest.mark.parametrize("path", of_kind(""))
def test_ids_are_numbered_from_one_without_a_gap(path: Path) -> None:
    numbers: dict[str, list[int]] = defaultdict(list)
    for item in items(path):
        series, _, number = item["id"].rpartition("-")
        numbers[series].append(int(number))
    assert numbers == {series: list(range(1, len(n) + 1)) for series, n in numbers.items()}


@pytest.mark.parametrize("path", of_kind("everyday"))
def test_an_everyday_turn_is_whole_and_written_once(path: Path) -> None:
    for item in items(path):
        assert item["language"] in {"zh", "en"}, item["id"]
        assert item["class"] in CLASSES, item["id"]
        assert item["text"].strip(), item["id"]
        assert bool(item["before"]) == (item["class"] == "follow_up"), item["id"]
        for turn in item["before"]:
            assert turn["role"] in {"user", "bot"}, item["id"]
            assert turn["text"].strip(), item["id"]
    texts = [item["text"] for item in items(path)]
    assert [text for text in set(texts) if texts.count(text) > 1] == []


@pytest.mark.parametrize("path", of_kind("tongues"))
def test_a_new_chat_holds_what_is_asked_of_it(path: Path) -> None:
    for item in items(path):
        days = [each["day"] for each in item["said"]]
        assert days == sorted(days), item["id"]
        assert all(each["text"].strip() for each in item["said"]), item["id"]
        for asked in item["asked"]:
            assert asked["held"], item["id"]
            assert set(asked["held"]) <= set(range(len(days))), item["id"]
        turns = [*(each["text"] for each in item["asked"]), *item["idle"]]
        assert len(turns) == len(set(turns)), item["id"]


@pytest.mark.parametrize("path", of_kind("turns"))
def test_as_many_turns_of_a_language_need_a_memory_as_do_not(path: Path) -> None:
    counted = Counter((item["language"], item["needs"]) for item in items(path))
    assert {n for (_, needs), n in counted.items() if needs} == {
        n for (_, needs), n in counted.items() if not needs
    }
    every = [(item["language"], item["text"]) for item in items(path)]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("path", of_kind("changes"))
def test_a_change_has_an_old_and_a_current_statement_oldest_first(path: Path) -> None:
    for item in items(path):
        assert item["language"] in {"zh", "en"}, item["id"]
        assert isinstance(item["listed"], bool), item["id"]
        assert {each["state"] for each in item["said"]} == {"old", "current"}, item["id"]
        days = [each["days_ago"] for each in item["said"]]
        assert days == sorted(days, reverse=True), item["id"]
        assert len(item["ask_now"]) in {1, 2}, item["id"]
        assert len(item["ask_past"]) in {0, 1}, item["id"]


@pytest.mark.parametrize("path", of_kind("changes"))
def test_its_strings_tell_the_current_statement_and_stand_in_no_question(path: Path) -> None:
    for item in items(path):
        current, old = said(item, "current"), said(item, "old")
        assert item["current"], item["id"]
        assert item["stale"], item["id"]
        for string in item["current"]:
            assert held(string, current), (item["id"], string)
            assert not held(string, old), (item["id"], string)
        for string in item["stale"]:
            assert held(string, old), (item["id"], string)
            assert not held(string, current), (item["id"], string)
    for item in items(path):
        for question in [*item["ask_now"], *item["ask_past"]]:
            for string in [*item["current"], *item["stale"]]:
                assert not held(string, [question]), (item["id"], string)
