"""LongMemEval: a question each, over a person's many dated chats with an assistant.

Wu et al., "LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory" (ICLR 2025):
`longmemeval_s*.json`, a list of questions with their own sessions. The turns that answer are
marked `has_answer`; a question whose id ends with `_abs` has no answer in its sessions.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ..datasets.reading import Complaints, files, json_items
from ..living.script import Idle, IdleTurn, Life, Line, Need, Part

PERSON = Speaker("user", "user")
UNANSWERED = "_abs"
_MOMENT = "%Y/%m/%d (%a) %H:%M"


def read(folder: Path, complaints: Complaints) -> list[Life]:
    """One life for each question. Raises NoData if there is no file."""
    return [
        life
        for path in files(folder, "longmemeval_s*.json")
        for where, item in json_items(path, complaints)
        if (life := _life(where, item, complaints)) is not None
    ]


def _life(where: str, item: Any, complaints: Complaints) -> Life | None:
    try:
        name = str(item["question_id"])
        lines = tuple(_lines(item))
        asked_at = _moment(item["question_date"])
        marked = frozenset(line.label for line in lines if line.label.endswith("!"))
        need = Need(
            name,
            "longmemeval",
            str(item["question_type"]),
            str(item["question"]),
            PERSON,
            tuple(Part(frozenset({label})) for label in sorted(marked)),
            answer=str(item["answer"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        complaints.add(where, repr(error))
        return None
    unanswered = name.endswith(UNANSWERED)
    if not lines or not (marked or unanswered):
        complaints.add(where, "no evidence")
        return None
    scope = Scope(ScopeKind.PRIVATE, "longmemeval", name)
    rest = max(0.0, asked_at - lines[-1].at)
    if unanswered:
        wrong = (IdleTurn(Idle.OTHER_PERSON, need.text, "en"),)
        return Life(name, "en", scope, lines, other_person=wrong, rest=rest)
    return Life(name, "en", scope, lines, (need,), rest=rest)


def _lines(item: Mapping[str, Any]) -> Iterator[Line]:
    """In the order of time: a person's messages, each with the answer that follows it.

    The label of a message that holds evidence, or whose answer does, ends with "!".
    """
    dated = sorted(
        zip(map(_moment, item["haystack_dates"]), item["haystack_sessions"], strict=True),
        key=lambda each: each[0],
    )
    for number, (at, session) in enumerate(dated):
        for index, turn in enumerate(session):
            if turn["role"] != "user":
                continue
            after = session[index + 1] if index + 1 < len(session) else None
            reply = after if after is not None and after["role"] == "assistant" else None
            holds = turn.get("has_answer") or (reply or {}).get("has_answer")
            yield Line(
                at + index,
                PERSON,
                str(turn["content"]),
                f"S{number}:{index}{'!' if holds else ''}",
                answer="" if reply is None else str(reply["content"]),
            )


def _moment(text: str) -> float:
    return datetime.strptime(text, _MOMENT).replace(tzinfo=UTC).timestamp()
