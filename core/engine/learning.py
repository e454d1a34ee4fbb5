"""Who learns from episodes, over the parts of an engine."""

from collections.abc import Callable
from typing import Protocol

from ..capture.known import Gathering
from ..capture.learning import Learner
from ..ports import Journal, MemoryStore, ModelSource
from ..privacy.access import ScopeAccess
from ..settings import Settings
from .profiles import Profiles


class LearningParts(Protocol):
    """Of an engine's parts, those that learning needs."""

    @property
    def store(self) -> MemoryStore: ...
    @property
    def journal(self) -> Journal: ...
    @property
    def models(self) -> ModelSource: ...
    @property
    def settings(self) -> Settings: ...


def learner(
    parts: LearningParts,
    access: ScopeAccess,
    profiles: Profiles,
    show_time: Callable[[float], str],
    failed: Callable[[str, BaseException], None],
) -> Learner:
    """Reads episodes beside what a recall for their chat could bring up."""
    gathering = Gathering(parts.journal, parts.store, access.readable, profiles.memories)
    learning = parts.settings.learning
    return Learner(parts.journal, parts.store, parts.models, learning, show_time, gathering, failed)
