"""Every command once: help, documentation, tests and the host's handlers read it here."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ..core.engine import MemoryEngine
from ..core.text.quoting import quoted
from . import admin, embedder, explain, health, own, show, status
from .caller import Caller
from .phrases import Phrases
from .records import answer
from .request import Request
from .surroundings import Surroundings

LONGEST_ARGUMENT = 4_000


@dataclass(frozen=True, slots=True)
class Command:
    """`usage` is what follows `/memory`; its summary is the message `summary.<name>`."""

    name: str
    usage: str
    admin: bool
    run: Callable[[Request], Awaitable[str]]


async def help_(request: Request) -> str:
    """The commands the caller may use, or one of them in full."""
    asked = request.argument.lower()
    if not asked:
        return answer([request.say("help.header"), *_summaries(request)])
    for command in COMMANDS:
        if command.name == asked:
            return answer(
                [
                    request.say("command.usage", usage=command.usage),
                    request.say(f"summary.{command.name}"),
                    request.say(f"detail.{command.name}"),
                ]
            )
    return request.say("command.unknown", name=quoted(asked, 40))


COMMANDS: tuple[Command, ...] = (
    Command("mine", "mine [page]", False, own.mine),
    Command("search", "search TEXT", False, own.search),
    Command("show", "show ID", False, show.show),
    Command("why", "why", False, explain.why),
    Command("forget", "forget ID", False, own.forget),
    Command("help", "help [command]", False, help_),
    Command("status", "status", True, status.status),
    Command("health", "health", True, health.health),
    Command("bin", "bin [page]", True, admin.bin_),
    Command("restore", "restore ID", True, admin.restore),
    Command("decay", "decay --preview DAYS", True, admin.decay),
    Command("sleep", "sleep", True, admin.sleep),
    Command(
        "alias",
        "alias list | add PLATFORM USER PERSON | remove PLATFORM USER",
        True,
        admin.alias,
    ),
    Command("embedder", "embedder status | install local", True, embedder.embedder),
)


async def dispatch(
    name: str,
    argument: str,
    caller: Caller,
    engine: MemoryEngine,
    phrases: Phrases,
    surroundings: Surroundings,
) -> str:
    """The answer to `/memory <name> <argument>`. What breaks inside a command propagates."""
    wanted = name.strip().lower() or "help"
    for command in COMMANDS:
        if command.name != wanted:
            continue
        if command.admin and not caller.admin:
            return phrases.say(caller.language, "command.admins_only", name=command.name)
        text = _storable(argument[:LONGEST_ARGUMENT]).strip()
        return await command.run(
            Request(caller, text, command.usage, engine, phrases, surroundings)
        )
    return phrases.say(caller.language, "command.unknown", name=quoted(name, 40))


def _storable(text: str) -> str:
    # A lone surrogate cannot be encoded, and no database would take it.
    return text.encode("utf-8", "replace").decode("utf-8")


def _summaries(request: Request) -> list[str]:
    return [
        request.say(
            "help.line", usage=command.usage, summary=request.say(f"summary.{command.name}")
        )
        for command in COMMANDS
        if request.caller.admin or not command.admin
    ]
