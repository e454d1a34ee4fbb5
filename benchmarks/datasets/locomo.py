"""LoCoMo: long chats of two people with questions and the turns that answer them.

Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents" (ACL 2024).
Every `*.json` list of conversations in the folder is read; `corrected_evidence.json`, an audit
of its citations, replaces those that it cites.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Scope, ScopeKind, Speaker
from .reading import Complaints, NoData, files, json_items
from .world import Probe, Said, World

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
AUDIT = "corrected_evidence.json"
DAY = 86_400.0

_SESSION = re.compile(r"session_(\d+)")
_OBSERVED = re.compile(r"session_(\d+)_observation")
_TURN_ID = re.compile(r"D:?(\d+):(\d+)")
_MOMENT = "%I:%M %p on %d %B, %Y"

type Audit = Mapping[tuple[str, frozenset[str]], frozenset[str]]


def read(folder: Path, complaints: Complaints) -> list[World]:
    """One world per conversation. Raises NoData if there is none."""
    audit = _audit(folder / AUDIT, complaints)
    worlds = [
        world
        for path in files(folder, "*.json")
        if path.name != AUDIT
        for where, sample in json_items(path, complaints)
        if (world := _world(where, sample, audit, complaints)) is not None
    ]
    if not worlds:
        raise NoData(f"{folder} has no conversation: {'; '.join(complaints.found)}")
    return worlds


@dataclass(frozen=True, slots=True)
class Observation:
    """A fact that a good reader would learn of a speaker, and the turns that it rests on."""

    speaker: str
    text: str
    session: int
    rests_on: frozenset[str]


def observations(folder: Path, complaints: Complaints) -> dict[str, tuple[Observation, ...]]:
    """By the name of the conversation's world, in the order of the sessions."""
    return {
        str(sample.get("sample_id", where)): tuple(_observations(where, sample, complaints))
        for path in files(folder, "*.json")
        if path.name != AUDIT
        for where, sample in json_items(path, complaints)
        if isinstance(sample, dict)
    }


def turn_ids(evidence: object) -> frozenset[str]:
    """Ids of the turns that an evidence list cites: ["D8:6; D9:17", "D:11:26", "D30:05"]."""
    cited = evidence if isinstance(evidence, list) else [evidence]
    found = _TURN_ID.findall(" ".join(map(str, cited)))
    return frozenset(f"D{int(session)}:{int(turn)}" for session, turn in found)


def _audit(path: Path, complaints: Complaints) -> Audit:
    if not path.is_file():
        return {}
    corrected: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
    for where, item in json_items(path, complaints):
        try:
            # Not by question_id: it counts the conversations of the whole set.
            key = (item["question"], turn_ids(item["cited_evidence"]))
            corrected[key] = turn_ids(item["correct_evidence"])
        except (KeyError, TypeError) as error:
            complaints.add(where, repr(error))
    return corrected


def _world(where: str, sample: Any, audit: Audit, complaints: Complaints) -> World | None:
    try:
        name = str(sample.get("sample_id", where))
        conversation, questions = sample["conversation"], sample["qa"]
        sessions = sorted(
            (int(match[1]), key)
            for key in conversation
            if (match := _SESSION.fullmatch(key)) and conversation[key]
        )
        turns = tuple(
            said for _, key in sessions for said in _session(where, conversation, key, complaints)
        )
    except (AttributeError, KeyError, TypeError) as error:
        complaints.add(where, repr(error))
        return None
    if not turns:
        complaints.add(where, "no turns")
        return None
    known = frozenset(said.label for said in turns)
    probes = tuple(
        probe
        for index, item in enumerate(questions)
        if (probe := _probe(f"{where}.qa[{index}]", item, audit, known, complaints)) is not None
    )
    scope = Scope(ScopeKind.GROUP, "locomo", name)
    return World(name, scope, turns[-1].at + DAY, turns, probes=probes)


def _session(
    where: str, conversation: Mapping[str, Any], key: str, complaints: Complaints
) -> Iterator[Said]:
    try:
        moment = datetime.strptime(conversation[f"{key}_date_time"], _MOMENT)
    except (KeyError, TypeError, ValueError) as error:
        complaints.add(f"{where}.{key}", repr(error))
        return
    began = moment.replace(tzinfo=UTC).timestamp()
    for index, turn in enumerate(conversation[key]):
        try:
            (label,) = turn_ids(turn["dia_id"])
            name = str(turn["speaker"])
            yield Said(Speaker(name, name), _text(turn), began + index, label)
        except (KeyError, TypeError, ValueError) as error:
            complaints.add(f"{where}.{key}[{index}]", repr(error))


def _observations(
    where: str, sample: Mapping[str, Any], complaints: Complaints
) -> Iterator[Observation]:
    sessions = sorted(
        (int(match[1]), key)
        for key in sample.get("observation") or ()
        if (match := _OBSERVED.fullmatch(key))
    )
    for number, key in sessions:
        try:
            for speaker, told in sample["observation"][key].items():
                for text, rests_on in told:
                    if turns := turn_ids(rests_on):
                        yield Observation(str(speaker), str(text), number, turns)
        except (AttributeError, TypeError, ValueError) as error:
            complaints.add(f"{where}.{key}", repr(error))


def _text(turn: Mapping[str, Any]) -> str:
    """What was said, and what the picture shows that was sent with it."""
    caption = turn.get("blip_caption")
    return f"{turn['text']} [{caption}]" if caption else str(turn["text"])


def _probe(
    where: str, item: Any, audit: Audit, known: frozenset[str], complaints: Complaints
) -> Probe | None:
    try:
        cited = turn_ids(item["evidence"])
        gold = audit.get((item["question"], cited), cited)
        category = CATEGORIES[item["category"]]
        question = str(item["question"])
    except (KeyError, TypeError) as error:
        complaints.add(where, repr(error))
        return None
    if gold - known:
        complaints.add(where, f"cites unknown turns {sorted(gold - known)}")
    if not gold & known:
        complaints.add(where, "no evidence")
        return None
    counted = category != "adversarial"
    answer = str(item.get("answer", "")) if counted else ""
    return Probe(question, gold & known, category, counted=counted, answer=answer)
