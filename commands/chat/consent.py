"""What people decide about recording and their memories: pause, share, keep, be forgotten."""

import re
from collections.abc import Sequence

from ...core.actions import consents
from ...core.actions.answers import CodeNeeded
from ...core.actions.consents import LEAST_DAYS, MOST_DAYS, Choice, Erased, Recorded, Retained
from ...core.model.consent import GroupRecording, Pause, Unrecorded
from ...core.model.conversation import ScopeKind
from ...core.text.quoting import quoted
from .listing import answer
from .marking import SWITCHES
from .request import Request, WrongArguments, failure

_GROUP = frozenset(("group", "群", "群聊", "本群"))
_RECALL = frozenset(("recall", "想起"))
_DAYS = re.compile(r"[0-9]{1,5}(\.[0-9]{1,2})?")

_CHOICES = {
    "all": GroupRecording.ALL,
    "全部": GroupRecording.ALL,
    "addressed": GroupRecording.ADDRESSED,
    "只记对机器人说的": GroupRecording.ADDRESSED,
    "对我说的": GroupRecording.ADDRESSED,
    "none": GroupRecording.NONE,
    "不记": GroupRecording.NONE,
}


async def share(request: Request) -> str:
    """Whether the caller's private memories may be used in groups, in answers to the caller."""
    return request.say(f"share.{await _switched(request, Choice.SHARED)}")


async def remind(request: Request) -> str:
    """Whether the caller gets a message on the day of what they mean to do."""
    return request.say(f"remind.{await _switched(request, Choice.REMINDED)}")


async def retention(request: Request) -> str:
    """For how many days memories are kept: the caller's private ones, in a group the group's."""
    word = request.argument.lower()
    if not word:
        return _terms(request, await consents.retention(request.context))
    off = SWITCHES.get(word) is False
    if not off and not (_DAYS.fullmatch(word) and LEAST_DAYS <= float(word) <= MOST_DAYS):
        raise WrongArguments
    return _terms(
        request, await consents.set_retention(request.context, None if off else float(word))
    )


async def forget_me(request: Request) -> str:
    """Delete everything of the caller for good, after a code was repeated."""
    try:
        return answer(_erased(request, await consents.forget_me(request.context, request.argument)))
    except CodeNeeded as needed:
        told = needed.told | {"accounts": _accounts(request, needed.told["accounts"])}
        return request.say("confirm.forget-me", code=needed.code, **told)


async def pause(request: Request, *, paused: bool = True) -> str:
    """Record nothing, or recall nothing, of the caller any more, or of anybody in this group; or
    do so again.
    """
    words = frozenset(request.argument.lower().split())
    if not words <= _GROUP | _RECALL:
        raise WrongArguments
    group, recall = bool(words & _GROUP), bool(words & _RECALL)
    found = await consents.set_pause(request.context, paused=paused, group=group, recall=recall)
    whose, outcome = Pause.GROUP if group else Pause.PERSON, "already" if found.already else "done"
    came = f"{request.command}_{outcome}_{whose}"
    said = request.say(f"pausing.{came}")
    if recall:
        said = request.say(f"recall_pausing.{came}")
    if paused or found.left is None:
        return said
    return answer([said, request.say(f"still_paused.{found.left}")])


async def _switched(request: Request, choice: Choice) -> str:
    """How a choice is, without a word; with one it is made, if it was not made before."""
    word = request.argument.lower()
    if word and word not in SWITCHES:
        raise WrongArguments
    if not word:
        return "is_on" if await consents.chosen(request.context, choice) else "is_off"
    state = "on" if SWITCHES[word] else "off"
    new = await consents.choose(request.context, choice, on=SWITCHES[word])
    return state if new else f"already_{state}"


def _terms(request: Request, found: Retained) -> str:
    """What holds with memories kept for so many days."""
    if found.days is None:
        return request.say("retention.none")
    return request.say(f"retention.{found.scope.kind}", days=f"{found.days:g}", due=found.due)


def _erased(request: Request, done: Erased) -> list[str]:
    """What is gone, and which files and other plugins still hold something of the person."""
    told = request.say("forget-me.done", memories=done.memories, turns=done.turns)
    if done.delayed:
        told = request.say("forget-me.delayed", failure=failure(request, done.delayed))
    files, beside = quoted(", ".join(done.exports), 300), quoted(", ".join(done.beside), 300)
    from_now_on = "recorded" if done.recorded else "paused"
    return [
        told,
        *([request.say("forget-me.traces")] if done.traces else []),
        request.say("forget-me.not_ours"),
        *([request.say("forget-me.exports", files=files)] if files else []),
        *([request.say("forget-me.beside", files=beside)] if beside else []),
        request.say(f"from_now_on.{from_now_on}"),
    ]


def _accounts(request: Request, named: Sequence[str]) -> str:
    """The accounts by name; in a group only how many, others read that."""
    if request.caller.scope.kind is ScopeKind.GROUP:
        return request.say("forget-me.accounts", count=len(named))
    return f"“{quoted(', '.join(named), 200)}”"


async def recording(request: Request) -> str:
    """What is recorded here, or an admin's choice for the group."""
    word = request.argument.lower()
    if not word:
        return _told(request, await consents.recording(request.context))
    if word not in ("default", "默认") and word not in _CHOICES:
        raise WrongArguments
    return _told(request, await consents.set_recording(request.context, _CHOICES.get(word)))


def _told(request: Request, found: Recorded) -> str:
    where = "private" if found.group is None else f"group_{found.group}"
    lines = [request.say(f"recording.{where}")]
    if found.group is not None and not found.own:
        lines.append(request.say("recording.as_set"))
    if found.refused is Unrecorded.RULES:
        lines = [request.say("recording.rules")]
    return answer(lines)
