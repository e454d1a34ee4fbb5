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
    ToolSettings,
)
from .decay import DecaySettings
from .forgetting import ForgettingSettings
from .sleep import ReminderSettings, SleepSettings
from .storage import BackupSettings, EmbeddingSettings, StorageSettings


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the plugin."""

    recall: RecallSettings = declared(
        RecallSettings(),
        zh=("回忆", "每轮对话放进提示的记忆"),
        en=("Recall", "What is put in front of the model in each turn"),
    )
    capture: CaptureSettings = declared(
        CaptureSettings(),
        zh=("记录", "记录哪些话，一段对话何时结束"),
        en=("Capture", "What is recorded, and when an episode ends"),
    )
    media: MediaSettings = declared(
        MediaSettings(),
        zh=("图片", "图片的描述和缩略图"),
        en=("Pictures", "Captions and previews of pictures"),
    )
    learning: LearningSettings = declared(
        LearningSettings(),
        zh=("学习", "由谁把对话变成记忆，以及花费上限"),
        en=("Learning", "Who turns conversations into memories, and what it may cost"),
    )
    tools: ToolSettings = declared(
        ToolSettings(),
        zh=("工具", "提供给对话模型、由它自行调用的工具"),
        en=("Tools", "What the chat model is offered to use by itself"),
    )
    embedding: EmbeddingSettings = declared(
        EmbeddingSettings(),
        zh=("向量", "语义检索所用的向量从哪里来"),
        en=("Embeddings", "Where the vectors for searching by meaning come from"),
    )
    decay: DecaySettings = declared(
        DecaySettings(), zh=("遗忘", "遗忘的节奏"), en=("Forgetting", "How forgetting is paced")
    )
    forgetting: ForgettingSettings = declared(
        ForgettingSettings(),
        zh=("遗忘策略", "由哪种策略决定忘记什么；换策略不丢数据"),
        en=(
            "Forgetting policy",
            "Which policy decides what is forgotten; changing it loses nothing",
        ),
    )
    sleep: SleepSettings = declared(
        SleepSettings(),
        zh=("整理", "何时整理记忆，可以花费多少"),
        en=("Sleep", "When memories are put in order, and what that may cost"),
    )
    reminders: ReminderSettings = declared(
        ReminderSettings(),
        zh=("提醒", "到了日子给要求提醒的人发消息（/memory remind on）"),
        en=("Reminders", "Messages to those who ask for them (/memory remind on)"),
    )
    scope: ScopeSettings = declared(
        ScopeSettings(),
        zh=("范围", "哪些记忆分开存放"),
        en=("Scopes", "Which memories are kept apart"),
    )
    privacy: PrivacySettings = declared(
        PrivacySettings(), zh=("隐私", "管理员能看到什么"), en=("Privacy", "What admins may see")
    )
    storage: StorageSettings = declared(
        StorageSettings(), zh=("存储", "记忆存放在哪里"), en=("Storage", "Where memories live")
    )
    backup: BackupSettings = declared(
        BackupSettings(),
        zh=("备份", "每天自动备份一次，放在数据目录的 backups 里"),
        en=("Backup", "A backup every day, in the folder backups beside the data"),
    )
    display: DisplaySettings = declared(
        DisplaySettings(), zh=("显示", "给人看的内容"), en=("Display", "What people see")
    )
