"""One real AstrBot with this plugin, shared by every test in this folder.

The model is a server of ours on loopback; people speak through OneBot v11 or the web chat.
Tests that need a host of their own start one from `host_root`.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.scripts.hostkit.bench import Bench, bench
from astrbot_plugin_tidemark.scripts.hostkit.root import HostRoot, new_root
from astrbot_plugin_tidemark.scripts.hostkit.webchat import Webchat
from astrbot_plugin_tidemark.tests.forks.hosts import forked_hosts

from .chat_client import calm
from .in_process import Shell, host_classes, in_force

NAMES = {900: "Admin", 901: "Anna", 902: "Ben", 903: "小雨"}
PATIENT = {"recall": {"deadline_ms": 10_000}}
"""On a busy machine a recall may not be ready in time; tests of the deadline set their own."""

BUSY_SECONDS = 2.5
"""How long a host waits for a file that another program has locked."""

OLDEST = version("astrbot").startswith("4.26.")
newer_host = pytest.mark.skipif(
    OLDEST, reason="AstrBot 4.26 tries a failing provider thrice, edits and repeats nothing"
)
"""What the oldest host that is claimed does otherwise, or has not."""

FOLDER = Path(__file__).parent
PROBE = FOLDER / "astrbot_plugin_probe"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests here are slow, and share the event loop their host's clients live in."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.host)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session", autouse=True)
def imported_once() -> Iterator[None]:
    """What every host imports is imported once by each worker."""
    with forked_hosts(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIDEMARK_BUSY_SECONDS", str(BUSY_SECONDS))
        yield


def common(folder: Path) -> AbstractAsyncContextManager[Bench]:
    """A host as most tests need it."""
    return bench(folder, NAMES, respond=calm, companions=[PROBE], plugin_config=PATIENT)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_host(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """The shared host. Use `host`, which starts each test with an empty model server."""
    async with common(tmp_path_factory.mktemp("shared")) as shared:
        yield shared


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def quiet_host(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A host like the shared one, for modules that sleep often, which put it in its place.

    Over all that is said on the shared host, floods among it, a sleep costs several times as much.
    """
    async with common(tmp_path_factory.mktemp("quiet")) as quiet:
        yield quiet


@pytest_asyncio.fixture(loop_scope="session")
async def host(shared_host: Bench) -> Bench:
    """The shared host with no scripted replies and no recorded requests left over."""
    shared_host.model.clear()
    shared_host.model.respond = calm
    return shared_host


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def webchat(shared_host: Bench) -> AsyncIterator[Webchat]:
    """The dashboard owner's web chat on the shared host; logging in is rate limited."""
    async with Webchat.login(shared_host.root.dashboard_port) as client:
        yield client


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def guests(webchat: Webchat) -> Webchat:
    return await webchat.api_key("guests")


@pytest.fixture
def host_root(tmp_path: Path) -> Callable[[str], HostRoot]:
    """Roots for hosts of a test's own."""
    return lambda name: new_root(tmp_path / name)


@pytest.fixture(scope="module")
def host_code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The host's own classes in this process, for tests without a host."""
    with host_classes(tmp_path_factory.mktemp("root")):
        yield


@pytest_asyncio.fixture(loop_scope="session")
async def lifetime(shell: Shell, host_code: None) -> AsyncIterator[Any]:
    """Over the module's own `shell`: open, with an engine in force."""
    async with in_force(shell) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def owner(fragile: Bench) -> AsyncIterator[Webchat]:
    """The web chat of whoever owns a module's own host."""
    async with Webchat.login(fragile.root.dashboard_port) as client:
        yield client
