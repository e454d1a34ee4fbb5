"""The settings as frozen values: groups, defaults, ranges and choices."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from ..chroma_server import ChromaServer
from ..forgetting.tmd import TmdParameters
from .fields import bounded as _bounded
from .forgetting import ForgettingSettings

FASTEST = 1e9
"""Keeps every useful score finite, whatever the consolidation speed."""


_WHEN_ENABLED = ("enabled", True)
"""Metadata `when`: the setting matters only while its neighbour of that name has that value."""

_WHEN_ON_SERVER = ("mode", "server")


def _secret(**more: object) -> Any:
    return field(default="", metadata={"secret": True, **more})


def _when_enabled(default: bool | float | str) -> Any:
    return field(default=default, metadata={"when": _WHEN_ENABLED})


def _on_server(default: bool | str) -> Any:
    return field(default=default, metadata={"when": _WHEN_ON_SERVER})


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """What is injected into a turn; `rerank_provider` is an id in the host, "" for none."""

    enabled: bool = True
    deadline_ms: int = _bounded(800, 50, 10_000)
    budget_tokens: int = _bounded(800, 50, 8_000, when=_WHEN_ENABLED)
    max_items: int = _bounded(8, 1, 50, when=_WHEN_ENABLED)
    rerank_provider: str = _when_enabled("")


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """What is recorded, when an episode ends, and for how many days turns keep their text.

    0 days means for ever; memories are not touched.
    """

    enabled: bool = True
    group_chatter: bool = _when_enabled(True)
    episode_silence_minutes: float = _bounded(30.0, 0.1, 1_440.0)
    episode_max_turns: int = _bounded(40, 2, 400, when=_WHEN_ENABLED)
    episode_max_characters: int = _bounded(12_000, 500, 100_000, when=_WHEN_ENABLED)
    keep_turns_days: float = _bounded(365.0, 0.0, 36_500.0)


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """Who turns episodes into memories, and what it may cost."""

    extractor: Literal["auto", "host", "endpoint", "rules"] = "auto"
    provider_id: str = ""
    endpoint_url: str = ""
    endpoint_key: str = _secret()
    endpoint_model: str = ""
    timeout_seconds: float = _bounded(120.0, 5.0, 600.0)
    daily_calls: int = _bounded(500, 0, 100_000)
    daily_tokens: int = _bounded(2_000_000, 0, 1_000_000_000)
    max_attempts: int = _bounded(5, 1, 20)
    concurrency: int = _bounded(2, 1, 8)


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """Which tools the chat model is offered: recall_memory and remember."""

    recall: bool = True
    remember: bool = True


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Where vectors come from."""

    source: Literal["auto", "host", "endpoint", "local", "hashed", "off"] = "auto"
    provider_id: str = ""
    endpoint_url: str = ""
    endpoint_key: str = _secret()
    endpoint_model: str = ""
    timeout_seconds: float = _bounded(20.0, 0.5, 120.0)


@dataclass(frozen=True, slots=True)
class DecayOverride:
    """TMD's parameters; used only when `enabled`."""

    enabled: bool = False
    tier0_threshold: float = _when_enabled(3.0)
    tier1_threshold: float = _when_enabled(10.0)
    consolidate_speed: float = _when_enabled(2.5)
    cycle_tier0_days: float = _when_enabled(3.0)
    forget_speed: float = _when_enabled(1.0)
    tier0_forget_speed: float = _when_enabled(1.0)
    useful_boost: int = _bounded(1, 0, 100, when=_WHEN_ENABLED)


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """How forgetting is paced."""

    interval_hours: float = _bounded(6.0, 0.1, 168.0)
    bin_days: float = _bounded(30.0, 1.0, 3_650.0)
    initial_strength_scale: float = _bounded(1.0, 0.25, 10.0)
    override: DecayOverride = DecayOverride()

    def parameters(self) -> TmdParameters:
        """TMD's parameters, corrected: Algorithms, section 1.

        The upper threshold is raised to the lower one; speeds have the floor 0.01, the cycle
        one day.
        """
        o = self.override
        if not o.enabled:
            return TmdParameters(strength_scale=self.initial_strength_scale)
        return TmdParameters(
            tier0_threshold=o.tier0_threshold,
            tier1_threshold=max(o.tier0_threshold, o.tier1_threshold),
            consolidate_speed=min(max(0.01, o.consolidate_speed), FASTEST),
            cycle_tier0_days=max(1.0, o.cycle_tier0_days),
            forget_speed=max(0.01, o.forget_speed),
            tier0_forget_speed=max(0.01, o.tier0_forget_speed),
            useful_boost=o.useful_boost,
            strength_scale=self.initial_strength_scale,
        )


@dataclass(frozen=True, slots=True)
class ScopeSettings:
    """Whose memories are kept apart."""

    persona_separation: bool = True


@dataclass(frozen=True, slots=True)
class ChromaSettings:
    """ChromaDB in a folder of the plugin's data, or on a server that bots may share.

    `installation` tells them apart there; "" for an id kept in the data folder.
    """

    mode: Literal["embedded", "server"] = "embedded"
    host: str = _on_server("localhost")
    port: int = _bounded(8_000, 1, 65_535, when=_WHEN_ON_SERVER)
    ssl: bool = _on_server(False)
    token: str = _secret(when=_WHEN_ON_SERVER)
    tenant: str = _on_server("default_tenant")
    database: str = _on_server("default_database")
    installation: str = _on_server("")
    timeout_seconds: float = _bounded(10.0, 0.5, 120.0, when=_WHEN_ON_SERVER)

    def server(self) -> ChromaServer | None:
        """The server that is meant; None for the folder."""
        named = asdict(self)
        return ChromaServer(**named) if named.pop("mode") == "server" else None


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where memories live. Fixed while they are open."""

    backend: Literal["sqlite", "chroma", "ephemeral"] = "sqlite"
    partitions_in_memory: int = _bounded(32, 1, 10_000, when=("backend", "sqlite"))
    chroma: ChromaSettings = ChromaSettings()


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """Daily backups: whether, how many are kept, and one each of how many weeks and months."""

    enabled: bool = True
    keep: int = _bounded(7, 1, 365, when=_WHEN_ENABLED)
    keep_weekly: int = _bounded(4, 0, 52, when=_WHEN_ENABLED)
    keep_monthly: int = _bounded(3, 0, 24, when=_WHEN_ENABLED)


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """What people see. `timezone` is an IANA name, "" for the machine's own."""

    language: Literal["auto", "zh", "en"] = "auto"
    timezone: str = field(default="", metadata={"zone": True})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the plugin."""

    recall: RecallSettings = RecallSettings()
    capture: CaptureSettings = CaptureSettings()
    learning: LearningSettings = LearningSettings()
    tools: ToolSettings = ToolSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    decay: DecaySettings = DecaySettings()
    forgetting: ForgettingSettings = ForgettingSettings()
    scope: ScopeSettings = ScopeSettings()
    storage: StorageSettings = StorageSettings()
    backup: BackupSettings = BackupSettings()
    display: DisplaySettings = DisplaySettings()
