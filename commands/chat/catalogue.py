"""Every command once: help, documentation, tests and the host's handlers read it here."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from functools import partial

from ...core.actions.answers import CodeNeeded, Refused
from ...core.actions.context import Context, MemoryEngine, Services
from ...core.actions.installation import next_steps
from ...core.text.quoting import quoted, sound
from . import (
    backups,
    config,
    consent,
    explain,
    forgetting,
    imports,
    installation,
    listing,
    marking,
    own_memories,
    show,
    sleeping,
)
from .listing import answer
from .phrases import Phrases
from .request import REVEAL, ChatCaller, Request, WrongArguments

LONGEST_ARGUMENT = 4_000

UNSEEN = " \t\r\n\0\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""What comes along at the ends of what people copy, and does not show."""
FOR_ADMINS = "admin"
_REVEAL = re.compile(rf"(?:^|\s){REVEAL}(?:\s|$)")
NEXT = ("next", "下一步")
"""`/memory` alone: what a person needs next."""


@dataclass(frozen=True, slots=True)
class Command:
    """A sub-command of `/memory`.

    What people read of it are the messages `usage.<name>`, `summary.<name>`, `detail.<name>`.
    """

    name: str
    admin: bool
    run: Callable[[Request], Awaitable[str]]
    reveals: bool = False
    """Whether it can show others' private memories, for a reason behind `--reveal`."""
    within: str = ""
    """As an argument of which command it is listed, and by which word; its name will do as well."""

    async def answer(self, request: Request) -> str:
        """The answer, or why there is none. What breaks inside propagates."""
        try:
            return await self.run(request)
        except CodeNeeded as needed:
            if (reason := needed.told.get("reason")) is None:
                return request.confirm(needed)
            line = " ".join(f"{self.name} {request.argument} {REVEAL} {reason}".split())
            return request.say("reveal.confirm", line=line, code=needed.code)
        except WrongArguments:
            return request.usage()
        except Refused as refused:
            return request.refused(refused)


async def help_(request: Request) -> str:
    """The commands for everybody, those for admins, or one command in full."""
    asked = request.argument.lower()
    if asked in NEXT:
        return await _next(request)
    if not asked:
        return answer([request.say("help.header"), *_summaries(request, admin=False)])
    if asked == FOR_ADMINS and request.caller.admin:
        return answer([request.say("help.admins"), *_summaries(request, admin=True)])
    command = next((each for each in COMMANDS if asked in (each.name, each.within)), None)
    if command is None:
        return request.say("command.unknown", name=quoted(asked, 40))
    inside = [each for each in COMMANDS if each.within.startswith(f"{command.name} ")]
    usage, *usages = [request.say(f"usage.{each.name}") for each in (command, *inside)]
    return answer(
        [
            request.say("command.usage", usage=usage),
            request.say(f"summary.{command.name}"),
            request.say(f"detail.{command.name}"),
            *(request.say("command.usage", usage=each) for each in usages),
        ]
    )


async def _next(request: Request) -> str:
    """The three commands that fit now, and where all are."""
    found = await next_steps(request.context)
    lines = [
        request.say(f"next.{step}", memories=found.memories, neighbour=found.neighbour)
        for step in found.steps
    ]
    head = request.say("help.next", memories=found.memories)
    if (cost := found.cost) is not None:
        numbers = {name: f"{number:,}" for name, number in asdict(cost).items()}
        lines.append(request.say("help.first", on=request.say(f"on.{found.on}"), **numbers))
    return answer([head, *lines, request.say("help.all")])


COMMANDS: tuple[Command, ...] = (
    Command("mine", False, own_memories.mine),
    Command("quarantine", False, marking.quarantine, within="mine quarantine"),
    Command("search", False, own_memories.search_),
    Command("show", False, show.show, reveals=True),
    Command("audit", False, show.audit, within="show history"),
    Command("why", False, explain.why),
    Command("remember", False, marking.remember),
    Command("correct", False, marking.correct),
    Command("restore", False, marking.restore),
    Command("important", False, marking.important),
    Command("tag", False, marking.tag),
    Command("me", False, own_memories.me),
    Command("link", False, own_memories.link, within="me link"),
    Command("plans", False, marking.plans),
    Command("done", False, marking.done, within="plans close"),
    Command("remind", False, consent.remind, within="plans remind"),
    Command("conflicts", False, show.conflicts),
    Command("forget", False, marking.forget),
    Command("forget-me", False, consent.forget_me),
    Command("pause", False, consent.pause),
    Command("resume", False, partial(consent.pause, paused=False), within="pause off"),
    Command("recording", False, consent.recording),
    Command("share", False, consent.share),
    Command("retention", False, consent.retention),
    Command("learn", False, imports.learn),
    Command("reports", False, sleeping.reports),
    Command("undo", False, sleeping.undo, within="reports undo"),
    Command("export", False, imports.export, reveals=True),
    Command("help", False, help_),
    Command("status", True, installation.status),
    Command("embedder", True, installation.embedder, within="status embedder"),
    Command("tiers", True, forgetting.tiers, within="status tiers"),
    Command("jobs", True, imports.jobs, within="status jobs"),
    Command("health", True, installation.health),
    Command("list", True, listing.list_, reveals=True),
    Command("scopes", True, listing.scopes, within="list scopes"),
    Command("pin", True, marking.pin),
    Command("unpin", True, partial(marking.pin, on=False), within="pin off"),
    Command("bin", True, marking.list_),
    Command("purge", True, marking.purge, within="bin purge"),
    Command("decay", True, forgetting.decay),
    Command("simulate", True, forgetting.simulate, within="decay simulate"),
    Command("sleep", True, sleeping.sleep),
    Command("feedback", True, marking.feedback),
    Command("alias", True, own_memories.alias),
    Command("config", True, config.config),
    Command("prompts", True, config.prompts, within="config prompts"),
    Command("import", True, imports.import_),
    Command("imports", True, imports.imports_, within="import past"),
    Command("backup", True, backups.backup),
    Command("restore-backup", True, backups.restore_backup, within="backup restore"),
    Command("storage", True, backups.storage),
    Command("recover", True, backups.recover),
)


async def dispatch(
    name: str,
    argument: str,
    caller: ChatCaller,
    engine: MemoryEngine,
    phrases: Phrases,
    services: Services,
) -> str:
    """The answer to `/memory <name> <argument>`. What breaks inside a command propagates."""
    wanted = name.strip().lower()
    if not wanted:
        wanted, argument = "help", NEXT[0]
    text, reason = sound(argument[:LONGEST_ARGUMENT]).strip(UNSEEN), None
    word, _, rest = text.partition(" ")
    named = {command.name: command for command in COMMANDS}.get(wanted)
    inside = f"{wanted} {word.lower()}"
    command = next((each for each in COMMANDS if each.within == inside), named)
    if command is None:
        return phrases.say(caller.language, "command.unknown", name=quoted(name, 40))
    if command.admin and not caller.admin:
        return phrases.say(caller.language, "command.admins_only", name=command.name)
    text = text if command is named else rest.strip(UNSEEN)
    if command.reveals and (found := _REVEAL.search(text)):
        text, reason = " ".join(text[: found.start()].split()), text[found.end() :]
    context = Context(caller, engine, services, reason)
    return await command.answer(Request(command.name, caller, text, context, phrases))


def _summaries(request: Request, *, admin: bool) -> list[str]:
    lines = [
        request.say("help.line", name=command.name, summary=request.say(f"summary.{command.name}"))
        for command in COMMANDS
        if command.admin is admin and not command.within
    ]
    return [*lines, request.say("help.more")] if request.caller.admin and not admin else lines
