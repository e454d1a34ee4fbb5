"""What the model calls are told: listed, read in full, changed, and given back to ours."""

from ...core.actions import prompts as own
from ...core.actions.prompts import OwnPrompt, Prompts
from .history import actor
from .records import answer
from .request import Request, WrongArguments


async def prompts(request: Request) -> str:
    """The instructions of every call, those of one in full, or a change, in force at once."""
    match request.argument.split(maxsplit=2):
        case []:
            head, done = request.say("prompts.header"), await own.prompts(request.context)
        case ["show", name]:
            return await _whole(request, name.lower())
        case ["set", name, text]:
            head = request.say("prompts.in_force")
            done = await own.change_prompt(request.context, name.lower(), text)
        case ["reset", name]:
            head = request.say("prompts.in_force")
            done = await own.reset_prompt(request.context, name.lower())
        case _:
            raise WrongArguments
    match done:
        case Prompts(fault=None, prompts=[]):
            return request.say("prompts.not_changed")
        case Prompts(fault=None, prompts=found):
            return answer([head, *(_line(request, each) for each in found)])
        case Prompts(fault=fault, lacking=lacking):
            why = request.say(f"prompt_fault.{fault}", words=", ".join(lacking))
            return request.say("prompts.refused", why=why)


async def _whole(request: Request, name: str) -> str:
    """Uncut: it is to be copied, changed and given back."""
    known = await own.prompts(request.context)
    for one in known.prompts:
        if one.name == name:
            words = request.say("prompts.needed", words=", ".join(one.needed))
            who, at = actor(request, one.by, 80), request.time(one.at)
            changed = [request.say("prompts.changed_by", who=who, time=at)] if one.changed else []
            return "\n".join([_line(request, one), *changed, words, "", one.text])
    return request.say("prompts.refused", why=request.say("prompt_fault.unknown"))


def _line(request: Request, one: OwnPrompt) -> str:
    purpose = request.say(f"prompt.{one.call}")
    state = request.say("prompts.changed") if one.changed else request.say("prompts.ours")
    state = request.say("prompts.unused") if one.fault else state
    values = {"name": one.name, "purpose": purpose, "state": state, "tokens": one.tokens}
    return request.say("prompts.line", **values)
