"""HaluMem: a person's years in dated chats with an assistant, and questions after many of them.

Chen et al., "HaluMem: Evaluating Hallucinations in Memory Systems of Agents" (2025),
IAAR-Shanghai/HaluMem: `HaluMem-Medium.jsonl`, a person a line. Its evidence are memory points,
sentences that stand word for word among those of a session and name no message of it: what rests
on any turn of that session counts as found, which is easier than to find the turn. For the same
reason the points are no recorded facts: whatever is learnt of a session would count for all of its
points. All questions are asked at the end of the life, not after their session: a question about
the present is left out where a later point replaces its evidence.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ..datasets.reading import Complaints, files, json_lines
from ..living.script import Idle, IdleTurn, Life, Line, Need, Part

PERSON = Speaker("user", "user")
FILE = "HaluMem-Medium.jsonl"
PRESENT = "Dynamic Update"
"""Category of the questions about what is true by now."""

MADE_UP = "interference"
"""Source of the points that the assistant says and that are not true."""

_MOMENT = "%b %d, %Y, %H:%M:%S"


@dataclass(frozen=True, slots=True)
class _Session:
    """Its lines, its true points, what they replace, and what is asked after it."""

    lines: tuple[Line, ...]
    points: frozenset[str]
    replaced: frozenset[str]
    questions: Sequence[Any]

    @property
    def labels(self) -> frozenset[str]:
        """Of all its lines."""
        return frozenset(line.label for line in self.lines)


def read(folder: Path, complaints: Complaints) -> list[Life]:
    """One life for each person. Raises NoData if there is no file."""
    return [
        life
        for path in files(folder, FILE)
        for where, item in json_lines(path, complaints)
        if (life := _life(where, item, complaints)) is not None
    ]


def _life(where: str, item: Any, complaints: Complaints) -> Life | None:
    try:
        name = f"halumem-{item['uuid']}"
        told = [_session(number, each) for number, each in enumerate(item["sessions"])]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        complaints.add(where, repr(error))
        return None
    sessions = sorted((each for each in told if each.lines), key=lambda one: one.lines[0].at)
    if not sessions:
        complaints.add(where, "no messages")
        return None
    asked = list(_asked(name, sessions, complaints))
    lines = sorted((one for each in sessions for one in each.lines), key=lambda line: line.at)
    return Life(
        name,
        "en",
        Scope(ScopeKind.PRIVATE, "halumem", name),
        tuple(lines),
        tuple(each for each in asked if isinstance(each, Need)),
        tuple(each for each in asked if isinstance(each, IdleTurn)),
    )


def _session(number: int, session: Mapping[str, Any]) -> _Session:
    # The long file has sessions of general questions, which have no points.
    told = session.get("memory_points") or ()
    points = [one for one in told if one.get("memory_source") != MADE_UP]
    return _Session(
        tuple(_lines(number, session["dialogue"])),
        frozenset(str(one["memory_content"]) for one in points),
        frozenset(str(old) for one in points for old in one.get("original_memories") or ()),
        session.get("questions") or (),
    )


def _lines(number: int, dialogue: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """A person's messages, each with the answer that follows it."""
    at = 0.0
    for place, turn in enumerate(dialogue):
        if turn["role"] != "user":
            continue
        after = dialogue[place + 1] if place + 1 < len(dialogue) else None
        answer = "" if after is None or after["role"] == "user" else str(after["content"])
        told = datetime.strptime(turn["timestamp"], _MOMENT).replace(tzinfo=UTC)
        # What was added to a session has the time of the turn before it.
        at = max(at + 1, told.timestamp())
        yield Line(at, PERSON, str(turn["content"]), f"S{number}:{place}", answer=answer)


def _asked(
    name: str, sessions: Sequence[_Session], complaints: Complaints
) -> Iterator[Need | IdleTurn]:
    told: defaultdict[str, set[str]] = defaultdict(set)
    replaced_at: dict[str, int] = {}
    for number, session in enumerate(sessions):
        for point in session.points:
            told[point] |= session.labels
        replaced_at |= dict.fromkeys(session.replaced, number)
    for number, session in enumerate(sessions):
        for place, each in enumerate(session.questions):
            where = f"{name} {number}[{place}]"
            try:
                text, category = str(each["question"]), str(each["question_type"])
                evidence = dict.fromkeys(str(one["memory_content"]) for one in each["evidence"])
                answer = str(each["answer"])
            except (KeyError, TypeError) as error:
                complaints.add(where, repr(error))
                continue
            if category == PRESENT and any(replaced_at.get(one, 0) > number for one in evidence):
                continue
            if not evidence:
                yield IdleTurn(Idle.OTHER_PERSON, text, "en")
            elif not all(one in told for one in evidence):
                complaints.add(where, "no evidence")
            else:
                parts = tuple(Part(frozenset(told[one])) for one in evidence)
                yield Need(where, "halumem", category, text, PERSON, parts, answer=answer)
