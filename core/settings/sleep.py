"""Settings of what happens by itself: sleep and reminders."""

from dataclasses import dataclass

from ..model.declaration import declared


@dataclass(frozen=True, slots=True)
class SleepSettings:
    """When each scope sleeps; model calls and tokens are for each scope and day, 0 for none."""

    enabled: bool = declared(
        True,
        zh=("夜间整理", "定时整理每个聊天的记忆；关闭后只衰减和清空到期的回收站"),
        en=(
            "Put memories in order",
            "When a chat has been quiet, and at night; when off memories only decay and the bin "
            "is emptied",
        ),
    )
    night_hour: int = declared(
        4,
        within=(0, 23),
        step=1,
        when=("enabled", True),
        zh=("夜间整理的时刻", "当地时间几点开始；那时没有运行，就在下次启动时补上"),
        en=("Hour of the night", "Local time; made up for at the next start if nothing ran then"),
    )
    quiet_minutes: float = 30.0
    """Minutes of quiet after which a chat is put in order, as long as an episode waits."""

    calls: int = declared(
        8,
        within=(0, 1_000),
        step=1,
        when=("enabled", True),
        zh=("每晚调用上限", "每个聊天每天整理时最多调用几次模型；0 表示不用模型，仍由规则整理"),
        en=(
            "Calls a night",
            "Most model calls for one chat and day; with 0 it is done without a model",
        ),
    )
    tokens: int = 20_000
    """Tokens for one chat and day: what `calls` take at most, so that no single one runs away."""

    stale_days: float = 90.0
    """Days after which a plan nobody mentions is archived; it can be restored."""


@dataclass(frozen=True, slots=True)
class ReminderSettings:
    """Hours of the local day in which nobody is sent a reminder; both alike for none."""

    quiet_from: int = declared(
        22,
        within=(0, 23),
        step=1,
        zh=("免打扰开始", "当地时间几点起不发提醒"),
        en=("Quiet from", "Local hour from which no reminder is sent"),
    )
    quiet_until: int = declared(
        8,
        within=(0, 23),
        step=1,
        zh=("免打扰结束", "当地时间几点起可以发提醒；与开始相同则全天都发"),
        en=("Quiet until", "Local hour from which they are sent again; the same hour for no quiet"),
    )

    def quiet(self, hour: int) -> bool:
        """Whether nobody is to be disturbed in this hour of the day."""
        if self.quiet_from <= self.quiet_until:
            return self.quiet_from <= hour < self.quiet_until
        return hour >= self.quiet_from or hour < self.quiet_until
