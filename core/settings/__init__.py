"""Settings, parsed once at the edge into frozen values. Below this package nobody sees a dict.

The file is read first, then what an admin has changed at run time; every problem is reported by
name, and the file's value or the default is used in its place. `_conf_schema.json` is compared
with this package by a test.
"""

from .configuration import Change, Configuration, configure, parse, to_json
from .forgetting import ForgettingSettings
from .names import SETTINGS, Setting, Value, value_of, with_value
from .tree import (
    BackupSettings,
    CaptureSettings,
    DecayOverride,
    DecaySettings,
    DisplaySettings,
    EmbeddingSettings,
    LearningSettings,
    RecallSettings,
    ScopeSettings,
    Settings,
    StorageSettings,
    ToolSettings,
)
from .wanted import Origin, Problem, Want, Wanted

__all__ = [
    "SETTINGS",
    "BackupSettings",
    "CaptureSettings",
    "Change",
    "Configuration",
    "DecayOverride",
    "DecaySettings",
    "DisplaySettings",
    "EmbeddingSettings",
    "ForgettingSettings",
    "LearningSettings",
    "Origin",
    "Problem",
    "RecallSettings",
    "ScopeSettings",
    "Setting",
    "Settings",
    "StorageSettings",
    "ToolSettings",
    "Value",
    "Want",
    "Wanted",
    "configure",
    "parse",
    "to_json",
    "value_of",
    "with_value",
]
