"""The local embedding model: whether it is there, and how to get it."""

from ...core.actions import installation
from ...core.actions.answers import Refused
from ...core.actions.installation import EmbedderState
from .records import answer
from .request import Request
from .status import embedder_line, installing


async def embedder(request: Request) -> str:
    """Its state, or its installation in the background."""
    match request.argument.split():
        case ["status"]:
            return _state(request, await installation.embedder_state(request.context))
        case ["install", "local"]:
            return _begun(request, await installation.install_embedder(request.context))
        case _:
            return request.wrong_arguments()


def _state(request: Request, state: EmbedderState | Refused) -> str:
    if isinstance(state, Refused):
        return request.refused(state)
    local = request.say("embedder.local", state=request.say(f"installer.{state.local}"))
    return answer(
        [embedder_line(request, state.in_force), local, *installing(request, state.installing)]
    )


def _begun(request: Request, begun: EmbedderState | bool | Refused) -> str:
    match begun:
        case Refused():
            return request.refused(begun)
        case EmbedderState(installing=job):
            return answer(installing(request, job))
        case bool():
            return request.say("embedder.started") if begun else request.say("embedder.installed")
