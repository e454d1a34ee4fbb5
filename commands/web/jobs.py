"""Long work: how far it is, and giving it up."""

from ...core.actions import jobs
from ...core.actions.answers import Refused
from .job_shapes import JobShape, JobsShape, job_shape
from .request import WebRequest


async def list_(request: WebRequest) -> JobsShape | Refused:
    """What is under way and what was."""
    found = await jobs.list_jobs(request.context)
    if isinstance(found, Refused):
        return found
    return JobsShape([job_shape(each) for each in found])


async def cancel(request: WebRequest) -> JobShape | Refused:
    """Give one up."""
    ended = await jobs.cancel_job(request.context, request.needed("id"))
    return ended if isinstance(ended, Refused) else job_shape(ended.job)
