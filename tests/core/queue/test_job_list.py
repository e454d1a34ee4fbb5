"""Long work in a list: seen while it runs, ended where it can be, and told of after a restart."""

import asyncio
from collections.abc import Mapping

import pytest
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.model.sleeping import JobKind, JobState, Tell
from astrbot_plugin_tidemark.core.queue import job_list
from astrbot_plugin_tidemark.core.queue.job_list import MOST_ENDED, JobList


class Noon:
    def now(self) -> float:
        return 43_200.0


class Notebook:
    def __init__(self) -> None:
        self.notes: dict[str, str] = {}
        self.full = False

    async def note(self, name: str) -> str | None:
        return self.notes.get(name)

    async def set_note(self, name: str, value: str) -> None:
        if self.full:
            raise StorageError("no room", fault=Fault.FULL)
        self.notes[name] = value

    async def overrides(self) -> Mapping[str, str]:
        return {}

    async def set_override(self, name: str, value: str | None) -> None:
        raise NotImplementedError


class Paged:
    """Work of ten pages that waits before each."""

    def __init__(self) -> None:
        self.go = asyncio.Semaphore(0)
        self.pages = 0

    async def work(self, tell: Tell) -> int:
        for _ in range(10):
            await self.go.acquire()
            self.pages += 1
            tell(self.pages, 10)
        return self.pages


async def test_a_job_is_seen_while_it_runs_and_answers_when_it_is_done() -> None:
    jobs, paged = JobList(Noon()), Paged()
    started = jobs.start(
        JobKind.IMPORT, paged.work, subject="a.json", by="Ann", outcome=lambda n: {"added": n}
    )
    for _ in range(3):
        paged.go.release()
    running = await started.result(0.05)
    assert (running.state, running.done, running.total) == (JobState.RUNNING, 3, 10)
    assert (running.by, running.subject, running.started_at) == ("Ann", "a.json", 43_200.0)
    for _ in range(7):
        paged.go.release()
    assert await started.result() == 10
    [over] = jobs.every()
    assert (over.state, over.outcome) == (JobState.DONE, {"added": 10})


async def test_a_cancelled_job_ends_at_the_next_page_and_nobody_waits_in_vain() -> None:
    jobs, paged = JobList(Noon()), Paged()
    started = jobs.start(JobKind.EXPORT, paged.work)
    paged.go.release()
    running = await started.result(0.02)
    assert jobs.cancel(running.id)
    paged.go.release()
    over = await started.result()
    assert (over.state, paged.pages) == (JobState.CANCELLED, 2)
    assert not jobs.cancel(running.id)


async def test_work_that_can_be_cut_anywhere_is_cut_at_once_even_before_it_began() -> None:
    jobs, paged = JobList(Noon()), Paged()
    started = jobs.start(JobKind.MODEL, paged.work, abrupt=True)
    [job] = jobs.every()
    jobs.cancel(job.id)
    over = await started.result()
    assert over.state is JobState.CANCELLED


async def test_a_failure_is_raised_to_who_waits_and_kept_for_the_others() -> None:
    async def fail(tell: Tell) -> None:
        raise StorageError("no room", fault=Fault.FULL)

    jobs = JobList(Noon())
    with pytest.raises(StorageError):
        await jobs.start(JobKind.BACKUP, fail).result()
    [job] = jobs.every()
    assert (job.state, job.problem) == (JobState.FAILED, "StorageError: no room")


async def test_what_a_restart_cut_short_is_told_namelessly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_list, "ENDING", 0.05)
    notebook, paged = Notebook(), Paged()
    before = JobList(Noon(), notebook)
    before.start(JobKind.IMPORT, paged.work, subject="a.json", by="Ann (901)")
    await asyncio.sleep(0)
    # As a killed process leaves it.
    left = dict(notebook.notes)
    await before.aclose()
    assert before.every()[0].state is JobState.INTERRUPTED
    notebook.notes = left
    after = JobList(Noon(), notebook)
    await after.read()
    [job] = after.every()
    assert (job.state, job.subject, job.by) == (JobState.INTERRUPTED, "a.json", "")
    assert after.newest(JobKind.IMPORT) is None
    assert "Ann" not in str(left)


@pytest.mark.parametrize(
    "noted", ["no JSON", "{}x", '[{"id": 1}]', '[{"kind": "x", "state": "y"}]']
)
async def test_a_damaged_note_is_reported_and_nothing_else(noted: str) -> None:
    reports: list[str] = []
    notebook = Notebook()
    notebook.notes["jobs"] = noted
    jobs = JobList(Noon(), notebook, lambda place, error: reports.append(place))
    await jobs.read()
    assert (jobs.every(), reports) == ([], ["jobs"])


async def test_a_full_disk_takes_the_note_and_not_the_work() -> None:
    reports: list[str] = []
    notebook = Notebook()
    notebook.full = True
    jobs = JobList(Noon(), notebook, lambda place, error: reports.append(place))
    paged = Paged()
    for _ in range(10):
        paged.go.release()
    assert await jobs.start(JobKind.EXPORT, paged.work).result() == 10
    assert set(reports) == {"jobs"}


async def test_only_the_newest_that_are_over_stay_listed() -> None:
    async def nothing(tell: Tell) -> None:
        return None

    jobs = JobList(Noon())
    for number in range(MOST_ENDED + 5):
        await jobs.start(JobKind.BACKUP, nothing, subject=str(number)).result()
    assert len(jobs.every()) == MOST_ENDED
    assert jobs.every()[0].subject == str(MOST_ENDED + 4)
    jobs.start(JobKind.EXPORT, Paged().work, by="Ann")
    assert jobs.every()[0].kind is JobKind.EXPORT
    jobs.forget_names()
    assert jobs.every()[0].by == ""
    await jobs.aclose()
