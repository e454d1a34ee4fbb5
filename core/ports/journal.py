"""The journal as a whole: the sum of its roles.

Every call may be cancelled; a cancelled write is either whole or absent. Times are Unix seconds.
"""

from collections.abc import Mapping
from typing import Protocol

from .audit import AuditLog
from .condensing import OldTurns
from .disclosures import Disclosures
from .episodes import Episodes
from .erasure import Deletions, ErasureLedger
from .extractions import Extractions, Rereadings
from .identity import JournalIdentity
from .notes import Notes
from .people import Accounts, Choices
from .recalls import Recalls
from .sleeps import SleepReports, Sleeps
from .turns import Turns
from .usage import ModelUsage
from .verdicts import Verdicts
from .work import WorkQueue


class Journal(
    JournalIdentity,
    Turns,
    Episodes,
    WorkQueue,
    Extractions,
    Rereadings,
    ModelUsage,
    Recalls,
    Verdicts,
    AuditLog,
    Accounts,
    Choices,
    Notes,
    OldTurns,
    Disclosures,
    ErasureLedger,
    Deletions,
    Sleeps,
    SleepReports,
    Protocol,
):
    """Always a local file. Whoever composes holds all of it; others ask for the roles they use."""

    async def statistics(self) -> Mapping[str, int]:
        """How many, by name: `turns`, `episodes`, `open_episodes`, `recalls`.

        Those that `condense` has dropped are counted, what was erased is not.
        """
        ...

    async def close(self) -> None:
        """Release everything. Idempotent."""
        ...
