"""Settings of TMD: its pace, and parameters that differ from the paper's."""

from dataclasses import dataclass

from ..forgetting.tmd import TmdParameters
from ..model.declaration import declared

FASTEST = 1e9
"""Keeps every useful score finite, whatever the consolidation speed."""


@dataclass(frozen=True, slots=True)
class DecayOverride:
    """TMD's parameters; used only when `enabled`."""

    enabled: bool = declared(
        False,
        zh=("启用自定义参数", "打开后使用下面的数值"),
        en=("Use custom parameters", "When on, the values below apply"),
    )
    tier0_threshold: float = declared(
        3.0,
        when=("enabled", True),
        zh=("渐固阈值", "有用分达到它，不再随时间减弱"),
        en=("Settling threshold", "From this useful score on, time no longer weakens a memory"),
    )
    tier1_threshold: float = declared(
        10.0,
        when=("enabled", True),
        zh=("长存阈值", "有用分达到它，不再减弱；小于渐固阈值时按渐固阈值算"),
        en=(
            "Lasting threshold",
            "From this useful score on, nothing weakens a memory; raised to the settling "
            "threshold if smaller",
        ),
    )
    consolidate_speed: float = declared(
        2.5,
        when=("enabled", True),
        zh=("巩固速度", "每次判为有用增加的有用分，至少 0.01"),
        en=("Consolidation speed", "Useful score gained by each useful verdict, at least 0.01"),
    )
    cycle_tier0_days: float = declared(
        3.0,
        when=("enabled", True),
        zh=("衰减周期（天）", "易逝的记忆每过一个周期强度减 1，至少 1 天"),
        en=("Decay cycle (days)", "A fading memory loses one strength per cycle, at least one day"),
    )
    forget_speed: float = declared(
        1.0,
        when=("enabled", True),
        zh=("遗忘速度", "周期除以它，至少 0.01"),
        en=("Forgetting speed", "Divides the cycle, at least 0.01"),
    )
    tier0_forget_speed: float = declared(
        1.0,
        when=("enabled", True),
        zh=("易逝记忆的遗忘速度", "周期再除以它，至少 0.01"),
        en=("Forgetting speed of fading memories", "Divides the cycle once more, at least 0.01"),
    )
    useful_boost: int = declared(
        1,
        within=(0, 100),
        step=1,
        when=("enabled", True),
        zh=("有用增强", "每次判为有用增加的强度"),
        en=("Useful boost", "Strength gained by each useful verdict"),
    )


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """How forgetting is paced."""

    interval_hours: float = 6.0
    """Hours between sweeps: strengths change by days."""

    purge_hours: float = 24.0
    """Hours between purges: the bin keeps for days."""

    bin_days: float = declared(
        30.0,
        within=(1.0, 3_650.0),
        zh=("回收站保留天数", "到期后永久删除，不能恢复"),
        en=("Days in the bin", "Then a memory is deleted for good"),
    )
    initial_strength_scale: float = declared(
        1.0,
        within=(0.25, 10.0),
        step=0.25,
        zh=("初始强度倍数", "新记忆的强度按重要性为 4 至 8，再乘以它；越大忘得越慢"),
        en=(
            "Initial strength scale",
            "A new memory's strength is 4 to 8 by importance, times this; larger forgets later",
        ),
    )
    override: DecayOverride = declared(
        DecayOverride(),
        zh=("自定义 TMD 参数", "仅供试验；关闭时使用默认参数"),
        en=("Custom TMD parameters", "For experiments; when off the defaults apply"),
    )

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
