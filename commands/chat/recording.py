"""What is recorded here: everything, what is said to the bot, or nothing."""

from ...core.actions import consents as recorded
from ...core.actions.consents import GroupRecording, Recorded
from .records import answer
from .request import Request, WrongArguments

_USUAL = frozenset(("default", "默认"))
_CHOICES = {
    "all": GroupRecording.ALL,
    "全部": GroupRecording.ALL,
    "addressed": GroupRecording.ADDRESSED,
    "只记对机器人说的": GroupRecording.ADDRESSED,
    "对我说的": GroupRecording.ADDRESSED,
    "none": GroupRecording.NONE,
    "不记": GroupRecording.NONE,
}


async def recording(request: Request) -> str:
    """What is recorded here, or an admin's choice for the group."""
    word = request.argument.lower()
    if not word:
        return _told(request, await recorded.recording(request.context))
    if word not in _USUAL and word not in _CHOICES:
        raise WrongArguments
    return _told(request, await recorded.set_recording(request.context, _CHOICES.get(word)))


def _told(request: Request, found: Recorded) -> str:
    where = "private" if found.group is None else f"group_{found.group}"
    lines = [request.say(f"recording.{where}")]
    if found.group is not None and not found.own:
        lines.append(request.say("recording.as_set"))
    if found.refused is recorded.Unrecorded.RULES:
        lines = [request.say("recording.rules")]
    return answer(lines)
