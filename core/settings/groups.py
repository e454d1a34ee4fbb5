"""Every group of settings, and the tree of them in the order of the form."""

from dataclasses import dataclass, replace
from typing import Literal

from ..forgetting.catalogue import DEFAULTS, NAMES, PolicyParameters, policy_named
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.tmd import Tmd, TmdParameters
from ..model.consent import ANY, EntryKind, RecordingRules, entries_in
from ..model.conversation import ScopeKind
from ..model.declaration import Provider, declared
from ..ports.files import ChromaServer, server_at
from ..prompts.instructions import OURS, Instructions
from .wanted import hours_in


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """What is recorded, when an episode ends, and for how many days turns keep their text.

    0 days means for ever; memories are not touched.
    """

    enabled: bool = declared(True)
    group_chatter: bool = declared(True, basic=True, when=("enabled", True))
    tool_calls: bool = declared(True, when=("enabled", True))
    allow: str = declared(
        "", when=("enabled", True), written="rules", fallback=f"{EntryKind.PLATFORM}:(unreadable)"
    )
    deny: str = declared(
        "", when=("enabled", True), written="rules", fallback=f"{EntryKind.PLATFORM}:{ANY}"
    )
    episode_silence_minutes: float = 30.0
    """Minutes of silence that end an episode: who returns later begins something new."""

    episode_max_turns: int = 40
    """Messages that end an episode; where the topic turns ends it sooner."""

    episode_max_characters: int = 12_000
    """What a learning call reads at once."""

    keep_turns_days: float = declared(365.0, within=(0.0, 36_500.0))

    def rules(self) -> RecordingRules:
        """What may be recorded at all."""
        return RecordingRules(entries_in(self.allow) or (), entries_in(self.deny) or ())


@dataclass(frozen=True, slots=True)
class MediaSettings:
    """What is kept of pictures besides where they were, and how many are described a day."""

    captions_per_day: int = declared(100, within=(0, 10_000), step=10)
    keep: bool = declared(False)


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """What is injected into a turn; `rerank_provider` is an id in the host, "" for none.

    `rerank_model` is a folder, and used where there is no provider.
    """

    enabled: bool = declared(True, basic=True)
    deadline_ms: int = declared(800, within=(50, 10_000), step=50)
    budget_tokens: int = declared(
        800, basic=True, within=(50, 8_000), step=50, when=("enabled", True)
    )
    eagerness: Literal["quiet", "balanced", "eager"] = declared("balanced", when=("enabled", True))
    fusion: Literal["weighted", "ranks", "activation"] = declared(
        "weighted", when=("enabled", True)
    )
    meaning_weight: float = declared(1.0, within=(0.0, 5.0), step=0.1, when=("fusion", "weighted"))
    graph_weight: float = declared(1.0, within=(0.0, 5.0), step=0.1, when=("fusion", "weighted"))
    profile: Literal["off", "private", "everywhere"] = declared("private", when=("enabled", True))
    rerank_provider: str = declared("", when=("enabled", True), provider=Provider.RERANK)
    rerank_model: str = declared("", when=("enabled", True))
    max_items: int = 40
    """Memories of one turn at most: with `budget_tokens` as it is, that holds fewer."""

    def tells_profile(self, kind: ScopeKind) -> bool:
        """Whether the page about whoever speaks goes into the prompts of such chats."""
        private = self.profile == "private" and kind is ScopeKind.PRIVATE
        return self.enabled and (private or self.profile == "everywhere")


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """Who turns episodes into memories, and what it may cost; `prompts` are kept by the journal."""

    extractor: Literal["auto", "host", "endpoint", "rules"] = declared("auto", basic=True)
    instructions: str = declared("")
    provider_id: str = declared("", basic=True, picker="select_provider")
    endpoint_url: str = declared("")
    endpoint_key: str = declared("", secret=True)
    endpoint_model: str = declared("")
    daily_tokens: int = declared(2_000_000, basic=True, within=(0, 1_000_000_000))
    timeout_seconds: float = 300.0
    """Longest wait for one call: nobody waits for it, and a slow model of one's own may need it."""

    max_attempts: int = 5
    """Failures after which background work is given up: what fails so often is no passing fault."""

    concurrency: int = 2
    """Episodes learnt from at a time: the chat model answers people first."""

    prompts: Instructions = OURS


@dataclass(frozen=True, slots=True)
class ScopeSettings:
    """Whose memories are kept apart."""

    persona_separation: bool = declared(True)


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    """What admins may see. Read from the file alone: whom it binds cannot change it in a chat."""

    admin_reveal: bool = declared(True)


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """What people see. `timezone` is an IANA name, "" for the host's, or the machine's own."""

    language: Literal["auto", "zh", "en"] = declared("auto", basic=True)
    timezone: str = declared("", written="zone")
    all_settings: bool = declared(False, basic=True)


FASTEST = 1e9
"""Keeps every useful score finite, whatever the consolidation speed."""


@dataclass(frozen=True, slots=True)
class DecayOverride:
    """TMD's parameters; used only when `enabled`."""

    enabled: bool = declared(False)
    tier0_threshold: float = declared(3.0, when=("enabled", True))
    tier1_threshold: float = declared(10.0, when=("enabled", True))
    consolidate_speed: float = declared(2.5, when=("enabled", True))
    cycle_tier0_days: float = declared(3.0, when=("enabled", True))
    forget_speed: float = declared(1.0, when=("enabled", True))
    tier0_forget_speed: float = declared(1.0, when=("enabled", True))
    useful_boost: int = declared(1, within=(0, 100), step=1, when=("enabled", True))


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """How forgetting is paced."""

    interval_hours: float = 6.0
    """Hours between sweeps: strengths change by days."""

    purge_hours: float = 24.0
    """Hours between purges: the bin keeps for days."""

    bin_days: float = declared(30.0, within=(1.0, 3_650.0))
    override: DecayOverride = declared(DecayOverride())

    def parameters(self) -> TmdParameters:
        """TMD's parameters, corrected: Algorithms, section 1.

        The upper threshold is raised to the lower one; speeds have the floor 0.01, the cycle
        one day.
        """
        o = self.override
        if not o.enabled:
            return TmdParameters()
        return TmdParameters(
            tier0_threshold=o.tier0_threshold,
            tier1_threshold=max(o.tier0_threshold, o.tier1_threshold),
            consolidate_speed=min(max(0.01, o.consolidate_speed), FASTEST),
            cycle_tier0_days=max(1.0, o.cycle_tier0_days),
            forget_speed=max(0.01, o.forget_speed),
            tier0_forget_speed=max(0.01, o.tier0_forget_speed),
            useful_boost=o.useful_boost,
        )


@dataclass(frozen=True, slots=True)
class ForgettingSettings:
    """Who decides what is forgotten. TMD's own thresholds are with the pace of decay.

    `keep_current`: facts that hold do not fade. `patience`: how many cycles a strength takes of
    what nothing else says; 1 is TMD as published. `target_population`: memories of a scope beyond
    which the cycle shrinks; 0 is never.
    """

    policy: str = declared("tmd", choices=NAMES)
    keep_current: bool = declared(True)
    patience: float = declared(30.0, within=(1.0, 1_000.0))
    target_population: int = declared(0, within=(0, 10_000_000))
    own: tuple[PolicyParameters, ...] = DEFAULTS
    """Of each policy: what is published with its formula, or was found by measuring."""

    def in_force(self, tmd: Tmd) -> ForgettingPolicy:
        """The policy that decides. Raises FsrsMissing if it is FSRS and its package is missing."""
        return self.policy_called(self.policy, tmd)

    def policy_called(self, name: str, tmd: Tmd) -> ForgettingPolicy:
        """Another one under the same settings. Raises as `in_force`."""
        return policy_named(name, tmd, self.target_population, self.own)


@dataclass(frozen=True, slots=True)
class SleepSettings:
    """When each scope sleeps; model calls and tokens are for each scope and day, 0 for none."""

    enabled: bool = declared(True)
    night_hour: int = declared(4, within=(0, 23), step=1, when=("enabled", True))
    quiet_minutes: float = 30.0
    """Minutes of quiet after which a chat is put in order, as long as an episode waits."""

    calls: int = declared(8, within=(0, 1_000), step=1, when=("enabled", True))
    tokens: int = 20_000
    """Tokens for one chat and day: what `calls` take at most, so that no single one runs away."""

    stale_days: float = 90.0
    """Days after which a plan nobody mentions is archived; it can be restored."""


@dataclass(frozen=True, slots=True)
class ReminderSettings:
    """Hours of the local day in which nobody is sent a reminder; "" or both alike for none."""

    quiet_hours: str = declared("22-8", written="hours")

    @property
    def span(self) -> tuple[int, int]:
        """The hours from and until which it is quiet."""
        return hours_in(self.quiet_hours) or (0, 0)

    def quiet(self, hour: int) -> bool:
        """Whether nobody is to be disturbed in this hour of the day."""
        start, end = self.span
        return (hour - start) % 24 < (end - start) % 24


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Where vectors come from."""

    source: Literal["auto", "host", "endpoint", "folder", "local", "hashed", "off"] = declared(
        "auto", basic=True
    )
    provider_id: str = declared("", provider=Provider.EMBEDDING, basic=True)
    endpoint_url: str = declared("")
    endpoint_key: str = declared("", secret=True)
    endpoint_model: str = declared("")
    folder: str = declared("")
    timeout_seconds: float = 20.0
    """Longest wait for one embedding call; a turn goes on without it at its deadline."""


@dataclass(frozen=True, slots=True)
class ChromaSettings:
    """ChromaDB on a server that bots may share, or, without an address, in a folder of the data.

    `installation` tells them apart there; "" for an id kept in the data folder.
    """

    address: str = declared("", written="address")
    token: str = declared("", secret=True)
    installation: str = declared("")

    def server(self) -> ChromaServer | None:
        """The server that is meant; None for the folder."""
        named = server_at(self.address)
        return named and replace(named, token=self.token, installation=self.installation)


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where memories live. Fixed while they are open."""

    backend: Literal["sqlite", "chroma"] = declared("sqlite")
    chroma: ChromaSettings = declared(ChromaSettings(), when=("backend", "chroma"))


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """Daily backups: whether, how many are kept, and one each of how many weeks and months."""

    enabled: bool = declared(True, basic=True)
    keep: int = declared(7, within=(1, 365), when=("enabled", True))
    keep_weekly: int = 4
    """The newest backup of so many weeks stays beside the newest ones."""

    keep_monthly: int = 3
    """The same of so many months."""


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
