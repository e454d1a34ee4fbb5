"""The rehearsal model's part in learning: prompts' lines back to values, rules for a reply."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ..core.capture.statements import extract
from ..core.feedback.credit import useful_numbers
from ..core.model.conversation import Place, Role, Speaker, Turn
from ..core.model.lesson import Candidate

_NOTE = re.compile(r"^([A-Z]+)\. \([^)]*\) (.*)$", re.M)
_TURN = re.compile(r"^\[([^\]]*)\] ([^:]*): (.*)$")
_BOT = re.compile(r"^[(（](?:bot: |机器人：)(.*)[)）]$")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_NOON = 12
_HERE = Place("rehearsal", "", "")
_BOT_SPEAKER = Speaker("bot", "")


def learn(prompt: str, *, now: float) -> str:
    """The reply to a learning prompt's user text: JSON of the shape the prompt asks for.

    `now` dates lines whose time cannot be read.
    """
    turns = turns_in(prompt, now=now)
    facts = [_fact(candidate, turns) for candidate in extract(turns).candidates]
    return json.dumps({"facts": facts}, ensure_ascii=False)


def judge(prompt: str, *, now: float) -> str:
    """The reply to a verdict prompt's user text: which notes the answers drew on, by words."""
    turns, notes = turns_in(prompt, now=now), notes_in(prompt)
    said = [turn.text for turn in turns if turn.role is Role.ASSISTANT]
    asked = [turn.text for turn in turns if turn.role is not Role.ASSISTANT]
    letters = dict(enumerate(notes, start=1))
    used = useful_numbers(said, asked, {number: notes[each] for number, each in letters.items()})
    return json.dumps({"used": [letters[number] for number in sorted(used)]})


def notes_in(prompt: str) -> Mapping[str, str]:
    """The notes that a verdict prompt shows, by letter."""
    return dict(_NOTE.findall(prompt))


def turns_in(prompt: str, *, now: float) -> Sequence[Turn]:
    """The turns that a prompt shows, in order."""
    found: list[Turn] = []
    for line in prompt.splitlines():
        if told := _TURN.match(line):
            name = "" if told[2] == "-" else told[2]
            found.append(_turn(len(found), Role.USER, Speaker(name, name), told[3], told[1], now))
        elif bots := _BOT.match(line):
            found.append(_turn(len(found), Role.ASSISTANT, _BOT_SPEAKER, bots[1], "", now))
    return found


def _turn(place: int, role: Role, speaker: Speaker, text: str, shown: str, now: float) -> Turn:
    return Turn(place + 1, "", _HERE, role, speaker, text, _moment(shown, now))


def _moment(shown: str, default: float) -> float:
    found = _DATE.search(shown)
    if found is None:
        return default
    year, month, day = (int(part) for part in found.groups())
    return datetime(year, month, day, _NOON, tzinfo=UTC).timestamp()


def _fact(candidate: Candidate, turns: Sequence[Turn]) -> dict[str, Any]:
    """What the rules read, in the shape of the reply: the whole line is what holds it."""
    claim = candidate.claim
    kind = candidate.intention.value if candidate.intention else candidate.kind.value
    return {
        "words": turns[candidate.turns[0] - 1].text,
        "who": list(candidate.about),
        "fact": candidate.text,
        "kind": kind,
        "facet": candidate.facet and candidate.facet.value,
        "importance": candidate.importance,
        "slot": claim and claim.attribute,
        "value": claim and claim.value,
        "over": bool(claim and claim.denied),
    }
