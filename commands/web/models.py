"""Model folders of the owner's, tried before they are switched on."""

from ...core.actions import model_trial
from ...core.actions.answers import Refused
from ...core.actions.jobs import JobKind
from .job_shapes import JobShape, job_shape
from .models_shapes import ModelFoldersShape
from .request import BadRequest, WebRequest


async def list_(request: WebRequest) -> ModelFoldersShape | Refused:
    """Which there are."""
    found = await model_trial.model_folders(request.context)
    if isinstance(found, Refused):
        return found
    return ModelFoldersShape(list(found.names), found.embedder, found.reranker, found.runtime)


async def try_(request: WebRequest) -> JobShape | Refused:
    """Try one of them, as an embedder or as a reranker, in the background."""
    kind = request.choice("kind", JobKind)
    if kind is None or kind not in model_trial.TRIALS:
        raise BadRequest("kind")
    begun = await model_trial.start_trial(request.context, kind, request.needed("name"))
    match begun:
        case None:
            raise BadRequest("name")
        case Refused():
            return begun
        case _:
            return job_shape(begun)
