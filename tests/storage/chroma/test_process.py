"""Chroma's own process: it may die, hang or meet a full disk, and the bot goes on."""

import asyncio
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, child, folder
from astrbot_plugin_tidemark.storage.chroma.faults import told
from astrbot_plugin_tidemark.storage.chroma.folder import Folder

from ...kit import until
from ..memories import ANNA, memory, vector

HERE = frozenset({ANNA})
ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.usefixtures("quick_folder")

HOLDER = Path(__file__).with_name("holder.py")
SMALL_DISK = Path(__file__).with_name("small_disk.py")

ON_A_SMALL_DISK = 'mkdir -p "$0" && mount -t tmpfs -o size=48m none "$0" && exec "$@"'
"""Run a command that sees a small disk of its own in the folder given first."""

STUCK = """
import ctypes, sys
sys.path.insert(0, sys.argv[1])
import child
child.BEAT_SECONDS, child.STUCK_SECONDS = 0.1, 1.0
# Keeps the interpreter to itself, as a call of Chroma's on a full disk may.
child.Chroma.perform = lambda *_: ctypes.PyDLL(None).sleep(600)
child.main()
"""


def folder_of(store: ChromaStore) -> Folder:
    return store._client.api


def pid_of(store: ChromaStore) -> int:
    return folder_of(store).process.pid


async def insisted(store: ChromaStore, id: str, seconds: float = 60.0) -> int:
    """Put a memory with its vector, again and again until it is acknowledged; how often not."""
    failures, end = 0, time.monotonic() + seconds
    while True:
        try:
            await store.put([memory(id, "tea")])
            await store.set_vectors("f", {id: vector(1, 0)})
            return failures
        except StorageError as error:
            if error.fault is not Fault.UNREACHABLE or time.monotonic() > end:
                raise
            failures += 1
            await asyncio.sleep(0.05)


def alive(pid: int) -> bool:
    """Whether there is such a process, and it is not only waiting to be noticed as dead."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_chroma_is_not_loaded_into_the_bots_own_process(quick_folder: Path) -> None:
    program = (
        "import asyncio, runpy, sys; from pathlib import Path; runpy.run_path('tests/mounted.py');"
        "from astrbot_plugin_tidemark.storage.chroma import ChromaStore;"
        "store = asyncio.run(ChromaStore.open(Path(sys.argv[1]))); asyncio.run(store.close());"
        "sys.exit('chromadb' in sys.modules)"
    )
    found = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program, str(quick_folder)], cwd=ROOT
    )
    assert found.returncode == 0


async def test_killed_under_load_it_loses_nothing_acknowledged(store: ChromaStore) -> None:
    ids, acknowledged, failures = [f"{n:03}" for n in range(60)], set[str](), 0

    async def work(mine: list[str]) -> None:
        nonlocal failures
        for id in mine:
            failures += await insisted(store, id)
            acknowledged.add(id)

    workers = [asyncio.create_task(work(ids[start::3])) for start in range(3)]
    for some in (10, 30):
        await until(lambda some=some: len(acknowledged) >= some, seconds=60.0)
        before = pid_of(store)
        os.kill(before, signal.SIGKILL)
        await until(lambda before=before: pid_of(store) != before)
    await asyncio.gather(*workers)
    assert failures > 0
    assert [m.id async for m in store.iterate(Filter())] == ids
    assert {hit.id for hit in await store.search_text("tea", HERE, limit=99)} == set(ids)
    near = await store.search_vector(vector(1, 0), "f", HERE, limit=99)
    assert [hit.id for hit in near] == ids
    assert await store.embedded_count("f") == (60, 60)


async def test_a_process_that_hangs_is_ended_in_time_and_replaced(
    store: ChromaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.put([memory("a")])
    monkeypatch.setattr(folder, "CALL_SECONDS", 0.5)
    hanging = pid_of(store)
    os.kill(hanging, signal.SIGSTOP)
    with pytest.raises(StorageError, match=r"within 0\.5 s") as caught:
        await store.find(["a"])
    assert caught.value.fault is Fault.UNREACHABLE
    await until(lambda: pid_of(store) != hanging)
    assert not alive(hanging)
    monkeypatch.setattr(folder, "CALL_SECONDS", 30.0)
    assert await store.find(["a"]) == [memory("a")]


async def test_a_request_too_large_for_the_pipe_of_a_hanging_process_ends_in_time(
    store: ChromaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "CALL_SECONDS", 0.5)
    hanging = pid_of(store)
    os.kill(hanging, signal.SIGSTOP)
    with pytest.raises(StorageError):
        await store.put([memory("a", "tea " * 500_000)])
    await until(lambda: pid_of(store) != hanging)


async def test_a_hanging_process_is_ended_when_the_store_is_closed(
    quick_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astrbot_plugin_tidemark.storage.chroma.folder.END_SECONDS", 0.5)
    store = await ChromaStore.open(quick_folder)
    hanging = pid_of(store)
    os.kill(hanging, signal.SIGSTOP)
    await store.close()
    assert not alive(hanging)


async def test_a_store_may_be_closed_while_its_process_starts(quick_folder: Path) -> None:
    store = await ChromaStore.open(quick_folder)
    os.kill(pid_of(store), signal.SIGKILL)
    await until(lambda: folder_of(store)._starting is not None)
    starting = folder_of(store)._starting
    await store.close()
    assert not alive(starting.pid)


async def test_a_process_that_cannot_stay_is_started_less_and_less_often(
    store: ChromaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "PAUSES", (0.0, 0.0, 0.2, 60.0))
    seen = [pid_of(store)]
    for _ in range(3):
        os.kill(seen[-1], signal.SIGKILL)
        await until(lambda: pid_of(store) != seen[-1], seconds=60)
        seen.append(pid_of(store))
    os.kill(seen[-1], signal.SIGKILL)

    async def pausing() -> bool:
        try:
            await store.find(["a"])
        except StorageError as error:
            return "started again" in str(error)
        return False

    await until(pausing)
    assert pid_of(store) == seen[-1]
    with pytest.raises(StorageError, match="started again"):
        await store.check()


@pytest.mark.parametrize("stopped", [False, True])
async def test_when_the_bot_is_killed_its_process_goes_and_the_next_start_has_the_folder(
    quick_folder: Path, stopped: bool
) -> None:
    """`stopped`: it has work in hand when the bot dies, and comes to it only later."""
    holder = await asyncio.create_subprocess_exec(
        sys.executable, str(HOLDER), str(quick_folder), stdout=asyncio.subprocess.PIPE
    )
    left = int(await holder.stdout.readline())
    if stopped:
        os.kill(left, signal.SIGSTOP)
    holder.kill()
    await holder.wait()
    opening = asyncio.create_task(ChromaStore.open(quick_folder))
    if stopped:
        done, _ = await asyncio.wait({opening}, timeout=0.3)
        assert not done
        os.kill(left, signal.SIGCONT)
    store = await opening
    assert not alive(left)
    assert await store.find(["kept"]) == [memory("kept")]
    await store.close()


async def test_nothing_is_written_where_hardly_any_room_is_left_and_reading_goes_on(
    store: ChromaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.put([memory("a", "tea")])
    with monkeypatch.context() as full:
        full.setattr(folder, "ROOM", shutil.disk_usage("/").total * 1_000)
        for _ in range(3):
            with pytest.raises(StorageError) as caught:
                await store.put([memory("b", "tea")])
            with pytest.raises(StorageError):
                await store.check()
            assert (caught.value.fault, caught.value.file) == (Fault.FULL, "chroma")
        assert [hit.id for hit in await store.search_text("tea", HERE)] == ["a"]
        assert await store.find(["a", "b"]) == [memory("a", "tea")]
    await store.put([memory("b", "tea")])
    assert [hit.id for hit in await store.search_text("tea", HERE)] == ["a", "b"]


async def test_a_process_stuck_in_a_call_ends_by_itself_once_its_bot_is_gone() -> None:
    home = Path(child.__file__).parent
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", STUCK, str(home), stdin=asyncio.subprocess.PIPE
    )
    for message in (sys.path, (1, "count", "", {})):
        process.stdin.write(pickle.dumps(message))
    process.stdin.close()
    async with asyncio.timeout(60):
        assert await process.wait() != 0


@pytest.mark.parametrize("heeded", [True, False])
async def test_on_a_full_disk_every_write_fails_in_time_and_nothing_acknowledged_is_lost(
    tmp_path: Path, heeded: bool
) -> None:
    """`heeded`: the room that is left is looked at, and reading goes on; else Chroma meets the end.

    What Chroma still reads then depends on where it stood when the last room went.
    """
    apart = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
    small = [*apart, "sh", "-c", ON_A_SMALL_DISK, str(tmp_path / "disk")]
    trial = await asyncio.create_subprocess_exec(*small, "true")
    if await trial.wait():
        pytest.skip("mounting a disk of one's own is not allowed here")
    process = await asyncio.create_subprocess_exec(
        *small,
        *(sys.executable, str(SMALL_DISK), str(tmp_path / "disk"), "heed" if heeded else "ignore"),
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await process.communicate()
    found = json.loads(told)
    assert set(found["faults"]) == {"full"}
    assert found["longest"] < found["patience"] + 2.0
    assert found["read_while_full"] or not heeded
    assert found["kept"] == found["acknowledged"]
    assert found["after"] > found["before"] > 0


async def test_fifty_who_write_and_fifty_who_ask_are_all_served(store: ChromaStore) -> None:
    await store.put([memory("known", "tea")])
    await store.set_vectors("f", {"known": vector(1, 0)})

    async def write(number: int) -> None:
        for step in range(2):
            id = f"{number:02}-{step}"
            await store.put([memory(id, "salt")])
            await store.set_vectors("f", {id: vector(0, 1)})

    async def ask() -> None:
        for _ in range(2):
            assert [hit.id for hit in await store.search_text("tea", HERE)] == ["known"]
            [best, *_] = await store.search_vector(vector(1, 0), "f", HERE, limit=1)
            assert best.id == "known"

    await asyncio.gather(*(write(n) for n in range(50)), *(ask() for _ in range(50)))
    assert await store.count(Filter()) == 101
    assert await store.embedded_count("f") == (101, 101)


@pytest.mark.parametrize(
    ("code", "fault"),
    [(778, Fault.UNREADABLE), (1032, Fault.READ_ONLY), (13, Fault.FULL), (99, Fault.OTHER)],
)
def test_an_extended_code_of_sqlite_s_is_told_like_the_plain_one(code: int, fault: Fault) -> None:
    assert told("chroma", f"error returned from database: (code: {code})").fault is fault
