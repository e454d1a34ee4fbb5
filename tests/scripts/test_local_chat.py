"""The local chat model's server: a real environment, a real process; llama.cpp is played."""

import asyncio
import os
import signal
import sys
import textwrap
import time
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from astrbot_plugin_tidemark.scripts import local_chat
from astrbot_plugin_tidemark.scripts.chat_weights import Unobtainable
from astrbot_plugin_tidemark.scripts.hostkit.root import ModelSource
from astrbot_plugin_tidemark.scripts.local_chat import CONTEXT, serving
from astrbot_plugin_tidemark.scripts.run import chat_model

from ..strength import only_long
from .test_chat_weights import ROOT, TINY, WHOLE, publish_all

PLAYED = """
import http.server, json, threading
from types import SimpleNamespace

print("a line that is no address")

def CommonParams():
    return SimpleNamespace(model=SimpleNamespace())

class Server:
    def __init__(self, params):
        told = {
            "file": open(params.model.path, "rb").read().decode(),
            "names": sorted(params.model_alias),
            "limits": [params.n_ctx, params.n_parallel, params.n_predict],
        }

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(told).encode())

        server = http.server.ThreadingHTTPServer((params.hostnames[0], params.port), Handler)
        self.listening_address = "http://%s:%d" % server.server_address
        threading.Thread(target=server.serve_forever).start()
"""


def publish_server(index: Path, code: str = PLAYED) -> Path:
    """A wheel of what is played, under the name and version that are asked for."""
    name, _, version = local_chat.SERVER.partition("==")
    facts = f"{name}-{version}.dist-info"
    file = index / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr(f"{name}.py", code)
        wheel.writestr(
            f"{facts}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        wheel.writestr(f"{facts}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{facts}/RECORD", "")
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the model's file already is."""
    made = tmp_path / "chat-model"
    made.mkdir()
    (made / TINY.file).write_bytes(WHOLE)
    return made


async def answers(url: str) -> bool:
    async with httpx.AsyncClient(trust_env=False) as http:
        try:
            return (await http.get(url)).status_code == 200
        except httpx.TransportError:
            return False


async def test_the_model_is_served_while_the_block_lasts(index: Path, folder: Path) -> None:
    wheel = publish_server(index)
    async with serving(folder, TINY) as source:
        async with httpx.AsyncClient(trust_env=False) as http:
            told = (await http.get(source.url)).json()
        assert told["file"] == WHOLE.decode()
        assert told["names"] == [source.model]
        assert told["limits"] == [CONTEXT, 1, local_chat.LONGEST]
        assert source.context == CONTEXT
        assert not source.tools
    assert not await answers(source.url)
    os.unlink(wheel)
    async with serving(folder, TINY) as again:
        assert await answers(again.url)


async def test_the_local_model_is_used_if_chosen_though_there_is_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @asynccontextmanager
    async def served(folder: Path) -> AsyncIterator[ModelSource]:
        yield ModelSource(f"http://{folder.name}", "local")

    monkeypatch.setattr(local_chat, "serving", served)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    async with chat_model("local", tmp_path / "here") as source:
        assert source.url == "http://here"
    async with chat_model(None, tmp_path) as source:
        assert source.key == "$OPENAI_API_KEY"


SERVING = """
    import asyncio, importlib, sys
    sys.path.insert(0, sys.argv[1] + "/scripts")
    import bootstrap
    bootstrap.mount()
    tests = importlib.import_module(bootstrap.PACKAGE + ".tests.scripts.test_local_chat")

    async def main():
        async with tests.serving(tests.Path(sys.argv[2]), tests.TINY) as source:
            print(source.url, flush=True)
            await asyncio.sleep(600)

    asyncio.run(main())
"""


@only_long
async def test_the_server_does_not_outlive_a_killed_start(index: Path, folder: Path) -> None:
    publish_server(index)
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", textwrap.dedent(SERVING), str(ROOT), str(folder)),
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    lines = [(await started.stdout.readline()).decode().strip() for _ in range(2)]
    assert lines[0] == "Starting the chat model ..."
    assert await answers(lines[1])
    os.kill(started.pid, signal.SIGKILL)
    await started.wait()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and await answers(lines[1]):
        pass
    assert not await answers(lines[1])


@pytest.mark.parametrize(
    ("prepare", "told"),
    [
        (lambda _: None, "the package index has no xllamacpp"),
        (lambda index: publish_server(index, "import nowhere"), "does not run on this machine"),
        (lambda index: publish_server(index, ""), "server did not start; why is in"),
    ],
)
async def test_what_is_missing_is_told_in_one_sentence(
    prepare: Callable[[Path], None], told: str, index: Path, folder: Path
) -> None:
    prepare(index)
    with pytest.raises(Unobtainable, match=told) as error:
        async with serving(folder, TINY):
            pass
    assert "\n" not in str(error.value)


async def test_a_machine_too_small_is_told_before_the_fetch(index: Path, tmp_path: Path) -> None:
    publish_all(index)
    with pytest.raises(Unobtainable):
        async with serving(tmp_path / "new", TINY):
            pass
    assert TINY.file not in "".join(os.listdir(tmp_path / "new"))
