"""Named migrations: each step is one transaction together with its record.

A step is an async function over the transaction; its name is its identity, so steps are never
renamed, reordered or removed once released.
"""

from collections.abc import Awaitable, Callable, Sequence

import aiosqlite

from ..core.errors import SchemaTooNew
from .connections import Database

type Step = Callable[[aiosqlite.Connection], Awaitable[None]]


async def migrate(database: Database, steps: Sequence[Step]) -> tuple[str, ...]:
    """Apply the steps that are pending, in order; returns their names.

    A file that already holds data is copied beside itself (`<stem>.before-<step>.db`) before
    its first pending step. Raises SchemaTooNew, leaving the file untouched, if it records a
    step that is not in `steps`.
    """
    done = await _recorded(database)
    unknown = done - {step.__name__ for step in steps}
    if unknown:
        name = database.path.name
        raise SchemaTooNew(f"{name} was written by a newer version ({', '.join(sorted(unknown))})")
    pending = [step for step in steps if step.__name__ not in done]
    if pending and done:
        file = database.path
        await database.copy_to(file.with_name(f"{file.stem}.before-{pending[0].__name__}.db"))
    for step in pending:
        await _apply(database, step)
    return tuple(step.__name__ for step in pending)


async def _apply(database: Database, step: Step) -> None:
    async with database.write() as transaction:
        await transaction.execute(
            "CREATE TABLE IF NOT EXISTS migration (ordinal INTEGER PRIMARY KEY, name TEXT UNIQUE)"
        )
        await step(transaction)
        await transaction.execute("INSERT INTO migration (name) VALUES (?)", (step.__name__,))


async def _recorded(database: Database) -> set[str]:
    async with database.read() as snapshot:
        tables = await snapshot.execute_fetchall(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'"
        )
        if not list(tables):
            return set()
        return {name for (name,) in await snapshot.execute_fetchall("SELECT name FROM migration")}
