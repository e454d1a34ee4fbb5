"""A new host with everything connected to it: model server, messenger, clock."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import local_model
from .clock import ClockFile
from .embeddings import embedding_provider
from .model_server import ModelServer, Respond, echo
from .onebot import OneBot
from .process import HostProcess, started
from .reranking import rerank_provider
from .root import HostRoot, new_root


@dataclass(frozen=True, slots=True)
class Bench:
    """A running host, its model, its clock, and the people who talk to it."""

    process: HostProcess
    model: ModelServer
    clock: ClockFile
    chat: OneBot

    @property
    def root(self) -> HostRoot:
        """Where the host lives."""
        return self.process.root

    def log(self) -> str:
        """Everything the host has logged so far."""
        return self.process.log.read_text("utf-8", "replace")


@asynccontextmanager
async def bench(
    folder: Path,
    names: Mapping[int, str],
    *,
    respond: Respond = echo,
    began: float | None = None,
    plugin_config: Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | None = None,
    embedder: bool = False,
    reranker: bool = False,
    companions: Sequence[Path] = (),
    models: Path | None = None,
    launch: Callable[[HostRoot], Sequence[str]] = lambda _: (),
) -> AsyncIterator[Bench]:
    """Everything it writes lies under `folder`. `began` is the plugin's time at the start.

    With `embedder` the host has an embedding provider too, with `reranker` a rerank provider.
    `companions` are folders of other plugins to run beside this one. `models` is a folder that may
    hold the local embedding model. `launch` gives the command that starts the host's own, see
    `HostProcess`.
    """
    clock = ClockFile(folder / "clock")
    if began is not None:
        clock.set_time(began)
    root = new_root(folder / "host")
    async with ModelServer.running(respond) as model:
        root.prepare(
            model.source,
            plugin_config=plugin_config,
            overrides=overrides,
            providers=[
                *([embedding_provider(model.source)] if embedder else []),
                *([rerank_provider(model.source)] if reranker else []),
            ],
            companions=companions,
        )
        if models is not None:
            local_model.provide(models, root.plugin_data)
        process = HostProcess(root, clock, folder / "host.log", launch(root))
        async with started(process), OneBot.connected(root.onebot_port, names) as chat:
            yield Bench(process, model, clock, chat)
