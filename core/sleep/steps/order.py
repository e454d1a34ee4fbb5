"""Every step of a sleep, in order. Algorithms, section 13."""

from collections.abc import Iterable

from ..pipeline import Step, Steps
from .conflicts import ConflictStep
from .coverage import CoverageStep
from .decay import DecayStep
from .enrichment import EnrichmentStep
from .intentions import IntentionStep
from .merging import MergingStep
from .names import CommunityStep, LinkStep
from .profile import ProfileStep
from .threads import ThreadStep
from .upkeep import CensusStep, CondenseStep, PurgeStep

OF_SCOPE: tuple[type[Step], ...] = (
    DecayStep,
    CoverageStep,
    ConflictStep,
    EnrichmentStep,
    LinkStep,
    MergingStep,
    IntentionStep,
    ProfileStep,
    ThreadStep,
    CommunityStep,
)
OF_INSTALLATION: tuple[type[Step], ...] = (PurgeStep, CensusStep, CondenseStep)
"""The name of each is said by the message `step.<name>`."""


def in_order(steps: Iterable[Step]) -> Steps:
    """These steps, one of each class, in their places."""
    built = {type(step): step for step in steps}
    return Steps([built[each] for each in OF_SCOPE], [built[each] for each in OF_INSTALLATION])
