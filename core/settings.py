"""Settings, parsed once at the edge into frozen values. Below this module nobody sees a dict.

Each field carries its range or its choices; `parse` reports every problem by name and uses the
default in its place. `_conf_schema.json` is compared with this module by a test.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from .forgetting.tmd import TmdParameters
from .times import zone


def _bounded(default: float, low: float, high: float) -> Any:
    return field(default=default, metadata={"low": low, "high": high})


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """What is injected into a turn."""

    enabled: bool = True
    deadline_ms: int = _bounded(800, 50, 10_000)
    budget_tokens: int = _bounded(800, 50, 8_000)
    max_items: int = _bounded(8, 1, 50)


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """What is recorded, when an episode ends, and for how many days turns keep their text.

    0 days means for ever; memories are not touched.
    """

    enabled: bool = True
    group_chatter: bool = True
    episode_silence_minutes: float = _bounded(30.0, 0.1, 1_440.0)
    episode_max_turns: int = _bounded(40, 2, 400)
    episode_max_characters: int = _bounded(12_000, 500, 100_000)
    keep_turns_days: float = _bounded(365.0, 0.0, 36_500.0)


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """Who turns episodes into memories, and what it may cost."""

    extractor: Literal["auto", "host", "endpoint", "rules"] = "auto"
    provider_id: str = ""
    endpoint_url: str = ""
    endpoint_key: str = ""
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
    endpoint_key: str = ""
    endpoint_model: str = ""
    timeout_seconds: float = _bounded(20.0, 0.5, 120.0)


@dataclass(frozen=True, slots=True)
class DecayOverride:
    """TMD's parameters; used only when `enabled`."""

    enabled: bool = False
    tier0_threshold: float = 3.0
    tier1_threshold: float = 10.0
    consolidate_speed: float = 2.5
    cycle_tier0_days: float = 3.0
    forget_speed: float = 1.0
    tier0_forget_speed: float = 1.0


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """How forgetting is paced."""

    interval_hours: float = _bounded(6.0, 0.1, 168.0)
    bin_days: float = _bounded(30.0, 1.0, 3_650.0)
    initial_strength_scale: float = _bounded(1.0, 0.25, 10.0)
    override: DecayOverride = DecayOverride()

    def parameters(self) -> TmdParameters:
        """TMD's parameters with the corrections of algorithms section 1.

        The upper threshold is raised to the lower one; speeds have the floor 0.01, the cycle
        one day.
        """
        o = self.override
        if not o.enabled:
            return TmdParameters(strength_scale=self.initial_strength_scale)
        return TmdParameters(
            tier0_threshold=o.tier0_threshold,
            tier1_threshold=max(o.tier0_threshold, o.tier1_threshold),
            consolidate_speed=max(0.01, o.consolidate_speed),
            cycle_tier0_days=max(1.0, o.cycle_tier0_days),
            forget_speed=max(0.01, o.forget_speed),
            tier0_forget_speed=max(0.01, o.tier0_forget_speed),
            strength_scale=self.initial_strength_scale,
        )


@dataclass(frozen=True, slots=True)
class ScopeSettings:
    """Whose memories are kept apart."""

    persona_separation: bool = True


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where memories live."""

    backend: Literal["sqlite", "ephemeral"] = "sqlite"
    partitions_in_memory: int = _bounded(32, 1, 10_000)


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """What people see. `timezone` is an IANA name, "" for the machine's own."""

    language: Literal["auto", "zh", "en"] = "auto"
    timezone: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the plugin."""

    recall: RecallSettings = RecallSettings()
    capture: CaptureSettings = CaptureSettings()
    learning: LearningSettings = LearningSettings()
    tools: ToolSettings = ToolSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    decay: DecaySettings = DecaySettings()
    scope: ScopeSettings = ScopeSettings()
    storage: StorageSettings = StorageSettings()
    display: DisplaySettings = DisplaySettings()


def parse(document: object) -> tuple[Settings, tuple[str, ...]]:
    """Settings from a config document, with a sentence for every value that was not usable."""
    problems: list[str] = []
    settings = _read(Settings, {} if document is None else document, "", problems)
    where = settings.display.timezone
    if where and zone(where) is None:
        problems.append(f"display.timezone must be a time zone known here, not {where!r}")
    return settings, tuple(problems)


def _read(shape: Any, document: object, path: str, problems: list[str]) -> Any:
    if not isinstance(document, Mapping):
        problems.append(f"{path or 'config'} must be an object, not {document!r}")
        return shape()
    given = cast("Mapping[str, Any]", document)
    hints = get_type_hints(shape)
    values: dict[str, Any] = {}
    for item in fields(shape):
        if item.name not in given:
            continue
        name = f"{path}.{item.name}" if path else item.name
        kind, value = hints[item.name], given[item.name]
        if is_dataclass(kind):
            values[item.name] = _read(kind, value, name, problems)
        elif problem := _problem(value, kind, item.metadata):
            problems.append(f"{name} {problem}, not {value!r}")
        else:
            values[item.name] = float(value) if kind is float else value
    return shape(**values)


def _problem(value: Any, kind: Any, limits: Mapping[str, Any]) -> str | None:
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        return None if value in choices else f"must be one of {', '.join(choices)}"
    if kind is bool:
        return None if isinstance(value, bool) else "must be true or false"
    if kind is str:
        return None if isinstance(value, str) else "must be text"
    return _number_problem(value, kind, limits)


def _number_problem(value: Any, kind: Any, limits: Mapping[str, Any]) -> str | None:
    low, high = limits.get("low", -sys.float_info.max), limits.get("high", sys.float_info.max)
    accepted = int if kind is int else (int, float)
    if isinstance(value, accepted) and not isinstance(value, bool) and low <= value <= high:
        return None
    word = "a whole number" if kind is int else "a number"
    return f"must be {word}" + (f" {low:g}..{high:g}" if "low" in limits else "")
