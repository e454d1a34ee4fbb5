"""The written turns that what a turn asks for is fitted on and judged by. Values and reading."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FITTED = "acdegh"
JUDGED = "bf"
"""Hands, by the letter of their files."""

BESIDE_RECALL = "cdegh"
"""Those whose turns `benchmarks.fit_recall` is not fitted on."""

LIFE = frozenset({"self", "people", "event", "plan", "talk", "change"})
"""Classes that only a memory can answer."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a hand wrote, and whether it asks for what is remembered."""

    text: str
    kind: str
    language: str
    hand: str

    @property
    def asks(self) -> bool:
        """Whether only a memory of a life can answer."""
        return self.kind in LIFE


def turns(folder: Path, hands: str) -> list[Turn]:
    """Those of these hands. A question of a life that was never told it asks for memory as well,
    and is left out: what is to be fitted is not whether there is an answer.
    """
    return [
        turn
        for hand in hands
        for name in files(folder, hand)
        for turn in _of_file(folder / f"{name}.jsonl", hand)
        if turn.kind != "unanswerable"
    ]


def files(folder: Path, hands: str) -> list[str]:
    """Names of the files of these hands, without their ending."""
    names = [f"{name}_{hand}" for hand in hands for name in ("asking", "everyday", "changes")]
    return [name for name in names if (folder / f"{name}.jsonl").is_file()]


def _of_file(path: Path, hand: str) -> Iterator[Turn]:
    for line in path.read_text("utf-8").rstrip("\n").split("\n"):
        item: dict[str, Any] = json.loads(line)
        if "text" in item:
            yield Turn(item["text"], item["class"], item["language"], hand)
            continue
        for text in (*item["ask_now"], *item["ask_past"]):
            yield Turn(text, "change", item["language"], hand)
