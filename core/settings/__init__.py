"""Settings, parsed once at the edge into frozen values. Below this package nobody sees a dict.

The file is read first, then what an admin has changed at run time; every problem is reported by
name, and the file's value or the default is used in its place. `_conf_schema.json` and
docs/configuration.md are written from the declarations and from the words in the catalogues of the
languages: `python -m scripts.render`.
"""

from .configuration import PROMPT, Change, Configuration, configure, to_json
from .groups import (
    BackupSettings,
    CaptureSettings,
    DecayOverride,
    DecaySettings,
    DisplaySettings,
    EmbeddingSettings,
    ForgettingSettings,
    LearningSettings,
    PrivacySettings,
    RecallSettings,
    ReminderSettings,
    ScopeSettings,
    Settings,
    SleepSettings,
)
from .names import ENTRIES, SETTINGS, Setting, SettingsGroup, Value, value_of, with_values
from .wanted import Problem, SettingOrigin, Want, Wanted
