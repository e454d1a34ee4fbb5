"""MemDaily: a few messages of somebody's days each, and a question about some of them. Chinese.

Zhang et al., "MemSim: A Bayesian Simulator for Evaluating Memory of LLM-based Personal Assistants"
(2024), nuster1128/MemSim: `NN_KIND_ABOUT.json`, lists of `message_list` and `question_list`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ..datasets.reading import Complaints, files, json_items
from ..living.script import Life, Line, Need, Part

PERSON = Speaker("user", "user")
BROKEN = ("[ERRORQ]", "[ERRORA]")
"""What the makers of the data mark as failed."""

_WHEN = re.compile(r"(\d+)年(\d+)月(\d+)日\D*?(\d+):(\d+)")


def read(folder: Path, complaints: Complaints) -> list[Life]:
    """One life for each list of messages. Raises NoData if there is no file."""
    return [
        life
        for path in files(folder, "[0-9][0-9]_*_*.json")
        for where, item in json_items(path, complaints)
        if (life := _life(path.stem, where, item, complaints)) is not None
    ]


def together(lives: Sequence[Life], most: int, seed: int) -> list[Life]:
    """Lives of up to `most` lists each, drawn by chance: every question among others' messages.

    By itself a list has six messages, of which ten shown are all.
    """
    order = list(lives)
    Random(seed).shuffle(order)
    return [
        _joined(f"memdaily-{start // most}", order[start : start + most])
        for start in range(0, len(order), most)
    ]


def _joined(name: str, lives: Sequence[Life]) -> Life:
    lines = [replace(one, label=f"{life.name}:{one.label}") for life in lives for one in life.lines]
    needs = [
        replace(need, parts=tuple(_within(life, part) for part in need.parts))
        for life in lives
        for need in life.needs
    ]
    return Life(
        name,
        "zh",
        Scope(ScopeKind.PRIVATE, "memdaily", name),
        tuple(sorted(lines, key=lambda one: one.at)),
        tuple(needs),
    )


def _within(life: Life, part: Part) -> Part:
    return replace(part, labels=frozenset(f"{life.name}:{label}" for label in part.labels))


def _life(stem: str, where: str, item: Any, complaints: Complaints) -> Life | None:
    try:
        asked = item["question_list"][0]
        if asked["question"] in BROKEN or asked["answer"] in BROKEN:
            return None
        name = f"{stem}-{int(item['tid'])}"
        lines = sorted((_line(each) for each in item["message_list"]), key=lambda one: one.at)
        parts = tuple(Part(frozenset({f"m{int(each)}"})) for each in asked["target_step_id"])
        text, at = str(asked["question"]), _moment(asked["time"])
    except (IndexError, KeyError, TypeError, ValueError) as error:
        complaints.add(where, repr(error))
        return None
    told = {line.label for line in lines}
    if not parts or not all(part.labels <= told for part in parts):
        complaints.add(where, "no evidence")
        return None
    category = stem.split("_")[1]
    need = Need(name, "memdaily", category, text, PERSON, parts, answer=str(asked["answer"]))
    scope = Scope(ScopeKind.PRIVATE, "memdaily", name)
    rest = max(60.0, at - lines[-1].at)
    return Life(name, "zh", scope, tuple(lines), (need,), rest=rest)


def _line(message: Any) -> Line:
    text, label = str(message["message"]), f"m{int(message['mid'])}"
    return Line(_moment(message["time"]), PERSON, text, label)


def _moment(text: str) -> float:
    match = _WHEN.match(text)
    if match is None:
        raise ValueError(f"no time: {text!r:.40}")
    year, month, day, hour, minute = map(int, match.groups())
    return datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp()
