"""Carries a decay plan out for all rows at once, or tells what it will take, and when.

`_FADE` is `DecayPlan.faded`, `_SPENT` is `DecayPlan.spends`, `_AT` is `DecayPlan.spent_at`; the
contract suite holds them to it on random populations.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from sqlite3 import Connection

from ...core.forgetting.decay_plan import DecayPlan
from ...core.forgetting.lifecycle import DAY, BinPolicy
from ...core.model.memory import Kind
from ...core.ports import DecayCount, Foretold
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

_AT = (
    "CASE WHEN strength <= 0 THEN max(last_decay_at, created_at)"
    f" ELSE {_SINCE} + strength * {_CYCLE} END"
)

_TIMES = (
    f"SELECT id, kind, {_AT} AS at FROM memory WHERE {_MAY_GO} AND useful_score < :spent_below"
    " AND (strength <= 0 OR useful_score < :fades_below)"
)

# A condition on the scope makes an index lead, and each row is then looked up on its own: where
# most of the memories are asked for, all in the order of the file is quicker.
_AMONG = (
    " AND +scope IN (SELECT number FROM scope WHERE key IN (SELECT value FROM json_each(:scopes)))"
)


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


def foretold(
    snapshot: Connection,
    plan: DecayPlan,
    scopes: Collection[str],
    ends: Sequence[float],
    *,
    limit: int = 0,
    named: Collection[Kind] | None = None,
) -> Foretold:
    """How many by each of `ends`, and the first of them."""
    values = {
        "cycle": plan.cycle,
        "patience": plan.patience,
        "keep_current": plan.keep_current,
        "fades_below": plan.fades_below,
        "spent_below": plan.spent_below,
        "scopes": listed(scopes),
        "kinds": None if named is None else listed(named),
        "last": max(ends),
        "limit": limit,
        **{f"end{number}": end for number, end in enumerate(ends)},
    }
    times = _TIMES + _AMONG
    sums = ", ".join(f"total(at <= :end{number})" for number in range(len(ends)))
    [counts] = select(snapshot, f"SELECT {sums} FROM ({times})", values)
    kinds = "" if named is None else " AND kind IN (SELECT value FROM json_each(:kinds))"
    first = f"SELECT at, id FROM ({times}{kinds}) WHERE at <= :last ORDER BY at, id LIMIT :limit"
    soonest = select(snapshot, first, values) if limit else []
    return Foretold(tuple(int(count) for count in counts), tuple(soonest))
