"""The local embedding model and what runs it: whether they are there, and how to get them."""

from ...core.actions import installation, model_trial
from ...core.actions.answers import Refused
from ...core.actions.installation import EmbedderState
from ...core.actions.model_trial import FolderRefused, FolderTrial, RerankerTrial
from ...core.text.quoting import quoted
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
        case ["install", "onnxruntime"]:
            begun = await installation.install_runtime(request.context)
            return _begun(request, begun, runtime=True)
        case ["test", _, *_]:
            folder = request.argument.strip().removeprefix("test").strip()
            return _tried(request, await model_trial.try_folder(request.context, folder))
        case ["reranker", _, *_]:
            folder = request.argument.strip().removeprefix("reranker").strip()
            return _judged(request, await model_trial.try_reranker(request.context, folder))
        case _:
            return request.wrong_arguments()


def _state(request: Request, state: EmbedderState | Refused) -> str:
    if isinstance(state, Refused):
        return request.refused(state)
    local = request.say("embedder.local", state=request.say(f"installer.{state.local}"))
    there, missing = request.say("embedder.runtime"), request.say("embedder.no_runtime")
    runtime = there if state.runtime else missing
    progress = installing(request, state.installing)
    return answer([embedder_line(request, state.in_force), runtime, local, *progress])


def _begun(
    request: Request, begun: EmbedderState | bool | Refused, *, runtime: bool = False
) -> str:
    match begun:
        case Refused():
            return request.refused(begun)
        case EmbedderState(installing=job):
            return answer(installing(request, job))
        case bool():
            return _runtime(request, begun) if runtime else _model(request, begun)


def _model(request: Request, begun: bool) -> str:
    return request.say("embedder.started") if begun else request.say("embedder.installed")


def _runtime(request: Request, begun: bool) -> str:
    if begun:
        return request.say("embedder.runtime_started")
    return request.say("embedder.runtime_installed")


def _tried(request: Request, found: FolderTrial | FolderRefused | Refused) -> str:
    match found:
        case Refused():
            return request.refused(found)
        case FolderRefused(problem):
            return request.say("embedder.unfit", problem=quoted(problem, 300))
        case FolderTrial():
            return answer([_model_of(request, found), _measured(request, found)])


def _judged(request: Request, found: RerankerTrial | FolderRefused | Refused) -> str:
    match found:
        case Refused():
            return request.refused(found)
        case FolderRefused(problem):
            return request.say("embedder.unfit", problem=quoted(problem, 300))
        case RerankerTrial():
            return request.say(
                "embedder.judged",
                name=quoted(found.name, 60),
                right=found.right,
                asked=found.asked,
                candidates=found.candidates,
                milliseconds=round(found.milliseconds),
                deadline=found.deadline_ms,
                megabytes=found.megabytes,
            )


def _model_of(request: Request, found: FolderTrial) -> str:
    query, document = found.prefixes
    return request.say(
        "embedder.tried",
        name=quoted(found.name, 60),
        dimension=found.dimension,
        pooling=found.pooling,
        query=quoted(query, 60),
        document=quoted(document, 60),
    )


def _measured(request: Request, found: FolderTrial) -> str:
    apart = [language for language, told in sorted(found.apart.items()) if told and language]
    return request.say(
        "embedder.measured",
        milliseconds=round(found.query_ms, 1),
        rate=round(found.documents_per_s, 1),
        megabytes=found.megabytes,
        languages=", ".join(apart) or "-",
    )
