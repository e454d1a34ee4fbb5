"""When memories will be forgotten by a decay plan, computed from their columns.

`_AT` is `DecayPlan.spent_at`; the contract suite holds it to that on random populations.
"""

from collections.abc import Collection, Sequence
from sqlite3 import Connection

from ...core.forgetting.decay_plan import DecayPlan
from ...core.model.memory import Kind
from ...core.ports import Foretold
from .decay import CYCLE, MAY_GO, SINCE
from .records import listed, select

_AT = (
    "CASE WHEN strength <= 0 THEN max(last_decay_at, created_at)"
    f" ELSE {SINCE} + strength * {CYCLE} END"
)

_TIMES = (
    f"SELECT id, kind, {_AT} AS at FROM memory WHERE {MAY_GO} AND useful_score < :spent_below"
    " AND (strength <= 0 OR useful_score < :fades_below)"
)

# A condition on the scope makes an index lead, and each row is then looked up on its own: where
# most of the memories are asked for, all in the order of the file is quicker.
_WITHIN = (
    " AND +scope IN (SELECT number FROM scope WHERE key IN (SELECT value FROM json_each(:scopes)))"
)


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
    times = _TIMES + _WITHIN
    sums = ", ".join(f"total(at <= :end{number})" for number in range(len(ends)))
    [counts] = select(snapshot, f"SELECT {sums} FROM ({times})", values)
    kinds = "" if named is None else " AND kind IN (SELECT value FROM json_each(:kinds))"
    first = f"SELECT at, id FROM ({times}{kinds}) WHERE at <= :last ORDER BY at, id LIMIT :limit"
    soonest = select(snapshot, first, values) if limit else []
    return Foretold(tuple(int(count) for count in counts), tuple(soonest))
