"""A disk that turns read-only under a running host: the chat goes on, and memory comes back."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.root import HostRoot
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from ..strength import only_long
from .chat_client import ADMIN, SAILOR, calm, knows_the_sloop, switched, until
from .conftest import PATIENT

IMAGE = "image"
SIZE = 192 * 2**20

ANEW = 'umount -l "$0" && cp "$1" "$1.copy" && mount -o loop "$1.copy" "$0"'
"""The disk once it was mended, in the place of the one before; what is open there stays of that."""

OWN_DISK = 'mkdir -p "$0" && mount -o loop "$1" "$0" && shift && exec "$@"'
"""Run a command that sees the disk of the image given second in the folder given first."""


def on_own_disk(folder: Path, image: Path) -> list[str]:
    """A command that starts another one which has the disk to itself."""
    return ["unshare", "-m", "sh", "-c", OWN_DISK, str(folder), str(image)]


def image_of(host: Bench) -> Path:
    return host.root.path.parent / IMAGE


async def ran(*command: str) -> bool:
    done = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True)
    return done.returncode == 0


@pytest_asyncio.fixture(
    scope="module", loop_scope="session", params=["sqlite", pytest.param("chroma", marks=only_long)]
)
async def fragile(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Bench]:
    """A host of this module's own, whose plugin has a disk to itself."""
    folder = tmp_path_factory.mktemp("disk")
    image = folder / IMAGE
    with image.open("wb") as file:
        file.truncate(SIZE)
    made = os.geteuid() == 0 and await ran("mkfs.ext4", "-q", "-F", str(image))
    if not made or not await ran(*on_own_disk(folder / "trial", image), "true"):
        pytest.skip("making and mounting a disk of one's own is not possible here")
    config = PATIENT | {"storage": {"backend": request.param}}

    def launch(root: HostRoot) -> Sequence[str]:
        return on_own_disk(root.plugin_data, image)

    async with bench(folder, {}, respond=calm, launch=launch, plugin_config=config) as running:
        yield running


async def at_the_disk(host: Bench, *command: str, of: Sequence[str] = ()) -> None:
    """Mount or unmount as the host sees it."""
    inside = ("nsenter", "-t", str(host.process.pid), "-m")
    assert await ran(*inside, *command, str(host.root.plugin_data), *of)


async def told(host: Bench, text: str) -> None:

    async def remembered() -> bool:
        return text in await host.chat.ask(SAILOR, "/memory mine")

    await host.chat.ask(SAILOR, text)
    await until(remembered, seconds=120.0)


async def test_a_disk_that_turns_read_only_breaks_no_chat_and_another_in_its_place_is_used(
    fragile: Bench, request: pytest.FixtureRequest
) -> None:
    ask = fragile.chat.ask
    await told(fragile, "My sloop is called Petrel")
    await ask(SAILOR, "/memory remember The harbour is deep")
    # As a file system does when it finds an error: files that are open are refused, too.
    await at_the_disk(fragile, "mount", "-o", "remount,abort")
    assert await ask(SAILOR, "The tide is low") == "echo: The tide is low"
    known = await knows_the_sloop(fragile)
    refused = await ask(SAILOR, "/memory remember The anchor is lost")
    assert "That command failed: " in refused
    # Chroma may still read and may not answer at all, by where it stood: it is started again then.
    if request.node.callspec.params["fragile"] == "sqlite":
        assert known
        assert "memories.db cannot be read or written; please check the folder and" in refused
    assert "journal.db cannot be read or written" in await ask(ADMIN, "/memory health")
    await at_the_disk(fragile, "sh", "-c", ANEW, of=[str(image_of(fragile))])
    await told(fragile, "The fog has lifted")
    assert "The harbour is deep" in (kept := await ask(SAILOR, "/memory mine"))
    assert "anchor" not in kept
    assert await knows_the_sloop(fragile)


async def test_a_start_on_a_read_only_disk_is_explained_and_succeeds_once_it_can_be_written(
    fragile: Bench, owner: Webchat
) -> None:
    await told(fragile, "My dinghy is called Tern")
    await switched(owner, on=False)
    await at_the_disk(fragile, "mount", "-o", "remount,ro")
    await switched(owner, on=True)
    assert await fragile.chat.ask(SAILOR, "Any wind?") == "echo: Any wind?"
    assert "read-only and cannot be written" in await fragile.chat.ask(SAILOR, "/memory mine")
    await at_the_disk(fragile, "mount", "-o", "remount,rw")

    async def open_again() -> bool:
        return "not available" not in await fragile.chat.ask(SAILOR, "/memory mine")

    await until(open_again, seconds=120.0)
    assert "Tern" in await fragile.chat.ask(SAILOR, "/memory mine")
    await told(fragile, "The wind has dropped")
