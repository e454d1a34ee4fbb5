"""Files that cannot be used and settings of wrong types: the chat goes on, nothing is lost."""

import asyncio
import fcntl
import os
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.root import HostRoot
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat

from ..strength import only_long
from .chat_client import ADMIN, SAILOR, calm, indexed, knows_the_sloop, recalled, switched, until
from .conftest import PATIENT

FILES = ("memories.db", "journal.db")

SMALL_DISK = 'mkdir -p "$0" && mount -t tmpfs -o size=12m none "$0" && exec "$@"'
"""Run a command that sees a small disk of its own in the folder given first."""

RESPECTFUL = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")
"""Makes root heed the permissions of files."""

SHARED_LOCK = 0x40000002, 510
"""Offset and length of the bytes that every connection to a SQLite file locks."""

WRONG = {
    "recall": {"meaning_weight": "many", "budget_tokens": -5},
    "capture": {"group_chatter": "yes"},
    "learning": {"extractor": "magic", "daily_tokens": float("inf"), "provider_id": {}},
    "decay": {"bin_days": [30]},
    "reminders": {"quiet_hours": "dusk"},
    "storage": {"backend": "punched cards", "chroma": {"address": "localhost:8000"}},
    "display": {"timezone": "Mars/Olympus"},
}


def on_small_disk(folder: Path) -> list[str]:
    """A command that starts another one on a small disk, with permissions that hold."""
    apart = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
    return [*apart, "sh", "-c", SMALL_DISK, str(folder), *RESPECTFUL]


def launch(root: HostRoot) -> Sequence[str]:
    return on_small_disk(root.plugin_data)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def fragile(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host of this module's own, whose plugin knows the name of a sloop."""
    folder = tmp_path_factory.mktemp("storage")
    trial = [*on_small_disk(folder / "trial"), "true"]
    if (await asyncio.to_thread(subprocess.run, trial, check=False)).returncode:
        pytest.skip("mounting a disk of one's own is not allowed here")
    config = WRONG | {"recall": WRONG["recall"] | PATIENT["recall"]}
    async with bench(folder, {}, respond=calm, launch=launch, plugin_config=config) as running:
        await running.chat.ask(SAILOR, "My sloop is called Petrel")
        await indexed(running)
        yield running


def disk(host: Bench) -> Path:
    """The plugin's data folder as the host sees it."""
    return Path(f"/proc/{host.process.pid}/root{host.root.plugin_data}")


@asynccontextmanager
async def stopped(owner: Webchat) -> AsyncIterator[None]:
    """Within the block the plugin is switched off and its files are closed."""
    await switched(owner, on=False)
    try:
        yield
    finally:
        await switched(owner, on=True)


@asynccontextmanager
async def with_mode(owner: Webchat, path: Path, mode: int) -> AsyncIterator[None]:
    """The plugin runs with other permissions of the path within the block."""
    async with stopped(owner):
        before = set_mode(path, mode)
    try:
        yield
    finally:
        async with stopped(owner):
            set_mode(path, before)


def set_mode(path: Path, mode: int) -> int:
    """Returns the mode before."""
    before = path.stat().st_mode
    path.chmod(mode)
    return before


async def told(host: Bench, text: str) -> str:
    """Tell the bot; the short id under which it is remembered."""
    await host.chat.ask(SAILOR, text)

    async def listed() -> list[str]:
        lines = (await host.chat.ask(SAILOR, "/memory mine")).splitlines()
        return [line.split()[0] for line in lines if text in line]

    return (await until(listed))[0]


async def is_out_of_order(host: Bench, name: str) -> None:
    """A chat is answered without memories, and commands and the log name the file."""
    assert await host.chat.ask(SAILOR, "Is my sloop fast?") == "echo: Is my sloop fast?"
    assert recalled(host.model.asked()[-1]) == []
    for command in ("/memory mine", "/memory nosuch"):
        chinese, english = (await host.chat.ask(SAILOR, command)).splitlines()
        assert chinese.startswith(f"记忆暂时不可用：{name}")
        assert english.startswith(f"Memory is not available: {name}")
    said = [line for line in host.log().splitlines() if "memory could not be opened" in line]
    assert name in said[-1]


def newer(file: Path) -> None:
    # SQLite would resolve a path through /proc to one of this process: it works on a copy.
    with TemporaryDirectory() as folder:
        copy = Path(folder) / file.name
        copy.write_bytes(file.read_bytes())
        with closing(sqlite3.connect(copy)) as database:
            database.execute("INSERT INTO migration (name) VALUES ('from_the_future')")
            database.commit()
        file.write_bytes(copy.read_bytes())


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def garbage(file: Path) -> None:
    file.write_bytes(b"\x93garbage" * 4_000)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def put_back(file: Path, content: bytes) -> None:
    if file.is_dir():
        file.rmdir()
    file.write_bytes(content)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program keeps every connection out."""
    start, length = SHARED_LOCK
    with file.open("r+b") as held:
        fcntl.lockf(held, fcntl.LOCK_EX, length, start)
        yield


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """Not a byte is left on the disk within the block."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 4_096):
            pass
    try:
        yield
    finally:
        ballast.unlink()


OFTEN = ((newer, FILES[0]), (truncated, FILES[1]), (garbage, FILES[0]), (a_folder, FILES[1]))
DAMAGES = [
    pytest.param(damage, name, marks=() if (damage, name) in OFTEN else only_long)
    for damage in (newer, truncated, garbage, a_folder)
    for name in FILES
]
"""At every change each damage and each file, all together with `--long`."""


async def test_settings_of_wrong_types_are_replaced_and_every_one_is_named(fragile: Bench) -> None:
    log, health = fragile.log(), await fragile.chat.ask(ADMIN, "/memory health")
    wrong = [f"{section}.{name}" for section, values in WRONG.items() for name in values]
    assert [name for name in wrong if name not in log] == []
    assert [name for name in wrong if name not in health] == []
    assert await knows_the_sloop(fragile)


@pytest.mark.parametrize(("damage", "name"), DAMAGES)
async def test_a_file_that_cannot_be_used_is_named_and_left_alone_and_the_chat_goes_on(
    fragile: Bench, owner: Webchat, name: str, damage: Callable[[Path], None]
) -> None:
    file = disk(fragile) / name
    async with stopped(owner):
        whole = file.read_bytes()
        damage(file)
        broken = file.read_bytes() if file.is_file() else None
    try:
        await is_out_of_order(fragile, name)
        assert (file.read_bytes() if file.is_file() else None) == broken
    finally:
        async with stopped(owner):
            put_back(file, whole)
    assert await knows_the_sloop(fragile)


async def test_a_file_locked_at_the_start_is_opened_later(fragile: Bench, owner: Webchat) -> None:
    await switched(owner, on=False)
    with locked(disk(fragile) / "memories.db"):
        await switched(owner, on=True)
        assert await fragile.chat.ask(SAILOR, "hello") == "echo: hello"
        assert "try again" in await fragile.chat.ask(SAILOR, "/memory mine")
        await until(lambda: logged(fragile, "memories.db is locked by another program"))

    async def open_again() -> bool:
        return "not available" not in await fragile.chat.ask(SAILOR, "/memory mine")

    await until(open_again)
    assert await knows_the_sloop(fragile)


async def logged(host: Bench, words: str) -> bool:
    return words in host.log()


@pytest.mark.parametrize("name", FILES)
async def test_a_read_only_file_is_recalled_from_and_what_it_stands_in_the_way_of_is_told(
    fragile: Bench, owner: Webchat, name: str
) -> None:
    ebb = await told(fragile, f"The {name} tide is ebbing")
    async with with_mode(owner, disk(fragile) / name, 0o444):
        assert await fragile.chat.ask(SAILOR, "The tide is low") == "echo: The tide is low"
        assert await knows_the_sloop(fragile)
        answer = await fragile.chat.ask(SAILOR, f"/memory forget {ebb}")
        # What is forgotten is in the bin though the audit log cannot say so.
        assert (f"{name} or its folder is read-only" in answer) is (name == "memories.db")
        assert f"{name} cannot be written" in await fragile.chat.ask(ADMIN, "/memory health")
    assert await told(fragile, f"The {name} tide is rising")
    assert await knows_the_sloop(fragile)


async def test_a_read_only_folder_is_named_and_chat_goes_on(fragile: Bench, owner: Webchat) -> None:
    async with with_mode(owner, disk(fragile), 0o555):
        await is_out_of_order(fragile, "tidemark.lock")
    assert await knows_the_sloop(fragile)


async def test_on_a_full_disk_recall_works_nothing_is_lost(fragile: Bench, owner: Webchat) -> None:
    known = await told(fragile, "The harbour is crowded")
    with full(disk(fragile)):
        # What the files had set aside is used up first.
        for number in range(20):
            await fragile.chat.ask(SAILOR, f"Log {number}: " + "fog and no wind, " * 900)
        assert await knows_the_sloop(fragile)
        refused = await fragile.chat.ask(SAILOR, f"/memory forget {known}")
        assert "The disk is full and memories.db cannot grow" in refused
        assert "disk is full" in await fragile.chat.ask(ADMIN, "/memory health")
        assert known in await fragile.chat.ask(SAILOR, f"/memory show {known}")
    assert known in await fragile.chat.ask(SAILOR, f"/memory show {known}")
    assert await told(fragile, "The fog has lifted")
    assert await knows_the_sloop(fragile)


async def test_a_start_on_a_full_disk_is_explained_and_succeeds_once_there_is_room(
    fragile: Bench, owner: Webchat
) -> None:
    await switched(owner, on=False)
    with full(disk(fragile)):
        await switched(owner, on=True)
        assert await fragile.chat.ask(SAILOR, "hello again") == "echo: hello again"
        assert "The disk is full" in await fragile.chat.ask(SAILOR, "/memory mine")
    async with stopped(owner):
        pass
    assert await knows_the_sloop(fragile)
