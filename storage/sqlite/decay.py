"""Natural decay of every live memory in two statements; the numbers come from the policy.

`_FADE` is `Tmd.fade` and `_BIN` is `lifecycle.to_bin` for all rows at once; the contract suite
holds them to it on random populations.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Connection

from ...core.forgetting.lifecycle import DAY, BinPolicy
from ...core.forgetting.tmd import Tmd
from ...core.ports import DecayCount
from .records import select

_SINCE = "max(last_decay_at, last_recalled_at, created_at)"
_CYCLES = f"((:now - {_SINCE}) / :cycle)"

# CAST truncates, which is `floor` here: only rows at least one cycle old are touched.
_STEPS = f"CAST({_CYCLES} AS INTEGER)"

_FADE = f"""
    UPDATE memory
    SET strength = max(0, strength - {_STEPS}), last_decay_at = {_SINCE} + {_STEPS} * :cycle
    WHERE status = 'live' AND exempt = 0 AND kind <> 'prospective'
        AND useful_score < :tier0 AND useful_score < :tier1 AND {_CYCLES} >= 1
"""

_SPENT = (
    "status = 'live' AND strength <= 0 AND exempt = 0 AND kind <> 'prospective'"
    " AND useful_score < :tier1"
)

# In the order of the file: through an index each row would be looked up on its own.
_DISCOUNT = f"""
    UPDATE scope
    SET rows = scope.rows - gone.rows, terms = scope.terms - gone.terms
    FROM (
        SELECT scope, sum(recallable) AS rows, sum(recallable * terms) AS terms
        FROM memory NOT INDEXED WHERE {_SPENT} GROUP BY scope
    ) AS gone
    WHERE scope.number = gone.scope
"""

_BIN = f"""
    UPDATE memory
    SET status = 'binned', since = :now, reason = 'decayed', purge_at = :purge_at, recallable = 0
    WHERE {_SPENT}
    RETURNING scope, row
"""


@dataclass(frozen=True, slots=True)
class Decay:
    """What a pass did, and the rows it binned, by scope."""

    count: DecayCount
    gone: Mapping[int, Sequence[int]]


def decay(transaction: Connection, now: float, policy: Tmd, bin_policy: BinPolicy) -> Decay:
    """Fade, then bin what is spent. Corpus statistics follow; index entries are left to settle."""
    parameters = policy.parameters
    values = {
        "now": now,
        "cycle": policy.cycle_seconds,
        "tier0": parameters.tier0_threshold,
        "tier1": parameters.tier1_threshold,
        "purge_at": now + bin_policy.keep_days * DAY,
    }
    faded = transaction.execute(_FADE, values)
    transaction.execute(_DISCOUNT, values)
    binned = select(transaction, _BIN, values)
    gone: defaultdict[int, list[int]] = defaultdict(list)
    for scope, row in binned:
        gone[scope].append(row)
    return Decay(DecayCount(faded.rowcount, len(binned)), gone)
