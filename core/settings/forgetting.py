"""Which policy forgets, and the parameters of each, which are declared beside the policies."""

from dataclasses import dataclass, replace
from typing import Any

from ..forgetting.catalogue import (
    DEFAULTS,
    NAMES,
    Parameters,
    PolicyParameters,
    labels,
    policy_named,
)
from ..forgetting.policies import Policies
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.retention_value import CommonParameters, Counting
from ..forgetting.tmd import Tmd
from ..model.declaration import declared
from .decay import DecayOverride, DecaySettings, overriding
from .declared_values import written_values
from .wanted import Problem


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
    parameters: str = declared(
        "",
        zh=("试用的参数", "名=值，空格隔开，其余照该策略自己的设置；例：cycle_tier0_days=5"),
        en=(
            "Parameters on trial",
            "NAME=VALUE with spaces between, the others as set; example: cycle_tier0_days=5",
        ),
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
    patience: float = declared(
        30.0,
        within=(1.0, 1_000.0),
        zh=(
            "对唯一记录的耐心",
            "别处没有记着的事（说了还没提炼全的、提炼了没被取代的）衰减周期是几倍；1 为 TMD 原样",
        ),
        en=(
            "Patience with what nothing else says",
            "How many cycles it takes to lose a strength: what was said and not wholly learnt, or "
            "learnt and not replaced; 1 is plain TMD",
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
        return Policies(usual, self._trial(tmd, parameters))

    def trial_problems(self) -> list[Problem]:
        """What is wrong with the parameters on trial."""
        if not self.comparison.enabled:
            return []
        _, problems = self._written(Tmd())
        return problems

    def _trial(self, tmd: Tmd, parameters: Parameters) -> ForgettingPolicy:
        changed, _ = self._written(tmd)
        if isinstance(changed, DecayOverride):
            scale = tmd.parameters.strength_scale
            pace = DecaySettings(initial_strength_scale=scale, override=changed)
            return policy_named("tmd", replace(tmd, parameters=pace.parameters()), parameters)
        own = tuple(changed if each.name == changed.name else each for each in self.own)
        return policy_named(changed.name, tmd, replace(parameters, own=own))

    def _written(self, tmd: Tmd) -> tuple[PolicyParameters | DecayOverride, list[Problem]]:
        """The parameters of the policy on trial, with those that were written for it."""
        (own,) = (each for each in self.own if each.name == self.comparison.trial)
        group: Any = overriding(tmd.parameters) if own.name == "tmd" else own
        text = self.comparison.parameters
        values, problems = written_values(text, group, "forgetting.comparison.parameters")
        return replace(group, **values), problems

    def parameters(self) -> Parameters:
        """Of every policy."""
        shared = CommonParameters(self.counting, self.target_population)
        return Parameters(self.own, shared)
