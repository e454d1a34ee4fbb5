"""Which policy forgets, and the parameters of each, which are declared beside the policies."""

from dataclasses import dataclass

from ..forgetting.catalogue import (
    DEFAULTS,
    NAMES,
    Parameters,
    PolicyParameters,
    labels,
    policy_named,
)
from ..forgetting.policies import Policies
from ..forgetting.retention_value import CommonParameters, Counting
from ..forgetting.tmd import Tmd
from ..model.declaration import declared


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """A policy on trial for half of the people and groups."""

    enabled: bool = declared(
        False,
        zh=("启用对照试验", "关闭后所有人用同一种策略"),
        en=("Compare two policies", "When off, one policy decides for all"),
    )
    trial: str = declared(
        "tmd+",
        zh=("试用的策略", "B 组用它，A 组用上面的策略", labels("zh")),
        en=("Policy on trial", "Group B has it, group A the one above", labels("en")),
        choices=NAMES,
    )


@dataclass(frozen=True, slots=True)
class ForgettingSettings:
    """Who decides what is forgotten. TMD's own thresholds are with the pace of decay."""

    policy: str = declared(
        "tmd",
        zh=(
            "策略",
            "默认 tmd；先用 /memory decay --preview 30 策略名 看看会忘掉什么",
            labels("zh"),
        ),
        en=(
            "Policy",
            "tmd by default; see what another would forget with /memory decay --preview 30 NAME",
            labels("en"),
        ),
        choices=NAMES,
    )
    counting: Counting = declared(
        Counting.RECALLED,
        zh=("怎样算一次使用", "回想到就算，或判为有用才算；tmd 不看它", ("想起就算", "有用才算")),
        en=(
            "What counts as an access",
            "Every judged recall, or only a useful one; tmd does not look at it",
            ("Every recall", "Useful ones"),
        ),
    )
    keep_current: bool = declared(
        True,
        zh=(
            "现况不随时间忘记",
            "关于人的、仍然成立的事实（住处、工作、过敏……）不衰减；已被取代的照常",
        ),
        en=(
            "Keep what still holds",
            "Facts about people that hold (home, job, allergy ...) do not fade; replaced ones do",
        ),
    )
    count_recalls: bool = declared(
        False,
        zh=("未评判的回想也计数", "没有得到评判的回想也算被想起过一次"),
        en=(
            "Count recalls nobody judged",
            "A recall that was never judged counts as an access too",
        ),
    )
    learn_rates: bool = declared(
        False,
        zh=("从评判中学习有用率", "按类型统计多常有用，用作新记忆的初始重要性"),
        en=(
            "Learn how useful kinds are",
            "How often memories of a kind proved useful sets the importance of new ones",
        ),
    )
    demote_after_days: float = declared(
        0.0,
        within=(0.0, 3_650.0),
        zh=("降层天数", "渐固或长存的记忆这么多天没有判为有用就降一层；0 为不降"),
        en=(
            "Demote after days",
            "A settling or lasting memory not judged useful for so long falls by one tier; 0 is "
            "never",
        ),
    )
    target_population: int = declared(
        0,
        within=(0, 10_000_000),
        zh=("目标数量", "一个范围里的记忆超过它，衰减周期按比例缩短；0 为不管"),
        en=(
            "Target population",
            "Beyond so many memories in a scope the cycle shrinks in proportion; 0 is never",
        ),
    )
    comparison: ComparisonSettings = declared(
        ComparisonSettings(),
        zh=("对照试验", "一半的人和群改用另一种策略，结果见 /memory ab"),
        en=(
            "Comparison",
            "Half of the people and groups get another policy; results with /memory ab",
        ),
    )
    own: tuple[PolicyParameters, ...] = declared(DEFAULTS, inline=True)

    def policies(self, tmd: Tmd) -> Policies:
        """The policy in force and the one on trial. Raises FsrsMissing if one is FSRS."""
        parameters = self.parameters()
        usual = policy_named(self.policy, tmd, parameters)
        if not self.comparison.enabled:
            return Policies(usual)
        return Policies(usual, policy_named(self.comparison.trial, tmd, parameters))

    def parameters(self) -> Parameters:
        """Of every policy."""
        shared = CommonParameters(self.counting, self.demote_after_days, self.target_population)
        return Parameters(self.own, shared)
