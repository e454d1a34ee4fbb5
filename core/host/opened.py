"""What the plugin's shell holds open while the settings change."""

from dataclasses import dataclass

from ..actions.services import Installation
from ..settings import EmbeddingSettings, LearningSettings
from ..text.token_count import CountTokens
from ..transfer.data_folder import DataFolder
from .renewal import Renewed
from .sources import HostEmbedderSource, HostModelSource


@dataclass(frozen=True, slots=True)
class Opened:
    """The data folder and what learns and embeds; `counting` is best_counter's answer."""

    data: DataFolder
    models: Renewed[LearningSettings, HostModelSource]
    embedders: Renewed[EmbeddingSettings, HostEmbedderSource]
    installation: Installation
    counting: tuple[CountTokens, str]
