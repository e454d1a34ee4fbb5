"""How masked memories are told of, and how one asks to have them revealed."""

import re
from dataclasses import dataclass

from ...core.actions.answers import CodeNeeded, Refusal
from ...core.text.quoting import quoted
from .request import Request

REVEAL = "--reveal"

_REVEAL = re.compile(rf"(?:^|\s){REVEAL}(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Revealing:
    """The arguments of a command, and after `--reveal` the reason; None without that word."""

    argument: str
    reason: str | None


def revealing(request: Request) -> Revealing:
    """What is asked for, and whether with the contents of others' private memories."""
    found = _REVEAL.search(request.argument)
    if found is None:
        return Revealing(request.argument, None)
    argument = " ".join(request.argument[: found.start()].split())
    return Revealing(argument, request.argument[found.end() :])


def how(request: Request, refusal: Refusal, asked: Revealing) -> str:
    """What to send to see the contents, or that they are not to be seen."""
    line = " ".join(filter(None, (request.command, quoted(asked.argument, 100), REVEAL)))
    return request.say(f"refused.{refusal}", line=line)


def confirm(request: Request, needed: CodeNeeded, asked: Revealing) -> str:
    """With which code to send it again."""
    line = " ".join(f"{request.command} {asked.argument}".split())
    line = f"{line} {REVEAL} {needed.reason}"
    return request.say("reveal.confirm", line=line, code=needed.code)
