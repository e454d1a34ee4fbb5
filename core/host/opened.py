"""Resources that stay open when the settings change."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..actions.context import EmbedderInstaller, Installation, local_installer
from ..settings import EmbeddingSettings, LearningSettings, RecallSettings
from ..text.token_count import CountTokens
from ..transfer.data_folder import DataFolder
from .renewal import Renewed
from .sources import HostEmbedderSource, HostModelSource, HostRerankers


async def install_packages(requirements: Sequence[str]) -> None:
    """Install what is missing, as the host does and with its errors; its own packages stay."""
    # Plugins are loaded before it is needed, and it brings pip with it.
    from astrbot.core import pip_installer

    await pip_installer.install("\n".join(requirements))


@dataclass(frozen=True, slots=True)
class Opened:
    """The data folder and what learns and embeds; `counting` is best_counter's answer."""

    data: DataFolder
    models: Renewed[LearningSettings, HostModelSource]
    embedders: Renewed[EmbeddingSettings, HostEmbedderSource]
    rerankers: Renewed[RecallSettings, HostRerankers]
    installation: Installation
    counting: tuple[CountTokens, str]


def host_installer(folder: Path) -> EmbedderInstaller:
    """Of the local model, into `folder`, and of onnxruntime into the host's Python."""
    return local_installer(folder, install_packages)
