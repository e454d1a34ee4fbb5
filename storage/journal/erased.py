"""The ledger of erasures: in the journal, and in a file beside it that no restoring replaces."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from ...core.model.consent import Consent
from ...core.model.conversation import Account, Scope
from ...core.model.errors import Fault, StorageError
from ...core.ports import Ledger, Work, WorkKind
from ...core.records.notes import put_text
from . import ledger, people
from .people import platform_of
from .sql import rows, value
from .work import enqueue_new, keyed

FILE = "erasures.json"
NOTE = "erasures"
KEY = "erase:"
"""Begins the keys of work that erases."""

_PENDING = (
    f"SELECT min(json_extract(payload, '$.number')) FROM work WHERE kind = '{WorkKind.ERASE}'"
)
_MARK = (
    'INSERT INTO audit (key, memory, scope, action, "by", at, detail)'
    " VALUES (?, '', '', 'erasure', '', 0, '{}') RETURNING id"
)
"""An entry of no memory, which nothing deletes: ids of entries that are deleted are given again."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A ledger; `through`: this journal is rid of what was erased up to this number, or will be."""

    ledger: Ledger
    through: int


def read(con: Connection) -> Kept:
    """What the journal knows. `open_ledger` has seen to it that there is something."""
    kept = _noted(con)
    assert kept is not None, "written at opening"
    pending = value(con, _PENDING)
    settled = kept.ledger.count if pending is None else int(pending) - 1
    return replace(kept, ledger=replace(kept.ledger, settled=settled))


def open_ledger(tx: Connection, folder: Path, *, fresh: bool) -> None:
    """Bring journal and file together; queue the erasing of what only the file knows.

    A journal that is `fresh` holds nothing that was ever erased.
    """
    noted, filed = _noted(tx), _filed(folder)
    kept = noted or Kept(filed or Ledger(secrets.token_hex(32)), 0)
    if filed is not None:
        kept = _joined(kept, filed)
    if fresh:
        kept = replace(kept, through=kept.ledger.count)
    if kept.through < kept.ledger.count:
        _enqueue(tx, kept.ledger.count, {"after": kept.through}, first=kept.through + 1)
        kept = replace(kept, through=kept.ledger.count)
    _write(tx, kept)


def is_current(con: Connection, folder: Path) -> bool:
    """Whether `open_ledger` would have nothing to write into the journal."""
    noted, filed = _noted(con), _filed(folder)
    if noted is None:
        return False
    known = noted if filed is None else _joined(noted, filed)
    return known == noted and noted.through >= noted.ledger.count


def begin(tx: Connection, choices: Mapping[str, Consent]) -> Work:
    """Enter the erasure of these owners under the next number."""
    kept = read(tx)
    number = kept.ledger.count + 1
    accounts = ((scope.platform, scope.subject) for scope in map(Scope.parse, choices))
    digests = {kept.ledger.digest(account): number for account in accounts}
    numbers = {**kept.ledger.numbers, **digests}
    _write(tx, Kept(replace(kept.ledger, count=number, numbers=numbers), number))
    for owner, consent in choices.items():
        people.set_consent(tx, owner, consent)
    return _enqueue(tx, number, {"owners": sorted(choices)}, first=number)


def take(tx: Connection, other: Ledger) -> int:
    """Know also of these erasures; up to which this journal knew before."""
    kept = _joined(read(tx), other)
    _write(tx, kept)
    return kept.through


def heard(con: Connection) -> frozenset[Account]:
    found = rows(
        con,
        "SELECT DISTINCT scope, speaker_id FROM turns JOIN episodes ON episodes.id = turns.episode"
        " WHERE role <> 'assistant'",
    )
    spoken = {(platform_of(scope), user) for scope, user in found}
    return frozenset((platform, user) for platform, user in spoken if platform is not None)


def write_file(folder: Path, known: Ledger) -> None:
    """Keep the ledger in the file, on the disk when this returns. Raises StorageError."""
    told = {"key": known.key, "count": known.count, "numbers": dict(known.numbers)}
    if _filed(folder) == replace(known, settled=0):
        return
    try:
        put_text(json.dumps(told), folder / FILE)
    except OSError as error:
        text = f"{FILE} cannot be written ({error})"
        raise StorageError(text, file=FILE, fault=Fault.UNREADABLE) from error


def _joined(kept: Kept, other: Ledger) -> Kept:
    """With the erasures of both. Those under another key cannot be compared: `other` holds."""
    ours, same = kept.ledger, kept.ledger.key == other.key
    if not same:
        return Kept(other, 0)
    digests = ours.numbers.keys() | other.numbers.keys()
    numbers = {d: max(ours.numbers.get(d, 0), other.numbers.get(d, 0)) for d in digests}
    return replace(
        kept, ledger=Ledger(ours.key, max(ours.count, other.count), dict(sorted(numbers.items())))
    )


def _enqueue(tx: Connection, number: int, payload: Mapping[str, Any], *, first: int) -> Work:
    key = f"{KEY}{number}:{secrets.token_hex(4)}"
    until = value(tx, "SELECT coalesce(max(seq), 0) FROM turns")
    noted = value(tx, _MARK, key)
    told = {**payload, "number": first, "until": until, "noted": noted}
    enqueue_new(tx, WorkKind.ERASE, key, told)
    work = keyed(tx, key)
    assert work is not None, "just queued"
    return work


def _noted(con: Connection) -> Kept | None:
    return _kept(ledger.note(con, NOTE))


def _filed(folder: Path) -> Ledger | None:
    try:
        kept = _kept((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return None if kept is None else kept.ledger


def _kept(text: str | None) -> Kept | None:
    """What was written; None for nothing, or for what cannot be read."""
    try:
        told = json.loads(text or "")
        bytes.fromhex(told["key"])
        numbers = {str(digest): int(number) for digest, number in told["numbers"].items()}
        known = Ledger(told["key"], int(told["count"]), numbers)
        return Kept(known, int(told.get("through", 0)))
    except (ValueError, TypeError, LookupError, AttributeError):
        return None


def _write(tx: Connection, kept: Kept) -> None:
    known = kept.ledger
    told = {"key": known.key, "count": known.count, "numbers": dict(known.numbers)}
    ledger.set_note(tx, NOTE, json.dumps({**told, "through": kept.through}))
