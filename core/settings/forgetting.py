"""Which policy forgets, and the parameters of each."""

from dataclasses import dataclass
from typing import Literal

from ..forgetting.activation import Actr, Form, ReflectionSummary
from ..forgetting.caches import Lru, RandomDrop
from ..forgetting.catalogue import WEIGHTY_PACE, Parameters, TmdPlus, policy_named
from ..forgetting.curves import DecayScore, Differential, Ebbinghaus, Hybrid, Priority
from ..forgetting.policies import Policies
from ..forgetting.policy import PolicyName
from ..forgetting.retention_value import Counting
from ..forgetting.tiered import Beyond, Paces
from ..forgetting.tmd import Tmd
from .fields import bounded

Name = Literal[
    "tmd",
    "tmd+",
    "ebbinghaus",
    "actr",
    "differential",
    "decay_score",
    "priority",
    "reflection_summary",
    "lru",
    "random_drop",
    "hybrid",
    "fsrs",
]


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """A policy on trial for half of the people and groups."""

    enabled: bool = False
    trial: Name = "tmd+"


@dataclass(frozen=True, slots=True)
class TmdPlusSettings:
    """Where `tmd+` differs from TMD."""

    cycle_days: float = bounded(1.0, 1.0, 365.0)
    consolidate_speed: float = bounded(5.0, 0.01, 100.0)
    demote_after_days: float = bounded(15.0, 0.0, 3_650.0)
    pace_instruction: float = bounded(4.0, 0.1, 1_000.0)
    pace_preference: float = bounded(4.0, 0.1, 1_000.0)
    pace_workflow: float = bounded(1.5, 0.1, 1_000.0)
    pace_episodic: float = bounded(0.5, 0.1, 1_000.0)
    pace_evidence: float = bounded(0.75, 0.1, 1_000.0)
    touch: bool = False
    mercy: bool = False

    def parameters(self, target_population: int) -> TmdPlus:
        """As the policy takes them."""
        paces = Paces(
            instruction=self.pace_instruction,
            preference=self.pace_preference,
            workflow=self.pace_workflow,
            episodic=self.pace_episodic,
            evidence=self.pace_evidence,
            weighty=WEIGHTY_PACE,
        )
        beyond = Beyond(self.demote_after_days, target_population, paces, self.touch, self.mercy)
        return TmdPlus(self.cycle_days, self.consolidate_speed, beyond)


@dataclass(frozen=True, slots=True)
class EbbinghausSettings:
    """Effective strength in two layers."""

    decay_rate: float = bounded(0.05, 0.0001, 1.0)
    beta_short: float = bounded(1.2, 1.0, 2.0)
    beta_long: float = bounded(0.8, 0.1, 1.0)
    promote_at: float = bounded(0.7, 0.01, 10.0)
    demote_at: float = bounded(0.3, 0.01, 10.0)
    bin_below: float = bounded(0.1, 0.0001, 1.0)
    least_days: float = bounded(60.0, 0.0, 3_650.0)

    def parameters(self) -> Ebbinghaus:
        """As the policy takes them; nothing is demoted at more than it is promoted at."""
        return Ebbinghaus(
            decay_rate=self.decay_rate,
            beta_short=self.beta_short,
            beta_long=self.beta_long,
            promote_at=self.promote_at,
            demote_at=min(self.demote_at, self.promote_at),
            bin_below=self.bin_below,
            least_days=self.least_days,
        )


@dataclass(frozen=True, slots=True)
class ActrSettings:
    """ACT-R activation."""

    form: Literal["seed", "base_level"] = "seed"
    exponent: float = bounded(0.5, 0.1, 0.9)
    noise: float = bounded(0.0, 0.0, 2.0)
    bin_below: float = bounded(-2.0, -6.0, 2.0)

    def parameters(self) -> Actr:
        """As the policy takes them."""
        return Actr(Form(self.form), self.exponent, self.noise, self.bin_below)


@dataclass(frozen=True, slots=True)
class DifferentialSettings:
    """Rates per day by facet."""

    instruction: float = bounded(0.01, 0.0001, 10.0)
    preference: float = bounded(0.03, 0.0001, 10.0)
    workflow: float = bounded(0.05, 0.0001, 10.0)
    episodic: float = bounded(0.10, 0.0001, 10.0)
    bin_below: float = bounded(0.05, 0.0001, 0.99)

    def parameters(self) -> Differential:
        """As the policy takes them."""
        return Differential(
            self.instruction, self.preference, self.workflow, self.episodic, self.bin_below
        )


@dataclass(frozen=True, slots=True)
class DecayScoreSettings:
    """Scores above which a memory is archived and binned."""

    archive_above: float = bounded(100.0, 0.1, 1_000_000.0)
    bin_above: float = bounded(500.0, 0.1, 1_000_000.0)
    semantic_factor: float = bounded(0.3, 0.01, 1.0)

    def parameters(self) -> DecayScore:
        """As the policy takes them; nothing is binned before it could be archived."""
        bin_above = max(self.archive_above, self.bin_above)
        return DecayScore(self.archive_above, bin_above, self.semantic_factor)


@dataclass(frozen=True, slots=True)
class PrioritySettings:
    """Floor of the priority, for the policies priority and hybrid."""

    bin_below: float = bounded(0.05, 0.0001, 0.99)


@dataclass(frozen=True, slots=True)
class ReflectionSettings:
    """Activation under which memories of one topic are summarised."""

    fold_below: float = bounded(-2.0, -6.0, 2.0)


@dataclass(frozen=True, slots=True)
class LruSettings:
    """How many memories a scope keeps."""

    capacity: int = bounded(2_000, 1, 10_000_000)


@dataclass(frozen=True, slots=True)
class RandomDropSettings:
    """How likely a memory is dropped on any one day, and where chance begins."""

    daily_probability: float = bounded(0.02, 0.0001, 0.9)
    seed: int = bounded(0, 0, 1_000_000)


@dataclass(frozen=True, slots=True)
class FsrsSettings:
    """Retrievability under which FSRS lets go."""

    bin_below: float = bounded(0.6, 0.1, 0.95)


@dataclass(frozen=True, slots=True)
class ForgettingSettings:
    """Who decides what is forgotten. TMD's own thresholds are with the pace of decay."""

    policy: Name = "tmd"
    counting: Literal["recalled", "used"] = "recalled"
    count_recalls: bool = False
    learn_rates: bool = False
    demote_after_days: float = bounded(0.0, 0.0, 3_650.0)
    target_population: int = bounded(0, 0, 10_000_000)
    comparison: ComparisonSettings = ComparisonSettings()
    tmd_plus: TmdPlusSettings = TmdPlusSettings()
    ebbinghaus: EbbinghausSettings = EbbinghausSettings()
    actr: ActrSettings = ActrSettings()
    differential: DifferentialSettings = DifferentialSettings()
    decay_score: DecayScoreSettings = DecayScoreSettings()
    priority: PrioritySettings = PrioritySettings()
    reflection_summary: ReflectionSettings = ReflectionSettings()
    lru: LruSettings = LruSettings()
    random_drop: RandomDropSettings = RandomDropSettings()
    fsrs: FsrsSettings = FsrsSettings()

    def policies(self, tmd: Tmd) -> Policies:
        """The policy in force and the one on trial. Raises FsrsMissing if one is FSRS."""
        parameters = self.parameters()
        usual = policy_named(PolicyName(self.policy), tmd, parameters)
        if not self.comparison.enabled:
            return Policies(usual)
        return Policies(usual, policy_named(PolicyName(self.comparison.trial), tmd, parameters))

    def parameters(self) -> Parameters:
        """Of every policy."""
        rates = self.differential.parameters()
        return Parameters(
            beyond=Beyond(self.demote_after_days, self.target_population),
            tmd_plus=self.tmd_plus.parameters(self.target_population),
            ebbinghaus=self.ebbinghaus.parameters(),
            actr=self.actr.parameters(),
            differential=rates,
            decay_score=self.decay_score.parameters(),
            priority=Priority(rates, self.priority.bin_below),
            reflection_summary=ReflectionSummary(bin_below=self.reflection_summary.fold_below),
            lru=Lru(self.lru.capacity),
            random_drop=RandomDrop(self.random_drop.daily_probability, self.random_drop.seed),
            hybrid=Hybrid(rates, self.priority.bin_below),
            fsrs_bin_below=self.fsrs.bin_below,
            counting=Counting(self.counting),
        )
