"""The bot's tool calls, without credentials, and the procedures that repeat among them. Pure."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import cast
from uuid import UUID, uuid5

from ..forgetting.tmd import initial_strength
from ..languages.registry import block_wording
from ..languages.scripts import language_of
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

HIDDEN = "***"
"""Stands where a credential was."""

_NAMES = (
    r"(?:pass(?![a-z])|password|passwd|passphrase|passcode|pwd|secret|token|api[-_ ]?key"
    r"|access[-_ ]?key|private[-_ ]?key|auth(?:orization)?(?![a-z])|credential|cookie"
    r"|session[-_ ]?id|signature|密码|口令|密钥|私钥|令牌|凭证|验证码)"
)
_NAME = re.compile(_NAMES, re.I)
_SHORT_NAME = re.compile(r"(?:.*[-_])?(?:key|pw|sid|pin|jwt|sig|otp)", re.I)

_QUOTED = r"\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?"
_BARE = r"[^\s,;，；。&\"')\]}]+"
_URL_USER = re.compile(r"(?P<before>\b[a-z][a-z0-9+.-]{0,20}://)[^/\s@'\"]{1,500}@", re.I)
_SCHEME = re.compile(r"\b(?P<before>bearer|basic)\s+[\w.~+/=-]{6,}", re.I)
_ASSIGNED = re.compile(
    rf"(?P<before>{_NAMES}[\w-]{{0,40}}?[\"']?\s*(?:=>|:=|[=:：]|是|为|\bis\b)\s*)"
    rf"(?:{_QUOTED}|{_BARE})",
    re.I,
)
_FLAG = re.compile(rf"(?P<before>--?{_NAMES}[\w-]{{0,40}}\s+)(?:{_QUOTED}|[^\s-]\S*)", re.I)
_PARAMETER = re.compile(r"(?P<before>[?&_-](?:key|sig|sid|code|pw)[=:]\s*)[^\s&#\"',]+", re.I)
_SHAPES = re.compile(
    r"-----BEGIN [A-Z ]+-----.*?(?:-----END [A-Z ]+-----|\Z)"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?"
    r"|\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|hf|npm|pypi|xox[abprs])[-_][A-Za-z0-9_-]{10,}"
    r"|\bA(?:KIA|SIA)[0-9A-Z]{12,}|\bAIza[A-Za-z0-9_-]{20,}"
    r"|(?<![A-Za-z0-9_])(?=[A-Z_a-z]*\d)(?=[0-9_]*[A-Za-z])[A-Za-z0-9_]{32,}={0,2}",
    re.S,
)


def is_credential(name: str) -> bool:
    """Whether a value of this name is one."""
    return bool(_NAME.search(name) or _SHORT_NAME.fullmatch(name))


def without_credentials(text: str) -> str:
    """The text with `HIDDEN` in the place of every value that looks like a credential."""
    text = _SHAPES.sub(HIDDEN, text)
    text = _URL_USER.sub(rf"\g<before>{HIDDEN}@", text)
    text = _SCHEME.sub(rf"\g<before> {HIDDEN}", text)
    for pattern in (_ASSIGNED, _FLAG, _PARAMETER):
        text = pattern.sub(rf"\g<before>{HIDDEN}", text)
    return text


def cleared(value: object, name: str = "", depth: int = 4) -> object:
    """JSON with `HIDDEN` in the place of every credential; what is nested deeper is cut off."""
    if name and is_credential(name):
        return HIDDEN
    if isinstance(value, str):
        return without_credentials(value)
    if not isinstance(value, Mapping | list | tuple):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {str(key): cleared(each, str(key), depth - 1) for key, each in pairs}
    return [cleared(each, name, depth - 1) for each in cast("Sequence[object]", value)]


CALL_MARK = "⊳"
"""Begins the line of a tool call behind an answer; what people and models write has none."""

MOST_CALLS = 5
LONGEST_NAME = 60
LONGEST_PART = 120
"""Characters of all arguments, and of the result."""

_READ = 4_000
"""Characters of a value that are looked at."""

_LONGEST_DOCUMENT = 20_000
"""Characters of a result that is read as JSON: all of it is looked through."""


def call_line(name: str, arguments: Mapping[str, object], result: str, *, failed: bool) -> str:
    """`name(argument=value, …) → result` on one line, or with `×` if it failed."""
    given = ", ".join(f"{key}={_value(key, each)}" for key, each in arguments.items())
    told = _part(without_credentials(_told(result)))
    return f"{_part(name)[:LONGEST_NAME]}({_part(given)}) {'×' if failed else '→'} {told}".rstrip()


def with_calls(answer: str, calls: Sequence[str]) -> str:
    """An answer with the last `MOST_CALLS` of the tool calls that led to it."""
    lines = [f"{CALL_MARK} {call}" for call in calls[-MOST_CALLS:]]
    return "\n".join([answer.replace(CALL_MARK, ">"), *lines])


def split_calls(text: str) -> tuple[str, list[str]]:
    """The answer itself, and the lines of its tool calls."""
    answer, *calls = text.split(f"\n{CALL_MARK} ")
    return answer, calls


def _value(key: str, value: object) -> str:
    short = value[:_READ] if isinstance(value, str) else value
    clear = cleared(short, key)
    return clear if isinstance(clear, str) else json.dumps(clear, ensure_ascii=False, default=str)


def _told(result: str) -> str:
    """A JSON result is read as such, so that names decide in it too."""
    try:
        document = json.loads(result) if len(result) <= _LONGEST_DOCUMENT else None
    except (ValueError, RecursionError):
        return result[:_READ]
    if not isinstance(document, dict | list):
        return result[:_READ]
    return json.dumps(cleared(document), ensure_ascii=False)[:_READ]


def _part(text: str) -> str:
    line = unmarked(" ".join(text.split())).replace(CALL_MARK, ">")
    return line if len(line) <= LONGEST_PART else line[: LONGEST_PART - 1] + "…"


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
        text=_steps_told(asked, answer, len(times)),
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
        text=_steps_told(asked, answer, len(times)) if latest else procedure.text,
        happened_at=max(procedure.happened_at, answer.at),
        cues=cues[-MOST_REQUESTS:],
        origin=replace(procedure.origin, turns=times),
    )


def _steps_told(asked: Turn, answer: Turn, times: int) -> str:
    request = _request(asked.text)
    wording = block_wording(language_of(request, "en")).procedure
    calls = split_calls(answer.text)[1]
    lines = [f"{number}. {call}" for number, call in enumerate(calls, start=1)]
    return "\n".join([wording.format(asked=request, times=times), *lines])


def _request(text: str) -> str:
    line = unmarked(" ".join(text.partition("\n")[0].split()))
    return line if len(line) <= LONGEST_REQUEST else line[: LONGEST_REQUEST - 1] + "…"
