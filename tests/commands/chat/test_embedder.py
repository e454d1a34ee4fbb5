"""The local embedding model: seen, installed in the background, and reported."""

import asyncio
from dataclasses import replace

from astrbot_plugin_tidemark.core.actions.context import Installation, Report
from astrbot_plugin_tidemark.core.model.sleeping import Job, JobState
from astrbot_plugin_tidemark.core.queue.job_list import JobList

from ..command_rig import ANN, CommandRig, SetClock, admin
from ..test_status_and_health import configured

BOSS = admin(ANN)


async def settled(installation: Installation) -> JobState:
    """How an installation that waits for nothing has ended."""
    for _ in range(5):
        await asyncio.sleep(0)
    return job_of(installation).state


def job_of(installation: Installation) -> Job:
    assert installation.job is not None
    return installation.job


class Slow:
    """An installation that waits to be let go."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.started = 0
        self.jobs = JobList(SetClock())

    async def install(self, report: Report, model: bool) -> None:
        self.started += 1
        report("downloading", 0.25)
        await self.go.wait()

    async def status(self) -> str:
        return "missing"

    def begin(self) -> Installation:
        return Installation(self.install, self.status, lambda: None, self.jobs)


async def test_the_state_of_the_local_model_is_shown(rig: CommandRig) -> None:
    for state, words in (("missing", "not installed"), ("damaged", "damaged"), ("ready", "ready")):
        rig.models.state = state
        answer = await rig.ask("embedder", "status", by=BOSS)
        assert answer.endswith(f"Local model: {words}")


async def test_a_failed_installation_says_why_and_can_be_tried_again(rig: CommandRig) -> None:
    rig.models.problem = "pip found no network"
    await rig.ask("embedder", "install", by=BOSS)
    await settled(rig.services.installation)
    for command, argument in (("status", ""), ("health", ""), ("embedder", "status")):
        answer = await rig.ask(command, argument, by=BOSS)
        assert "failed: embeddings not available: “pip found no network”" in answer
    rig.models.problem = ""
    await rig.ask("embedder", "install", by=BOSS)
    assert await settled(rig.services.installation) is JobState.DONE


async def test_what_is_installed_is_not_installed_again_nor_offered(rig: CommandRig) -> None:
    rig.models.state = "ready"
    answer = await rig.ask("embedder", "install", by=BOSS)
    assert answer == "All that the local model needs is installed."
    assert rig.services.installation.job is None
    rig.models.state = "ready"
    assert "to download" not in await rig.ask("status", by=BOSS)


async def test_one_command_brings_what_is_missing(rig: CommandRig) -> None:
    """Bug: health told of two commands, and the one for onnxruntime did nothing for the model."""
    there, wanted = list[bool](), list[bool]()

    async def bring(report: Report, model: bool) -> None:
        wanted.append(model)
        there.append(True)

    rig.models.state = "ready"
    status, jobs = rig.models.status, rig.services.jobs
    installation = Installation(bring, status, lambda: None, jobs, lambda: bool(there))
    rig.services = replace(rig.services, installation=installation)
    assert "onnxruntime: not installed" in await rig.ask("embedder", "status", by=BOSS)
    assert "in the background" in await rig.ask("embedder", "install", by=BOSS)
    await settled(installation)
    assert "onnxruntime: installed" in await rig.ask("embedder", "status", by=BOSS)
    again = await rig.ask("embedder", "install", by=BOSS)
    assert (again, wanted) == ("All that the local model needs is installed.", [True])


async def test_with_a_folder_of_ones_own_only_its_runtime_is_brought(rig: CommandRig) -> None:
    wanted = list[bool]()

    async def bring(report: Report, model: bool) -> None:
        wanted.append(model)

    status, jobs = rig.models.status, rig.services.jobs
    installation = Installation(bring, status, lambda: None, jobs, lambda: False)
    rig.services = replace(rig.services, installation=installation)
    configured(rig, {"embedding": {"source": "folder", "folder": "own"}})
    await rig.ask("embedder", "install", by=BOSS)
    await settled(installation)
    assert wanted == [False]


async def test_the_owner_is_asked_once_to_have_the_model_fetched(rig: CommandRig) -> None:
    offer = "The local model is not there yet: 91 MB to download"
    assert offer in await rig.ask("status", by=BOSS)
    assert "not be asked again" in await rig.ask("embedder", "later", by=BOSS)
    assert offer not in await rig.ask("status", by=BOSS)
    assert "Local model: not installed" in await rig.ask("health", by=BOSS)


async def test_one_installation_runs_at_a_time_stops_at_the_end_and_is_told() -> None:
    slow = Slow()
    installation = slow.begin()
    assert installation.start()
    await asyncio.sleep(0)
    assert not installation.start()
    job = job_of(installation)
    assert (job.state, job.done, job.total) == (JobState.RUNNING, 25, 100)
    slow.go.set()
    await settled(installation)
    assert slow.started == 1
    slow = Slow()
    installation = slow.begin()
    installation.start()
    await asyncio.sleep(0)
    await slow.jobs.aclose()
    assert job_of(installation).state is JobState.INTERRUPTED
    told: list[bool] = []
    slow = Slow()
    slow.go.set()
    installation = Installation(slow.install, slow.status, lambda: told.append(True), slow.jobs)
    installation.start()
    await settled(installation)
    assert told == [True]


async def test_an_installation_is_cancelled_by_its_id(rig: CommandRig) -> None:
    go = asyncio.Event()

    async def install(report: Report, model: bool) -> None:
        report("downloading", 0.4)
        await go.wait()

    jobs = rig.services.jobs
    installation = Installation(install, rig.models.status, lambda: None, jobs)
    installation.start("Ann (901)")
    await asyncio.sleep(0)
    answer = await rig.ask("jobs", by=BOSS)
    id = job_of(installation).id
    assert f"{id} · download of the local model · 40% (40 of 100)" in answer
    assert "“Ann (901)”" in answer or "Ann (901)" in answer
    assert (await rig.ask("jobs", f"cancel {id}", by=BOSS)).startswith("Ending: ")
    assert await settled(installation) is JobState.CANCELLED
    assert "cancelled" in await rig.ask("jobs", by=BOSS)
    assert "No such work" in await rig.ask("jobs", f"cancel {id}", by=BOSS)
