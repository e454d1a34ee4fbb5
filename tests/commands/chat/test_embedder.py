"""The local embedding model: seen, installed in the background, and reported."""

import asyncio

from astrbot_plugin_tidemark.core.actions.services import (
    EmbedderInstaller,
    Installation,
    Progress,
    Report,
    Stage,
)

from ..command_rig import ANN, CommandRig, admin

BOSS = admin(ANN)


async def settled(installation: Installation) -> Progress | None:
    """The progress once an installation that waits for nothing has ended."""
    for _ in range(3):
        await asyncio.sleep(0)
    return installation.progress


class Slow:
    """An installation that waits to be let go."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.started = 0

    async def install(self, report: Report) -> None:
        self.started += 1
        report("downloading", 0.25)
        await self.go.wait()

    async def status(self) -> str:
        return "missing"

    def begin(self) -> Installation:
        return Installation(EmbedderInstaller(self.install, self.status), lambda: None)


async def test_the_state_of_the_local_model_is_shown(rig: CommandRig) -> None:
    for state, words in (
        ("missing", "not installed"),
        ("damaged", "damaged"),
        ("ready", "ready"),
    ):
        rig.models.state = state
        answer = await rig.ask("embedder", "status", by=BOSS)
        assert answer.endswith(f"Local model: {words}")


async def test_installing_runs_in_the_background_and_ends_ready(rig: CommandRig) -> None:
    answer = await rig.ask("embedder", "install local", by=BOSS)
    assert answer.startswith("Installing the local model in the background")
    assert await settled(rig.services.installation) == Progress(Stage.READY, 1.0)
    assert "Local model: ready" in await rig.ask("embedder", "status", by=BOSS)


async def test_a_failed_installation_says_why_and_can_be_tried_again(rig: CommandRig) -> None:
    rig.models.problem = "pip found no network"
    await rig.ask("embedder", "install local", by=BOSS)
    await settled(rig.services.installation)
    for command, argument in (("status", ""), ("health", ""), ("embedder", "status")):
        answer = await rig.ask(command, argument, by=BOSS)
        assert "failed: embeddings not available: “pip found no network”" in answer
    rig.models.problem = ""
    await rig.ask("embedder", "install local", by=BOSS)
    assert await settled(rig.services.installation) == Progress(Stage.READY, 1.0)


async def test_what_is_installed_is_not_installed_again(rig: CommandRig) -> None:
    rig.models.state = "ready"
    answer = await rig.ask("embedder", "install local", by=BOSS)
    assert answer == "The local model is installed."
    assert rig.services.installation.progress is None


async def test_anything_else_is_answered_with_the_usage(rig: CommandRig) -> None:
    for argument in ("", "install", "install remote", "remove local"):
        answer = await rig.ask("embedder", argument, by=BOSS)
        assert answer == "Usage: /memory embedder status | install local"


async def test_only_one_installation_runs_at_a_time() -> None:
    slow = Slow()
    installation = slow.begin()
    assert installation.start()
    await asyncio.sleep(0)
    assert not installation.start()
    assert installation.progress == Progress(Stage.RUNNING, 0.25)
    slow.go.set()
    await settled(installation)
    assert slow.started == 1


async def test_the_engine_is_told_when_the_model_has_arrived() -> None:
    told: list[bool] = []
    slow = Slow()
    slow.go.set()
    installer = EmbedderInstaller(slow.install, slow.status)
    installation = Installation(installer, lambda: told.append(True))
    installation.start()
    await settled(installation)
    assert told == [True]


async def test_closing_stops_a_running_installation() -> None:
    installation = Slow().begin()
    installation.start()
    await asyncio.sleep(0)
    await installation.aclose()
    assert installation.progress == Progress(Stage.FAILED, 0.0, "cancelled")


async def test_closing_without_an_installation_does_nothing() -> None:
    await Slow().begin().aclose()
