"""LoCoMo: long chats of two people with questions and the turns that answer them.

Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents" (ACL 2024).
Every `*.json` list of conversations in the folder is read; `corrected_evidence.json`, an audit
of its citations, replaces those that it cites. As a life two people of a group talk to one another,
and ask the bot; what a good reader learns are the conversation's observations.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Role, Scope, ScopeKind, Speaker
from ..living.script import PLATFORM, Idle, IdleTurn, Life, Line, Need, Part, Recorded
from .reading import Complaints, NoData, files, json_items

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
AUDIT = "corrected_evidence.json"

_SESSION = re.compile(r"session_(\d+)")
_OBSERVED = re.compile(r"session_(\d+)_observation")
_TURN_ID = re.compile(r"D:?(\d+):(\d+)")
_MOMENT = "%I:%M %p on %d %B, %Y"

type Audit = Mapping[tuple[str, frozenset[str]], frozenset[str]]


def read(folder: Path, complaints: Complaints) -> list[Life]:
    """One life per conversation. Raises NoData if there is none."""
    audit = _audit(folder / AUDIT, complaints)
    lives = [
        life
        for path in files(folder, "*.json")
        if path.name != AUDIT
        for where, sample in json_items(path, complaints)
        if (life := _life(where, sample, audit, complaints)) is not None
    ]
    if not lives:
        raise NoData(f"{folder} has no conversation: {'; '.join(complaints.found)}")
    return lives


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


def _life(where: str, sample: Any, audit: Audit, complaints: Complaints) -> Life | None:
    try:
        name = str(sample.get("sample_id", where))
        conversation, questions = sample["conversation"], sample["qa"]
        sessions = [key for key in conversation if _SESSION.fullmatch(key) and conversation[key]]
        sessions.sort(key=lambda key: int(key.removeprefix("session_")))
        lines = tuple(
            line for key in sessions for line in _session(where, conversation, key, complaints)
        )
    except (AttributeError, KeyError, TypeError) as error:
        complaints.add(where, repr(error))
        return None
    if not lines:
        complaints.add(where, "no turns")
        return None
    known, asker = frozenset(line.label for line in lines), lines[0].speaker
    asked = [
        one
        for index, item in enumerate(questions)
        if (one := _asked(f"{where}.qa[{index}]", item, audit, known, complaints)) is not None
    ]
    needs = [
        Need(f"{name}:{number}", "locomo", category, text, asker, parts, answer=answer)
        for number, (category, text, parts, answer) in enumerate(asked)
        if category != "adversarial"
    ]
    wrong = [
        IdleTurn(Idle.OTHER_PERSON, text, "en")
        for category, text, *_ in asked
        if category == "adversarial"
    ]
    scope = Scope(ScopeKind.GROUP, PLATFORM, name)
    observed = tuple(_observed(where, sample, complaints))
    return Life(name, "en", scope, lines, tuple(needs), tuple(wrong), observed)


def _session(
    where: str, conversation: Mapping[str, Any], key: str, complaints: Complaints
) -> Iterator[Line]:
    try:
        moment = datetime.strptime(conversation[f"{key}_date_time"], _MOMENT)
    except (KeyError, TypeError, ValueError) as error:
        complaints.add(f"{where}.{key}", repr(error))
        return
    began = moment.replace(tzinfo=UTC).timestamp()
    for index, turn in enumerate(conversation[key]):
        try:
            (label,) = turn_ids(turn["dia_id"])
            speaker = Speaker(str(turn["speaker"]), str(turn["speaker"]))
            yield Line(began + index, speaker, _text(turn), label, Role.BYSTANDER)
        except (KeyError, TypeError, ValueError) as error:
            complaints.add(f"{where}.{key}[{index}]", repr(error))


def _observed(where: str, sample: Mapping[str, Any], complaints: Complaints) -> Iterator[Recorded]:
    """What a good reader would learn, in the order of the sessions."""
    sessions = sorted(
        (int(match[1]), key)
        for key in sample.get("observation") or ()
        if (match := _OBSERVED.fullmatch(key))
    )
    for _, key in sessions:
        try:
            for told in sample["observation"][key].values():
                for text, rests_on in told:
                    if turns := turn_ids(rests_on):
                        yield Recorded(str(text), turns)
        except (AttributeError, TypeError, ValueError) as error:
            complaints.add(f"{where}.{key}", repr(error))


def _text(turn: Mapping[str, Any]) -> str:
    """What was said, and what the picture shows that was sent with it."""
    caption = turn.get("blip_caption")
    return f"{turn['text']} [{caption}]" if caption else str(turn["text"])


def _asked(
    where: str, item: Any, audit: Audit, known: frozenset[str], complaints: Complaints
) -> tuple[str, str, tuple[Part, ...], str] | None:
    """Category, question, what answers it, and the data's own answer."""
    try:
        cited = turn_ids(item["evidence"])
        gold = audit.get((item["question"], cited), cited)
        category, question = CATEGORIES[item["category"]], str(item["question"])
    except (KeyError, TypeError) as error:
        complaints.add(where, repr(error))
        return None
    if gold - known:
        complaints.add(where, f"cites unknown turns {sorted(gold - known)}")
    if not gold & known:
        complaints.add(where, "no evidence")
        return None
    parts = tuple(Part(frozenset({label})) for label in sorted(gold & known))
    return category, question, parts, str(item.get("answer", ""))
