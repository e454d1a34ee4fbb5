"""Which policy forgets, and by what."""

from dataclasses import dataclass

from ..forgetting.catalogue import (
    DEFAULTS,
    NAMES,
    PolicyParameters,
    labels,
    policy_named,
)
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.tmd import Tmd
from ..model.declaration import declared


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
    target_population: int = declared(
        0,
        within=(0, 10_000_000),
        zh=("目标数量", "一个范围里的记忆超过它，衰减周期按比例缩短；0 为不管"),
        en=(
            "Target population",
            "Beyond so many memories in a scope the cycle shrinks in proportion; 0 is never",
        ),
    )
    own: tuple[PolicyParameters, ...] = DEFAULTS
    """Of each policy: what is published with its formula, or was found by measuring."""

    def in_force(self, tmd: Tmd) -> ForgettingPolicy:
        """The policy that decides. Raises FsrsMissing if it is FSRS and its package is missing."""
        return self.policy_called(self.policy, tmd)

    def policy_called(self, name: str, tmd: Tmd) -> ForgettingPolicy:
        """Another one under the same settings. Raises as `in_force`."""
        return policy_named(name, tmd, self.target_population, self.own)
