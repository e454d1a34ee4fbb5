"""Every group of settings, in the order of the form."""

from dataclasses import dataclass

from ..model.declaration import declared
from .capture import CaptureSettings, MediaSettings
from .conversation import (
    DisplaySettings,
    LearningSettings,
    PrivacySettings,
    RecallSettings,
    ScopeSettings,
)
from .decay import DecaySettings
from .forgetting import ForgettingSettings
from .sleep import ReminderSettings, SleepSettings
from .storage import BackupSettings, EmbeddingSettings, StorageSettings


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the plugin."""

    recall: RecallSettings = declared(RecallSettings())
    capture: CaptureSettings = declared(CaptureSettings())
    media: MediaSettings = declared(MediaSettings())
    learning: LearningSettings = declared(LearningSettings())
    embedding: EmbeddingSettings = declared(EmbeddingSettings())
    decay: DecaySettings = declared(DecaySettings())
    forgetting: ForgettingSettings = declared(ForgettingSettings())
    sleep: SleepSettings = declared(SleepSettings())
    reminders: ReminderSettings = declared(ReminderSettings())
    scope: ScopeSettings = declared(ScopeSettings())
    privacy: PrivacySettings = declared(PrivacySettings())
    storage: StorageSettings = declared(StorageSettings())
    backup: BackupSettings = declared(BackupSettings())
    display: DisplaySettings = declared(DisplaySettings())
