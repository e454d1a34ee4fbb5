"""Named migrations: each step is one transaction together with its record.

A step is a function over the transaction; its name is its identity, so steps are never renamed,
reordered or removed once released.
"""

from collections.abc import Callable, Sequence
from sqlite3 import Connection

from ..core.model.errors import Fault, SchemaTooNew
from .connections import Database
from .snapshot import clean

type Step = Callable[[Connection], None]


async def migrate(database: Database, steps: Sequence[Step]) -> tuple[str, ...]:
    """Apply the steps that are pending, in order; returns their names.

    A file that already holds data is copied beside itself (`<stem>.before-<step>.db`) before
    its first pending step; at the end it is cleaned of deleted rows, if it was not. Raises
    SchemaTooNew, leaving the file untouched, if it records a step that is not in `steps`.
    """
    done = await database.read(_recorded)
    unknown = done - {step.__name__ for step in steps}
    if unknown:
        name = database.path.name
        text = f"{name} was written by a newer version ({', '.join(sorted(unknown))})"
        raise SchemaTooNew(text, file=name, fault=Fault.NEWER)
    pending = [step for step in steps if step.__name__ not in done]
    if pending and done:
        file = database.path
        await database.copy_to(file.with_name(f"{file.stem}.before-{pending[0].__name__}.db"))
    for step in pending:
        await _apply(database, step)
    await clean(database)
    return tuple(step.__name__ for step in pending)


async def _apply(database: Database, step: Step) -> None:
    def apply(transaction: Connection) -> None:
        transaction.execute(
            "CREATE TABLE IF NOT EXISTS migration (ordinal INTEGER PRIMARY KEY, name TEXT UNIQUE)"
        )
        step(transaction)
        transaction.execute("INSERT INTO migration (name) VALUES (?)", (step.__name__,))

    await database.write(apply)


def _recorded(snapshot: Connection) -> set[str]:
    tables = snapshot.execute(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'"
    )
    if not tables.fetchall():
        return set()
    return {name for (name,) in snapshot.execute("SELECT name FROM migration")}
