"""What the page is sent of long work. Times are Unix seconds."""

from dataclasses import dataclass

from ...core.actions.jobs import Job, JobKind, JobState
from ...core.actions.signatures import told


@dataclass(frozen=True, slots=True)
class JobShape:
    """A piece of long work: `done` of `total`, which is 0 where nobody knows it.

    `outcome` is what came of it, for the page's phrase of its kind.
    """

    id: str
    kind: JobKind
    state: JobState
    by: str
    subject: str
    done: int
    total: int
    started_at: float | None
    problem: str
    outcome: dict[str, str]


@dataclass(frozen=True, slots=True)
class JobsShape:
    """Those under way, then those that are over."""

    jobs: list[JobShape]


def job_shape(job: Job) -> JobShape:
    """A job as the page has it."""
    return JobShape(
        job.id,
        job.kind,
        job.state,
        told(job.by),
        job.subject,
        job.done,
        job.total,
        job.started_at,
        job.problem,
        {name: str(value) for name, value in job.outcome.items()},
    )
