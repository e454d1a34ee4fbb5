"""BEAM: long chats with an assistant about a project, and questions about ten abilities.

Tavakoli et al., "Beyond a Million Tokens: Benchmarking and Enhancing Long-Term Memory in LLMs"
(2025), mohammadtavakoli78/BEAM: folders with `chat.json` and
`probing_questions/probing_questions.json`. Evidence is told by the numbers of messages; some
numbers stand at several messages, each of which then counts.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ..datasets.reading import Complaints, files, json_value
from ..living.script import CONTRADICTION, Idle, IdleTurn, Life, Line, Need, Part
from .denying import BEGINNING

PERSON = Speaker("user", "user")

_ANCHOR = "%B-%d-%Y"
_MARK = re.compile(r"\s*->->\s*[\d,]+\s*$")
"""What the makers of the data left at the end of a message."""

type Message = Mapping[str, Any]


def read(folder: Path, complaints: Complaints) -> list[Life]:
    """One life for each chat. Raises NoData if there is none."""
    found = (_life(path, complaints) for path in files(folder, "*/chat.json"))
    return [life for life in found if life is not None]


def _life(path: Path, complaints: Complaints) -> Life | None:
    name = f"beam-{path.parent.name}"
    try:
        messages = [
            message
            for batch in json_value(path, complaints) or ()
            for turn in batch["turns"]
            for message in turn
        ]
        lines = list(_lines(messages))
        asked = json_value(path.parent / "probing_questions/probing_questions.json", complaints)
        probes = [(ability, each) for ability, some in (asked or {}).items() for each in some]
        unanswered = tuple(
            IdleTurn(Idle.OTHER_PERSON, str(each["question"]), "en")
            for ability, each in probes
            if ability == "abstention"
        )
    except (KeyError, TypeError, ValueError) as error:
        complaints.add(f"{path.parent.name}/{path.name}", repr(error))
        return None
    if not lines:
        complaints.add(f"{path.parent.name}/{path.name}", "no messages")
        return None
    labels = _labels(messages)
    needs = tuple(_needs(name, probes, labels, complaints))
    scope = Scope(ScopeKind.PRIVATE, "beam", name)
    return Life(name, "en", scope, tuple(lines), needs, other_person=unanswered)


def _lines(messages: Sequence[Message]) -> Iterator[Line]:
    """A person's messages, each with the answer that follows it, ten minutes apart on a day."""
    # Of a chat whose first message has no date.
    at = BEGINNING
    for place, message in enumerate(messages):
        if message.get("time_anchor"):
            told = datetime.strptime(message["time_anchor"], _ANCHOR).replace(tzinfo=UTC)
            at = max(at, told.timestamp())
        if message["role"] != "user":
            continue
        after = messages[place + 1] if place + 1 < len(messages) else None
        answer = "" if after is None or after["role"] == "user" else str(after["content"])
        at += 600
        text = _MARK.sub("", str(message["content"]))
        yield Line(at, PERSON, text, f"b{place}", answer=answer)


def _labels(messages: Sequence[Message]) -> Mapping[int, frozenset[str]]:
    """Of the lines that a number means: an answer is kept with what it answers."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    last = None
    for place, message in enumerate(messages):
        last = f"b{place}" if message["role"] == "user" else last
        if last is not None:
            found[int(message["id"])].add(last)
    return {number: frozenset(own) for number, own in found.items()}


def _needs(
    name: str,
    probes: Sequence[tuple[str, Any]],
    labels: Mapping[int, frozenset[str]],
    complaints: Complaints,
) -> Iterator[Need]:
    for number, (ability, each) in enumerate(probes):
        if ability == "abstention":
            continue
        where = f"{name} {ability}[{number}]"
        try:
            parts = tuple(map(Part, _evidence(ability, each["source_chat_ids"], labels)))
            text = str(each["question"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            complaints.add(where, repr(error))
            continue
        if not parts or not all(part.labels for part in parts):
            complaints.add(where, "no evidence")
            continue
        two = ability == "contradiction_resolution" and len(parts) == 2
        yield Need(where, "beam", CONTRADICTION if two else ability, text, PERSON, parts)


def _evidence(
    ability: str, ids: Any, labels: Mapping[int, frozenset[str]]
) -> Iterator[frozenset[str]]:
    """What each part rests on; of an update what is true by now."""
    if not isinstance(ids, Mapping):
        yield from dict.fromkeys(labels.get(each, frozenset()) for each in _numbers(ids))
        return
    for side, own in ids.items():
        if ability != "knowledge_update" or side == "updated_info":
            yield frozenset[str]().union(*(labels.get(each, frozenset()) for each in _numbers(own)))


def _numbers(ids: Any) -> Iterator[int]:
    """Of messages; some stand in a list within the list."""
    for each in ids:
        if isinstance(each, list):
            yield from _numbers(each)
        else:
            yield int(each)
