"""The local embedding model: whether it is there, and how to get it."""

from .records import answer
from .request import Request
from .status import embedder_in_force, installing


async def embedder(request: Request) -> str:
    """Its state, or its installation in the background."""
    match request.argument.split():
        case ["status"]:
            return await _state(request)
        case ["install", "local"]:
            return await _install(request)
        case _:
            return request.wrong_arguments()


async def _state(request: Request) -> str:
    local = await request.services.installation.status()
    state = request.say("embedder.local", state=request.say(f"installer.{local}"))
    return answer([await embedder_in_force(request), state, *installing(request)])


async def _install(request: Request) -> str:
    installation = request.services.installation
    if await installation.status() == "ready":
        return request.say("embedder.installed")
    if not installation.start():
        return answer(installing(request))
    return request.say("embedder.started")
