"""`dev.py run`: the plugin in a real AstrBot on this machine, with its web chat, until Ctrl-C."""

import argparse
import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from . import demo, local_chat, local_model, rehearsal
from .chat_weights import Unobtainable
from .hostkit.clock import DAY, ClockFile
from .hostkit.model_server import ModelServer
from .hostkit.process import HostFailed, HostProcess, accepts, started
from .hostkit.root import ONEBOT_TOKEN, PASSWORD, USER, ModelSource, new_root

_DEFAULT_URL = "https://api.openai.com/v1"
_DEFAULT_MODEL = "gpt-4o-mini"
_ONEBOT_PORT = 6199
"""The host's own default: a messenger set up once finds every later start."""
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_WELCOME = """
  {url}
  user {user}   password {password}

  (the account is an admin of the bot, and is put back at every start)

  Memory:     {url}/#/plugin-view/astrbot_plugin_tidemark/tidemark
  OneBot:     {onebot}   access token {token}
  Chat model: {model}
  Clock:      {clock}
  Log:        {log}

Say in the web chat:      I'm Anna and I am allergic to peanuts.   or   我叫小雨，我对花生过敏。
then in a new chat:       What am I allergic to?   or   我对什么过敏？   and   /memory why
Let three months pass:    python3 scripts/dev.py clock --days 90
then in the web chat:     /memory sleep   and ask again
Ctrl-C stops it.
"""


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """0 after a clean stop; 1 if the host could not start, with its log's end printed."""
    with interruptible():
        try:
            await serve(arguments, workspace)
        except asyncio.CancelledError:
            print("Stopped.", flush=True)
        except (HostFailed, Unobtainable) as failure:
            print(failure, flush=True)
            return 1
    return 0


async def serve(arguments: argparse.Namespace, workspace: Path) -> None:
    """Run until cancelled."""
    if await accepts(arguments.port):
        raise HostFailed(f"port {arguments.port} is in use; choose another with --port")
    onebot_port = None if await accepts(_ONEBOT_PORT) else _ONEBOT_PORT
    root = new_root(workspace / "host", arguments.port, onebot_port)
    if root.in_use():
        raise HostFailed(f"an instance already runs in {root.path}")
    clock = ClockFile(workspace / "clock")
    if arguments.fresh or arguments.demo:
        root.remove()
        clock.path.unlink(missing_ok=True)
    clock.advance(arguments.fast_forward)
    async with chat_model(arguments.model, workspace / "chat-model") as model:
        root.prepare(model)
        models = workspace / "models"
        if arguments.no_embedder or not await local_model.fetch(models):
            models = None
        else:
            local_model.provide(models, root.plugin_data)
        if arguments.demo:
            print("Living half a year (half a minute) ...", flush=True)
            await demo.live(root.plugin_data, time.time(), models=models)
        host = HostProcess(root, clock, workspace / "host.log")
        print("Starting AstrBot ...", flush=True)
        began = time.monotonic()
        async with started(host):
            print(f"Ready after {time.monotonic() - began:.0f} s.")
            print(welcome(host, model), flush=True)
            await host.ended()


@asynccontextmanager
async def chat_model(chosen: str | None, folder: Path) -> AsyncIterator[ModelSource]:
    """A model for as long as the block lasts: the local one, whose files are in `folder`, if that
    was chosen, else the one named by OPENAI_*, else the rehearsal model. Raises Unobtainable.
    """
    if chosen == "local":
        async with local_chat.serving(folder) as local:
            yield local
        return
    configured = model_from_environment()
    if configured is not None:
        yield configured
        return
    async with ModelServer.running(rehearsal.respond) as server:
        yield server.source


def model_from_environment() -> ModelSource | None:
    """None without OPENAI_API_KEY. The key itself is never written: the host reads the variable."""
    if not os.environ.get("OPENAI_API_KEY"):
        return None
    url = os.environ.get("OPENAI_BASE_URL") or _DEFAULT_URL
    return ModelSource(url, os.environ.get("OPENAI_MODEL") or _DEFAULT_MODEL, "$OPENAI_API_KEY")


def welcome(host: HostProcess, model: ModelSource) -> str:
    """What a person needs to know once it runs."""
    return _WELCOME.format(
        url=f"http://127.0.0.1:{host.root.dashboard_port}",
        user=USER,
        password=PASSWORD,
        onebot=host.root.onebot_url,
        token=ONEBOT_TOKEN,
        model=f"{model.model} at {model.url}",
        clock=f"{host.clock.offset() / DAY:+.1f} days from real time",
        log=host.log,
    )


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP cancel the current task instead of tearing the loop down."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    for name in _ENDING:
        loop.add_signal_handler(name, task.cancel)
    try:
        yield
    finally:
        for name in _ENDING:
            loop.remove_signal_handler(name)
