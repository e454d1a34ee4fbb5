"""The local embedding model and what runs it: whether they are there, and how to get them."""

from ...core.actions import installation
from ...core.actions.installation import EmbedderState
from .records import answer
from .request import Request, WrongArguments
from .status import embedder_line, installing


async def embedder(request: Request) -> str:
    """Its state, or its installation in the background."""
    match request.argument.split():
        case ["status"]:
            return _state(request, await installation.embedder_state(request.context))
        case ["install"]:
            return _begun(request, await installation.install_embedder(request.context))
        case ["later"]:
            await installation.decline_embedder(request.context)
            return request.say("embedder.later")
        case _:
            raise WrongArguments


def _state(request: Request, state: EmbedderState) -> str:
    local = request.say("embedder.local", state=request.say(f"installer.{state.local}"))
    there, missing = request.say("embedder.runtime"), request.say("embedder.no_runtime")
    runtime = there if state.runtime else missing
    progress = installing(request, state.installing)
    return answer([embedder_line(request, state.in_force), runtime, local, *progress])


def _begun(request: Request, begun: EmbedderState | bool) -> str:
    if isinstance(begun, EmbedderState):
        return answer(installing(request, begun.installing))
    return request.say("embedder.started") if begun else request.say("embedder.installed")
