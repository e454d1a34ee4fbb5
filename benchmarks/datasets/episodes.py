"""Forty written episodes with the keys of what is to be learnt, `data/episodes.jsonl`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Place, Role, Scope, ScopeKind, Speaker, Turn
from .reading import Complaints, NoData, json_lines

WRITTEN = Path(__file__).resolve().parents[1] / "data" / "episodes.jsonl"
BOT = "bot"
"""Who speaks in a line of the bot."""


@dataclass(frozen=True, slots=True)
class Key:
    """A fact to be learnt: whose, and patterns of which a sentence that tells it has one."""

    who: str
    patterns: tuple[re.Pattern[str], ...]

    def opens(self, text: str) -> bool:
        """Whether the sentence tells the fact, of this person if it names none."""
        return any(each.search(text) or each.search(f"{self.who} {text}") for each in self.patterns)


@dataclass(frozen=True, slots=True)
class KeyedEpisode:
    """An episode with the keys of what is to be learnt, and patterns of what would be wrong."""

    id: str
    language: str
    turns: tuple[Turn, ...]
    keys: tuple[Key, ...]
    wrong: tuple[re.Pattern[str], ...]


def episodes_in(path: Path, complaints: Complaints) -> list[KeyedEpisode]:
    """The episodes of a file. Raises NoData if it has none."""
    found = [_episode(item) for _, item in json_lines(path, complaints)]
    if not found:
        raise NoData(f"no episodes in {path}")
    return found


def _episode(item: Mapping[str, Any]) -> KeyedEpisode:
    began = datetime.fromisoformat(item["at"]).replace(tzinfo=UTC).timestamp()
    people = {who for who, _ in item["turns"]} - {BOT}
    kind = ScopeKind.GROUP if len(people) > 1 else ScopeKind.PRIVATE
    place = Place(item["id"], "", Scope(kind, "written", item["id"]).key)
    turns = tuple(
        Turn(
            number,
            item["id"],
            place,
            Role.ASSISTANT if who == BOT else Role.USER,
            Speaker(who, "" if who == BOT else who),
            text,
            began + 5.0 * (number - 1),
        )
        for number, (who, text) in enumerate(item["turns"], start=1)
    )
    keys = tuple(Key(fact["who"], tuple(map(_pattern, fact["any"]))) for fact in item["facts"])
    return KeyedEpisode(
        item["id"], item["language"], turns, keys, tuple(map(_pattern, item["not"]))
    )


def _pattern(written: str) -> re.Pattern[str]:
    return re.compile(written, re.I)
