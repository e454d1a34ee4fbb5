"""Which backend holds the memories, and moving them to another."""

from ...core.model.errors import INSTALL, installed
from ...core.text.quoting import quoted
from ...core.transfer.copying import EVERYTHING
from ...core.transfer.custody import Safekeeping
from ...core.transfer.migration import MigrationStage, Move, NotMoved
from .failure_messages import failure
from .records import answer
from .request import Request

TARGETS = ("sqlite", "chroma")
PACKAGES = {"chroma": "chromadb"}
"""What a backend needs and may be missing."""


async def storage(request: Request) -> str:
    """The backend in force; moving to another; settling that it is moved, or giving it up."""
    keeping = request.services.keeping
    if keeping is None:
        return request.say("keeping.none")
    match request.argument.lower().split():
        case [] | ["status"]:
            return await _status(request, keeping)
        case ["migrate", target, *code] if target in TARGETS and len(code) <= 1:
            return await _migrate(request, keeping, target, "".join(code))
        case ["confirm"]:
            return _settled(request, "confirmed", await keeping.migration.confirm())
        case ["cancel"]:
            return _settled(request, "cancelled", await keeping.migration.cancel())
        case _:
            return request.wrong_arguments()


def disagreement(request: Request) -> list[str]:
    """What health says while the settings name another backend than the one in force."""
    keeping = request.services.keeping
    if keeping is None or keeping.backends.agree:
        return []
    backends = keeping.backends
    return [request.say("storage.other", force=backends.in_force, chosen=backends.chosen)]


async def _status(request: Request, keeping: Safekeeping) -> str:
    count = await keeping.store.count(EVERYTHING)
    lines = [request.say("storage.status", backend=keeping.backends.in_force, count=count)]
    lines += disagreement(request)
    move = keeping.migration.move
    if move is not None:
        lines.append(_moved(request, move))
    return answer(lines)


def _moved(request: Request, move: Move) -> str:
    match move.stage:
        case MigrationStage.COPYING:
            return request.say(
                "storage.copying", target=move.target, copied=move.copied, total=move.total
            )
        case MigrationStage.FAILED:
            problem = failure(request, move.problem)
            return request.say("storage.failed", target=move.target, problem=problem)
        case MigrationStage.SWITCHED:
            return request.say("storage.switched", source=move.source, target=move.target)


async def _migrate(request: Request, keeping: Safekeeping, target: str, code: str) -> str:
    confirmations, now = request.services.confirmations, request.engine.parts.clock.now()
    what = f"{request.command} {target}"
    refused = keeping.migration.refusal(target)
    if refused is not None:
        return request.say(f"storage.{refused}")
    package = PACKAGES.get(target)
    if package is not None and not installed(package):
        return request.say("failure.missing", package=package, command=INSTALL[package])
    if not code:
        count = await keeping.store.count(EVERYTHING)
        code = confirmations.ask(request.caller, what, now=now)
        return request.say("storage.ask", count=count, target=target, code=code)
    if not confirmations.redeem(request.caller, what, code, now=now):
        return request.say("storage.wrong_code", target=quoted(target, 20))
    refused = await keeping.migration.begin(target)
    return request.say(f"storage.{refused or 'begun'}")


def _settled(request: Request, how: str, outcome: Move | NotMoved) -> str:
    if isinstance(outcome, NotMoved):
        return request.say(f"storage.{outcome}")
    return request.say(f"storage.{how}", source=outcome.source, target=outcome.target)
