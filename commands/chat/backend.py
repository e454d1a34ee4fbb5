"""Which backend holds the memories, and moving them to another."""

from ...core.actions import backends
from ...core.actions.answers import PackageMissing, Refusal, Refused
from ...core.actions.backends import (
    Disagreement,
    MigrationStage,
    Move,
    MoveBegun,
    MoveToConfirm,
    NotMoved,
    StorageState,
)
from ...core.model.errors import INSTALL
from ...core.text.quoting import quoted
from .failure_messages import failure
from .records import answer
from .request import Request


async def storage(request: Request) -> str:
    """The backend in force; moving to another; settling that it is moved, or giving it up."""
    context = request.context
    match request.argument.lower().split():
        case [] | ["status"]:
            return _status(request, await backends.storage_state(context))
        case ["migrate", target, *code] if target in backends.TARGETS and len(code) <= 1:
            begun = await backends.move_memories(context, target, "".join(code))
            return _migrated(request, begun, target)
        case ["confirm"]:
            return _settled(request, "confirmed", await backends.confirm_move(context))
        case ["cancel"]:
            return _settled(request, "cancelled", await backends.cancel_move(context))
        case _:
            return request.wrong_arguments()


def other_backend(request: Request, found: Disagreement | None) -> list[str]:
    """What is said while the settings name another backend than the one in force."""
    if found is None:
        return []
    return [request.say("storage.other", force=found.in_force, chosen=found.chosen)]


def _status(request: Request, state: StorageState | Refused) -> str:
    if isinstance(state, Refused):
        return request.refused(state)
    lines = [request.say("storage.status", backend=state.backend, count=state.count)]
    lines += other_backend(request, state.disagreement)
    if state.move is not None:
        lines.append(_moved(request, state.move))
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


def _migrated(
    request: Request,
    begun: MoveBegun | MoveToConfirm | PackageMissing | NotMoved | Refused,
    target: str,
) -> str:
    match begun:
        case Refused(Refusal.WRONG_CODE):
            return request.say("storage.wrong_code", target=quoted(target, 20))
        case Refused():
            return request.refused(begun)
        case PackageMissing(package):
            return request.say("failure.missing", package=package, command=INSTALL[package])
        case MoveToConfirm(count, code):
            return request.say("storage.ask", count=count, target=target, code=code)
        case MoveBegun():
            return request.say("storage.begun")
        case NotMoved():
            return request.say(f"storage.{begun}")


def _settled(request: Request, how: str, outcome: Move | NotMoved | Refused) -> str:
    match outcome:
        case Refused():
            return request.refused(outcome)
        case NotMoved():
            return request.say(f"storage.{outcome}")
        case Move():
            return request.say(f"storage.{how}", source=outcome.source, target=outcome.target)
