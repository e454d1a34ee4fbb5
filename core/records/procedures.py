"""Procedures: the tools that the bot used more than once in the same order. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from uuid import UUID, uuid5

from ..forgetting.tmd import initial_strength
from ..languages.detection import language_of
from ..languages.registry import procedure_wording
from ..model.conversation import Turn
from ..model.memory import (
    RELIABILITY,
    Access,
    Extractor,
    Facet,
    Kind,
    Memory,
    Origin,
    Source,
    Vitality,
    unmarked,
)
from .tool_calls import split_calls

LEAST_STEPS = 2
"""One tool alone is no way of doing something: it is used for anything."""

LONGEST_REQUEST = 80
MOST_REQUESTS = 4
"""Requests that a procedure is found by."""

IMPORTANCE = 0.5
_CALL = re.compile(r"(?P<tool>[^(]*)\(.*?\) (?P<end>[→×])", re.DOTALL)


def steps_of(answer: str) -> tuple[str, ...]:
    """The tools of an answer, or of evidence with one, in their order; repeats in a row count once.

    Nothing if one of them failed, or there are fewer than `LEAST_STEPS`.
    """
    found = [_CALL.match(call) for call in split_calls(answer)[1]]
    if any(each is None or each["end"] == "×" for each in found):
        return ()
    steps = tuple(tool for tool, _ in groupby(each["tool"] for each in found if each))
    return steps if len(steps) >= LEAST_STEPS else ()


def procedure_id(journal: str, scope: str, steps: Sequence[str]) -> str:
    """The same whenever these tools are used in this order."""
    return str(uuid5(UUID(journal), f"procedure:{scope}:{'/'.join(steps)}"))


def procedure_of(asked: Turn, answer: Turn, earlier: Memory, *, journal: str) -> Memory:
    """What is remembered of two answers with the same steps; `earlier` is evidence of the first."""
    scope = asked.place.scope
    times = (*earlier.origin.turns, asked.seq)
    return Memory(
        id=procedure_id(journal, scope, steps_of(answer.text)),
        scope=scope,
        kind=Kind.PROCEDURAL,
        text=_told(asked, answer, len(times)),
        summary="",
        created_at=answer.at,
        happened_at=answer.at,
        vitality=Vitality(initial_strength(IMPORTANCE)),
        access=Access(answer.at, answer.at),
        source=Source.BOT,
        extractor=Extractor.RULES,
        facet=Facet.WORKFLOW,
        importance=IMPORTANCE,
        trust=RELIABILITY[Source.BOT],
        speaker=asked.speaker,
        cues=tuple(dict.fromkeys([_request(earlier.text), _request(asked.text)])),
        origin=Origin(asked.place.session, asked.place.conversation, asked.episode, times),
    )


def done_again(procedure: Memory, asked: Turn, answer: Turn) -> Memory:
    """The procedure as it was done last; nothing changes for an answer that it knows."""
    if asked.seq in procedure.origin.turns or not procedure.recallable:
        return procedure
    times = (*procedure.origin.turns, asked.seq)
    latest = asked.seq == max(times)
    cues = tuple(dict.fromkeys([*procedure.cues, _request(asked.text)]))
    return replace(
        procedure,
        text=_told(asked, answer, len(times)) if latest else procedure.text,
        happened_at=max(procedure.happened_at, answer.at),
        cues=cues[-MOST_REQUESTS:],
        origin=replace(procedure.origin, turns=times),
    )


def _told(asked: Turn, answer: Turn, times: int) -> str:
    request = _request(asked.text)
    wording = procedure_wording(language_of(request, "en"))
    calls = split_calls(answer.text)[1]
    lines = [f"{number}. {call}" for number, call in enumerate(calls, start=1)]
    return "\n".join([wording.format(asked=request, times=times), *lines])


def _request(text: str) -> str:
    line = unmarked(" ".join(text.partition("\n")[0].split()))
    return line if len(line) <= LONGEST_REQUEST else line[: LONGEST_REQUEST - 1] + "…"
