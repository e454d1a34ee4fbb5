"""Carries a decay plan out for all rows at once.

`_FADE` is `DecayPlan.faded`, `_SPENT` is `DecayPlan.spends`; the contract suite holds them to it
on random populations.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from sqlite3 import Connection

from ...core.forgetting.decay_plan import DecayPlan
from ...core.forgetting.lifecycle import DAY, BinPolicy
from ...core.ports import DecayCount
from .records import listed, select

_SINCE = "max(last_decay_at, last_recalled_at, created_at)"
_CYCLE = "(:cycle * CASE WHEN sole THEN :patience ELSE 1.0 END)"
_CYCLES = f"((:now - {_SINCE}) / {_CYCLE})"

# CAST truncates, which is `floor` here: only rows at least one cycle old are touched.
_STEPS = f"CAST({_CYCLES} AS INTEGER)"

_MAY_GO = (
    "status = 'live' AND exempt = 0 AND kind <> 'prospective' AND (holds = 0 OR NOT :keep_current)"
)

# A condition of its own: with "in all, or in these" every row would be looked at for one scope.
_WITHIN = (
    " AND scope IN (SELECT number FROM scope WHERE key IN (SELECT value FROM json_each(:scopes)))"
)

_FADE = f"""
    UPDATE memory
    SET strength = max(0, strength - {_STEPS}), last_decay_at = {_SINCE} + {_STEPS} * {_CYCLE}
    WHERE {_MAY_GO} AND useful_score < :fades_below AND {_CYCLES} >= 1
"""

_SPENT = f"{_MAY_GO} AND strength <= 0 AND useful_score < :spent_below"

_SUMS = "SELECT scope, sum(recallable) AS rows FROM memory"

# All in the order of the file: through an index each row would be looked up on its own.
_IN_ORDER = " NOT INDEXED"

_DISCOUNT = """
    UPDATE scope
    SET rows = scope.rows - gone.rows
    FROM ({gone}) AS gone
    WHERE scope.number = gone.scope
"""

_BIN = f"""
    UPDATE memory
    SET status = 'binned', since = :now, reason = :reason, purge_at = :purge_at, recallable = 0
    WHERE {_SPENT}
"""


@dataclass(frozen=True, slots=True)
class DecayResult:
    """What a pass did, and the rows it binned, by scope."""

    count: DecayCount
    gone: Mapping[int, Sequence[int]]


def decay(
    transaction: Connection,
    now: float,
    plan: DecayPlan,
    bin_policy: BinPolicy,
    scopes: Collection[str] | None,
) -> DecayResult:
    """Fade, then bin what is spent. Corpus statistics follow; index entries are left to settle."""
    values = {
        "now": now,
        **asdict(plan),
        "scopes": None if scopes is None else listed(scopes),
        "purge_at": now + bin_policy.keep_days * DAY,
    }
    within, how = ("", _IN_ORDER) if scopes is None else (_WITHIN, "")
    faded = transaction.execute(_FADE + within, values)
    gone_rows = f"{_SUMS}{how} WHERE {_SPENT}{within} GROUP BY scope"
    transaction.execute(_DISCOUNT.format(gone=gone_rows), values)
    binned = select(transaction, f"{_BIN}{within} RETURNING scope, row", values)
    gone: defaultdict[int, list[int]] = defaultdict(list)
    for scope, row in binned:
        gone[scope].append(row)
    return DecayResult(DecayCount(faded.rowcount, len(binned)), gone)
