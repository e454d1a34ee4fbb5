"""What the owner of memories has chosen about them. Values only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Consent:
    """The choices of one person or one group; the defaults are those of who never chose.

    `paused`: nothing is recorded or recalled. `shared`: private memories may be used in groups,
    in answers to this person. `keep_days`: memories older than that go to the bin; None keeps
    them as long as they prove useful.
    """

    paused: bool = False
    shared: bool = False
    keep_days: float | None = None
