"""Which backend holds the memories, and moving them to another."""

from ...core.actions import backends
from ...core.actions.backends import Disagreement, MigrationStage, Move, StorageState
from .failures import failure
from .records import answer
from .request import Request, WrongArguments


async def storage(request: Request) -> str:
    """The backend in force; moving to another; settling that it is moved, or giving it up."""
    context = request.context
    match request.argument.lower().split():
        case [] | ["status"]:
            return _status(request, await backends.storage_state(context))
        case ["migrate", target, *code] if target in backends.TARGETS and len(code) <= 1:
            asked = await backends.move_memories(context, target, "".join(code))
            if not asked.code:
                return request.say("storage.begun")
            return request.say("storage.ask", count=asked.count, target=target, code=asked.code)
        case ["confirm"]:
            move = await backends.confirm_move(context)
            return request.say("storage.confirmed", source=move.source, target=move.target)
        case ["cancel"]:
            move = await backends.cancel_move(context)
            return request.say("storage.cancelled", source=move.source, target=move.target)
        case _:
            raise WrongArguments


def other_backend(request: Request, found: Disagreement | None) -> list[str]:
    """What is said while the settings name another backend than the one in force."""
    if found is None:
        return []
    return [request.say("storage.other", force=found.in_force, chosen=found.chosen)]


def _status(request: Request, state: StorageState) -> str:
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
