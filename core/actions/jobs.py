"""Long work of every kind in one list, and cancelling it."""

from collections.abc import Sequence
from dataclasses import replace

from ..embedding.backfill import BATCH
from ..model.errors import EmbeddingUnavailable
from ..model.jobs import Job, JobKind, JobState
from .answers import Refusal, Refused
from .backends import cancel_move, move_job
from .context import Context, for_admins
from .signatures import told
from .sleeping import sleep_job, stop_sleep

__all__ = ["Job", "JobKind", "JobState"]

QUICK = 3.0
"""Seconds for which whoever asks for something waits for it to be done."""


@for_admins
async def list_jobs(context: Context) -> Sequence[Job]:
    """Those under way, then those that are over; the newest first.

    What has a journal of its own (sleep, vectors, a move) is read from that.
    """
    journaled = [await sleep_job(context), await _embedding_job(context), move_job(context)]
    found = [job for job in journaled if job is not None]
    for job in found:
        context.services.jobs.note_begun(job.id)
    every = [replace(job, by=told(job.by)) for job in (*context.services.jobs.every(), *found)]
    return sorted(every, key=lambda job: not job.running)


@for_admins
async def cancel_job(context: Context, id: str) -> Job:
    """Give one up. What it has done stays whole: it can be gone on with, or nothing is left of it.

    Raises StorageError.
    """
    jobs = await list_jobs(context)
    job = next((each for each in jobs if each.id == id.lower() and each.running), None)
    if job is None:
        raise Refused(Refusal.UNKNOWN_JOB)
    match job.kind:
        case JobKind.SLEEP:
            await stop_sleep(context)
        case JobKind.EMBEDDING:
            context.engine.backfill.held = True
        case JobKind.MIGRATION:
            await cancel_move(context)
        case _:
            context.services.jobs.cancel(job.id)
    return job


async def _embedding_job(context: Context) -> Job | None:
    """Vectors for memories that have none of the embedder in force; None for a few new ones."""
    backfill = context.engine.backfill
    if not backfill.working:
        return None
    embedder = await context.engine.parts.embedders.choose()
    if embedder is None:
        return None
    try:
        fingerprint = (await embedder.identity()).fingerprint
    except EmbeddingUnavailable:
        return None
    done, total = await context.store.embedded_count(fingerprint)
    if total - done <= BATCH:
        return None
    kind, held = JobKind.EMBEDDING, backfill.held
    state = JobState.CANCELLED if held else JobState.RUNNING
    return Job(id=kind, kind=kind, state=state, done=done, total=total, problem=backfill.problem)
