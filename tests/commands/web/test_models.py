"""Model folders tried by the page: those alone that are listed, and nothing is changed."""

from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.actions.services import EmbedderInstaller, Installation
from astrbot_plugin_tidemark.core.model.jobs import JobKind, JobState

from ...core.embedding.folder.tiny_models import judge, write
from ...kit import until
from ..command_rig import CommandRig
from .page import asked, data


@pytest.fixture
def models(rig: CommandRig, tmp_path: Path) -> Path:
    """The folder of models, with one of each sort, one that is broken and one that is none."""
    folder = tmp_path / "models"
    write(folder / "letters")
    write(folder / "judge", judge("e"))
    (write(folder / "broken") / "tokenizer.json").write_text("{", encoding="utf-8")
    (folder / "notes").mkdir()
    installer = EmbedderInstaller(rig.models.install, rig.models.status, folder=folder)
    installation = Installation(installer, lambda: None, rig.services.jobs)
    rig.services = replace(rig.services, installation=installation)
    return folder


async def over(rig: CommandRig, kind: JobKind) -> None:
    await until(lambda: rig.services.jobs.running(kind) is None)


async def test_the_folders_with_a_network_are_listed(rig: CommandRig, models: Path) -> None:
    found = await data(rig, "GET models")
    assert found["names"] == ["broken", "judge", "letters"]
    assert (found["embedder"], found["reranker"], found["runtime"]) == ("", "", True)


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("embedder_trial", "letters", {"milliseconds", "rate", "megabytes", "dimension"}),
        ("reranker_trial", "judge", {"right", "asked", "candidates", "milliseconds", "deadline"}),
    ],
)
async def test_a_trial_is_a_job_that_tells_what_was_measured_and_changes_nothing(
    rig: CommandRig, models: Path, kind: str, name: str, told: set[str]
) -> None:
    begun = await data(rig, "POST models/try", kind=kind, name=name)
    again = await data(rig, "POST models/try", kind="embedder_trial", name="broken")
    assert (begun["kind"], begun["subject"], again["id"]) == (kind, name, begun["id"])
    await over(rig, JobKind(kind))
    (job,) = (await data(rig, "GET jobs"))["jobs"]
    assert (job["state"], job["done"] > 0) == ("done", True)
    assert told <= job["outcome"].keys()
    assert (await data(rig, "GET models"))["embedder"] == ""


async def test_a_broken_folder_is_told_with_its_reason(rig: CommandRig, models: Path) -> None:
    for kind in ("embedder_trial", "reranker_trial"):
        await data(rig, "POST models/try", kind=kind, name="broken")
        await over(rig, JobKind(kind))
        job = rig.services.jobs.newest(JobKind(kind))
        assert job is not None
        assert job.state is JobState.FAILED
        assert "tokenizer.json is not a tokenizer" in job.problem


@pytest.mark.parametrize("name", ["../models/letters", "notes", "letters/", "/etc", ".", "x" * 501])
async def test_no_other_folder_can_be_looked_into(rig: CommandRig, models: Path, name: str) -> None:
    answer = await asked(rig, "POST models/try", kind="embedder_trial", name=name)
    assert answer["message"] == "bad_request.name"
    whole = await asked(rig, "POST models/try", kind="embedder_trial", name=str(models / "letters"))
    assert whole["message"] == "bad_request.name"
    kind = await asked(rig, "POST models/try", kind="sleep", name="letters")
    assert kind["message"] == "bad_request.kind"
    assert rig.services.jobs.every() == []
