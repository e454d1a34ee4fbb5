"""Settings of a turn: what is recalled and learnt, for whom, and what people see."""

from dataclasses import dataclass
from typing import Literal

from ..model.conversation import ScopeKind
from ..model.declaration import Provider, declared
from ..prompts.instructions import OURS, Instructions


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
    fusion: Literal["weighted", "ranks"] = declared("weighted", when=("enabled", True))
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
