"""The table of further views: the vectors of a memory beside the whole, at half precision.

A view lies at the row of its memory times `PLACES` plus its place in `VIEWS`, counted from 1; it is
in the space of the whole, which names the embedder.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from sqlite3 import Connection

from ...core.model.views import VIEWS, WHOLE
from ...core.ports import Embedded, Vector, Views
from ..partitions import PLACES
from .halves import packed, restored, sound
from .records import IN_LIST, listed, select

assert len(VIEWS) < PLACES

type Placed = Mapping[int, Vector]
"""Vectors by the place of their view."""


def name(place: int) -> str:
    """The name of the view at a place."""
    return VIEWS[place - 1] if place else WHOLE


def placed(views: Views) -> dict[int, Vector]:
    """As they come back from the table."""
    return {VIEWS.index(name) + 1: restored(packed(view)) for name, view in views.items()}


def named(views: Placed) -> dict[str, Vector]:
    """By the names of the views, in the order of their places."""
    return {name(place): views[place] for place in sorted(views)}


def replace(transaction: Connection, views: Mapping[int, Views]) -> None:
    """Give these rows these unit vectors in the place of what they had."""
    delete(transaction, views)
    transaction.executemany(
        "INSERT INTO view (number, body) VALUES (?, ?)",
        [
            (row * PLACES + VIEWS.index(name) + 1, packed(view))
            for row, own in views.items()
            for name, view in own.items()
        ],
    )


def delete(transaction: Connection, rows: Iterable[int]) -> None:
    """Drop the further views of these rows."""
    if not _any(transaction):
        return
    transaction.execute(f"DELETE FROM view WHERE number {IN_LIST}", (_numbers(rows),))


def stored(snapshot: Connection, wholes: Mapping[int, Embedded]) -> dict[int, Placed]:
    """The sound views of the rows that have any, as long as the whole is."""
    if not _any(snapshot):
        return {}
    found = select(
        snapshot, f"SELECT number, body FROM view WHERE number {IN_LIST}", (_numbers(wholes),)
    )
    told = ((number, wholes[number // PLACES].fingerprint, body) for number, body in found)
    views: defaultdict[int, dict[int, Vector]] = defaultdict(dict)
    for number, own in sound(told).items():
        row, place = divmod(number, PLACES)
        if own.vector.size == wholes[row].vector.size and 0 < place <= len(VIEWS):
            views[row][place] = own.vector
    return dict(views)


def _any(snapshot: Connection) -> bool:
    """Whether there is any: where there is none, nothing is to cost more than without views."""
    return bool(select(snapshot, "SELECT EXISTS (SELECT 1 FROM view)")[0][0])


def _numbers(rows: Iterable[int]) -> str:
    places = range(1, len(VIEWS) + 1)
    return listed(row * PLACES + place for row in rows for place in places)
