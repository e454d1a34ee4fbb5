"""What memories came from, read from the relations in their bodies, one step after the other."""

import json
from collections.abc import Iterable, Sequence
from sqlite3 import Connection

from ...core.graph.links import provenance
from ...core.model.knowledge import Relation
from ...core.ports import Ancestor
from ..lineage import Provenance, walk
from .records import IN_LIST, listed, select, within


def ancestors(
    snapshot: Connection, ids: Sequence[str], scopes: Iterable[str], *, depth: int = 5
) -> list[Ancestor]:
    """Breadth first, at most `depth` steps."""
    inside = within(list(scopes))

    def read(level: Sequence[str]) -> Provenance:
        # Only the relations are parsed: a whole memory takes ten times as long.
        rows = select(
            snapshot,
            "SELECT memory.id, CASE WHEN json_valid(CAST(document.body AS TEXT))"
            " THEN json_extract(CAST(document.body AS TEXT), '$.relations') END"
            " FROM memory JOIN document ON document.memory = memory.row"
            f" WHERE memory.id {IN_LIST} AND {inside.sql}",
            (listed(level), *inside.values),
        )
        return {id: provenance(id, _relations(stated)) for id, stated in rows}

    return walk(ids, depth, read)


def _relations(stated: str | None) -> list[Relation]:
    try:
        return [Relation(**relation) for relation in json.loads(stated or "[]")]
    except (ValueError, TypeError):
        return []
