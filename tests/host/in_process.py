"""The host's own classes in this process, without a host."""

import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts


@contextmanager
def host_classes(folder: Path) -> Iterator[None]:
    """A root for what importing the host writes, and silence for its deprecated imports."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setenv("ASTRBOT_ROOT", str(folder))
        import astrbot.api.star  # noqa: F401

        yield


class Providers:
    """A host's map of providers by id; an edit puts a new instance there."""

    def __init__(self) -> None:
        self.by_id: dict[str, Any] = {}

    def get_provider_by_id(self, provider_id: str) -> Any:
        return self.by_id.get(provider_id)


class Shell(Protocol):
    """What the plugin's main module does: opens files, and makes an engine over them."""

    async def open(self, stack: AsyncExitStack) -> Parts: ...

    async def assemble(self, parts: Parts) -> MemoryEngine: ...


@asynccontextmanager
async def in_force(shell: Shell) -> AsyncIterator[Any]:
    """A lifetime, open and with an engine in force; the host's classes have to be there."""
    from astrbot_plugin_tidemark.core.host.lifetime import Lifetime

    lifetime = Lifetime(shell.open, shell.assemble)
    lifetime.begin()
    while await lifetime.engine() is None:
        assert lifetime.problem is None
    yield lifetime
    await lifetime.end()
