"""Settings, parsed once at the edge into frozen values. Below this package nobody sees a dict.

The file is read first, then what an admin has changed at run time; every problem is reported by
name, and the file's value or the default is used in its place. `_conf_schema.json` and
docs/configuration.md are written from the declarations and from the words in the catalogues of the
languages: `python -m scripts.render`.
"""

from .capture import CaptureSettings, MediaSettings
from .configuration import PROMPT, Change, Configuration, configure, parse, to_json
from .conversation import (
    DisplaySettings,
    LearningSettings,
    PrivacySettings,
    RecallSettings,
    ScopeSettings,
)
from .decay import DecayOverride, DecaySettings
from .forgetting import ForgettingSettings
from .names import ENTRIES, SETTINGS, Setting, SettingsGroup, Value, value_of, with_value
from .sleep import ReminderSettings, SleepSettings
from .storage import BackupSettings, EmbeddingSettings, StorageSettings
from .tree import Settings
from .wanted import Problem, SettingOrigin, Want, Wanted
