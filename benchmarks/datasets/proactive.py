"""ProactiveMemBench: half a year of one person's chat, and turns that need a memory unnamed.

FxyQwQ/ProactiveMemBench: pairs of `NAME_conversations.json` and
`NAME_proactive_questions.json`. A right memory holds one of a question's concepts literally.
Times are read as those of the wall: some carry a zone and some do not, and what is said ("eight
in the evening") is meant there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from ..living.script import PLATFORM, Life, Line, Need, Part
from .reading import Complaints, NoData, files, json_items, literal

TRIGGERS = {
    "时间相关记忆联想": "time",
    "实体相关记忆联想": "entity",
    "情感相关记忆联想": "emotion",
    "行为模式相关记忆联想": "behaviour",
    "多跳记忆联想": "multi-hop",
}
_CONVERSATIONS = "_conversations.json"
_QUESTIONS = "_proactive_questions.json"


@dataclass(frozen=True, slots=True)
class _Said:
    at: float
    label: str
    role: Role
    text: str


def read(folder: Path, complaints: Complaints) -> list[Life]:
    """One life for each pair of files. Raises NoData if there is none."""
    found: list[Life] = []
    for path in files(folder, f"*{_CONVERSATIONS}"):
        name = path.name.removesuffix(_CONVERSATIONS)
        asked = path.with_name(name + _QUESTIONS)
        turns = sorted(_turns(path, complaints), key=lambda said: said.at)
        if not turns or not asked.is_file():
            complaints.add(path.name, "no turns, or no file of questions")
            continue
        speaker, scope = Speaker(name, name), Scope(ScopeKind.PRIVATE, PLATFORM, name)
        needs = tuple(_needs(name, asked, turns, complaints))
        found.append(Life(name, "zh", scope, tuple(_answered(speaker, turns)), needs))
    if not found:
        raise NoData(f"{folder} has no half year: {'; '.join(complaints.found)}")
    return found


def _turns(path: Path, complaints: Complaints) -> Iterator[_Said]:
    for where, session in json_items(path, complaints):
        try:
            number, turns = session["session_id"], session["turns"]
        except (KeyError, TypeError) as error:
            complaints.add(where, repr(error))
            continue
        for turn in turns:
            try:
                yield _said(f"S{number}:{turn['turn_id']}", turn)
            except (KeyError, TypeError, ValueError) as error:
                complaints.add(where, repr(error))


def _said(label: str, turn: Mapping[str, Any]) -> _Said:
    at = datetime.fromisoformat(turn["timestamp"]).replace(tzinfo=UTC).timestamp()
    return _Said(at, label, Role(turn["role"]), str(turn["content"]))


def _answered(speaker: Speaker, turns: list[_Said]) -> Iterator[Line]:
    """The person's turns, each with the bot's answer that follows it."""
    for said, after in zip(turns, (*turns[1:], None), strict=True):
        if said.role is Role.USER:
            answer = after.text if after is not None and after.role is Role.ASSISTANT else ""
            yield Line(said.at, speaker, said.text, said.label, answer=answer)


def _needs(name: str, path: Path, turns: list[_Said], complaints: Complaints) -> Iterator[Need]:
    """Each needs those of its concepts that some turn holds."""
    texts = [(said, literal(said.text)) for said in turns]
    # What the bot said is kept with the turn that it answered.
    kept_with = {
        after.label: said.label
        for said, after in pairwise(turns)
        if (said.role, after.role) == (Role.USER, Role.ASSISTANT)
    }

    def part(concept: str) -> Part | None:
        wanted = literal(concept)
        holding = [said for said, text in texts if wanted in text]
        labels = {each.label for each in holding if each.role is Role.USER}
        answers = (each.label for each in holding if each.role is Role.ASSISTANT)
        labels |= {kept_with[label] for label in answers if label in kept_with}
        return Part(frozenset(labels), concept) if holding else None

    for number, (where, item) in enumerate(json_items(path, complaints)):
        try:
            concepts = [str(one["concept"]) for one in item["candidate_set"]]
            id, category = f"{name}:{item['id']}:{number}", TRIGGERS[item["trigger_type"]]
            text = str(item["question"])
        except (KeyError, TypeError) as error:
            complaints.add(where, repr(error))
            continue
        parts = [made for each in concepts if literal(each) and (made := part(each))]
        if parts:
            yield Need(id, "proactive", category, text, Speaker(name, name), tuple(parts))
