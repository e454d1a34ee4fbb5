"""Jobs: long work that somebody asked for, run in the background, listed and cancelled."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, replace
from secrets import token_hex
from typing import Any

from ..model.errors import StorageError, TidemarkError
from ..model.sleeping import Job, JobKind, JobState, Tell
from ..ports import Clock, Notes
from ..records.notes import value_note
from .worker import Report

NOTE = "jobs"
MOST_ENDED = 20
"""Jobs that are over and still listed."""

ENDING = 3.0
"""Seconds that work has to come to a place where it can stop, before it is cut off."""

type Outcome[T] = Callable[[T], Mapping[str, str | int]]


class JobCancelled(TidemarkError):
    """Somebody has cancelled the job, or the host ends."""


@dataclass(slots=True)
class _Run:
    """What is known of work under way. `ending` is the state it shall end in, if somebody asked."""

    task: asyncio.Task[Any]
    abrupt: bool
    ending: JobState | None = None


class Started[T]:
    """A job that has begun, and what it will answer."""

    def __init__(self, jobs: "JobList", id: str, task: asyncio.Task[T]) -> None:
        self._jobs = jobs
        self._id = id
        self._task = task

    async def result(self, patience: float | None = None) -> T | Job:
        """The answer; the job, if it goes on after `patience` seconds, or somebody cancelled it.

        Raises what the work raised. Whoever waits may be cancelled: the job goes on.
        """
        await asyncio.wait({self._task}, timeout=patience)
        job = self._jobs.named(self._id)
        if not self._task.done() or job.state in (JobState.CANCELLED, JobState.INTERRUPTED):
            return job
        return self._task.result()


class JobList:
    """The jobs of one data folder. Whoever made it closes it, before what the jobs work on.

    What is noted of a job names nobody: who asked is known until the next start.
    """

    def __init__(self, clock: Clock, notes: Notes | None = None, report: Report | None = None):
        self._clock = clock
        self._notes = notes
        self._report = report
        self._jobs: dict[str, Job] = {}
        self._runs: dict[str, _Run] = {}
        self._earlier: frozenset[str] = frozenset()
        self._asked_by: dict[JobKind, str] = {}

    async def read(self) -> None:
        """Take up what an earlier start has noted: what was under way then was interrupted."""
        if self._notes is None:
            return
        try:
            noted = await value_note(self._notes, NOTE, list[Job]) or []
        except StorageError as error:
            # What was done is in the store; only the telling is lost.
            if self._report is not None:
                self._report("jobs", error)
            return
        for job in noted:
            if job.running:
                job = replace(job, state=JobState.INTERRUPTED, ended_at=self._clock.now())
            self._jobs[job.id] = job
        self._earlier = frozenset(self._jobs)

    def every(self) -> list[Job]:
        """Those under way, then those that are over; the newest first."""
        jobs = list(reversed(self._jobs.values()))
        return [j for j in jobs if j.running] + [j for j in jobs if not j.running]

    def named(self, id: str) -> Job:
        """The job of that id. Raises KeyError."""
        return self._jobs[id]

    def newest(self, kind: JobKind) -> Job | None:
        """The last one of that kind since the start."""
        found = (j for j in reversed(self._jobs.values()) if j.kind is kind)
        return next((job for job in found if job.id not in self._earlier), None)

    def running(self, kind: JobKind) -> Job | None:
        """The newest of that kind that is under way."""
        newest = self.newest(kind)
        return newest if newest is not None and newest.running else None

    def start[T](
        self,
        kind: JobKind,
        work: Callable[[Tell], Awaitable[T]],
        *,
        subject: str = "",
        by: str = "",
        outcome: Outcome[T] = lambda _: {},
        abrupt: bool = False,
    ) -> Started[T]:
        """Begin a job. Work stops where it tells how far it is; `abrupt` work can be cut anywhere.

        `outcome` reads from its answer what people are told.
        """
        id, now = token_hex(3), self._clock.now()
        self._jobs[id] = Job(id=id, kind=kind, by=by, subject=subject, started_at=now)
        task = asyncio.create_task(self._carry_out(id, work, outcome), name=f"tidemark:{kind}")
        self._runs[id] = _Run(task, abrupt)
        task.add_done_callback(lambda ended: self._ended(id, ended))
        return Started(self, id, task)

    def cancel(self, id: str) -> bool:
        """Let a job under way end; False if there is none of that id."""
        run = self._runs.get(id)
        if run is None:
            return False
        self._end(run, JobState.CANCELLED)
        return True

    def note_cancelled(self, job: Job) -> None:
        """Keep that work of a kind that has a journal of its own was given up."""
        self._put_over(replace(job, state=JobState.CANCELLED, ended_at=self._clock.now()))

    def note_begun(self, id: str) -> None:
        """Such work is under way again: that it was given up before is no longer told."""
        self._jobs.pop(id, None)

    def note_asker(self, kind: JobKind, by: str) -> None:
        """Keep who asked for work of a kind that has a journal of its own."""
        self._asked_by[kind] = by

    def asker(self, kind: JobKind) -> str:
        """Who that was; "" if nobody did since the start."""
        return self._asked_by.get(kind, "")

    def forget_names(self) -> None:
        """Drop who asked for anything."""
        self._asked_by.clear()
        self._jobs = {id: replace(job, by="") for id, job in self._jobs.items()}

    async def aclose(self) -> None:
        """Stop what is under way, where it can be stopped."""
        runs = list(self._runs.values())
        for run in runs:
            self._end(run, JobState.INTERRUPTED)
        tasks = {run.task for run in runs}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=ENDING)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self, run: _Run, state: JobState) -> None:
        run.ending = run.ending or state
        if run.abrupt:
            run.task.cancel()

    def _ended(self, id: str, task: asyncio.Task[Any]) -> None:
        if not task.cancelled():
            # Read, so that a failure nobody waits for is not told a second time by the loop.
            task.exception()
        if id in self._runs:
            # Cancelled before it had begun.
            self._over(self._cut_short(id))

    async def _carry_out[T](
        self, id: str, work: Callable[[Tell], Awaitable[T]], outcome: Outcome[T]
    ) -> T:
        def tell(done: int, total: int) -> None:
            run = self._runs.get(id)
            if run is None or run.ending is not None:
                raise JobCancelled
            self._jobs[id] = replace(self._jobs[id], done=done, total=total)

        ended = self._jobs[id]
        try:
            await self._save()
            tell(0, 0)
            answer = await work(tell)
            ended = replace(self._jobs[id], state=JobState.DONE, outcome=dict(outcome(answer)))
        except (JobCancelled, asyncio.CancelledError):
            ended = self._cut_short(id)
            raise
        except BaseException as error:
            ended = _failed(self._jobs[id], error)
            raise
        finally:
            self._over(ended)
            await self._save()
        return answer

    def _cut_short(self, id: str) -> Job:
        return replace(self._jobs[id], state=self._runs[id].ending or JobState.INTERRUPTED)

    def _over(self, job: Job) -> None:
        del self._runs[job.id]
        self._put_over(replace(job, ended_at=self._clock.now()))

    def _put_over(self, job: Job) -> None:
        """Last, so that the list is in the order in which things ended."""
        self._jobs.pop(job.id, None)
        self._jobs[job.id] = job
        ended = [each for each, job in self._jobs.items() if not job.running]
        for each in ended[:-MOST_ENDED]:
            del self._jobs[each]

    async def _save(self) -> None:
        if self._notes is None:
            return
        listed = [replace(job, by="") for job in self._jobs.values()]
        noted = json.dumps(listed, default=asdict, ensure_ascii=False)
        try:
            await self._notes.set_note(NOTE, noted)
        except StorageError as error:
            # The work itself is worth more than the note of it.
            if self._report is not None:
                self._report("jobs", error)


def _failed(job: Job, error: BaseException) -> Job:
    failed = replace(job, state=JobState.FAILED, problem=f"{type(error).__name__}: {error}"[:500])
    if isinstance(error, StorageError):
        return replace(failed, fault=error.fault, file=error.file)
    return failed
