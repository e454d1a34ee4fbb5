"""The journal: every turn, what recall and learning did with it, and the work still to do."""

from pathlib import Path
from time import time

from ..connections import Database
from ..lease import Holder, fence
from ..migrations import migrate
from .erased import is_current, open_ledger
from .local import LocalJournal
from .migrations import STEPS
from .sql import value
from .work import any_unreadable, bury_unreadable

FILE = "journal.db"


async def open_journal(folder: Path, holder: Holder | None = None) -> LocalJournal:
    """Open or create the journal in `folder`, which must exist; for one `holder` alone if given.

    Raises SchemaTooNew for the file of a newer version and StorageError for one that cannot be
    used; either is left untouched.
    """
    database = await Database.open(folder / FILE)
    try:
        steps = await migrate(database, STEPS)
        if holder is not None:
            await fence(database, "notes", holder)
        # A file that cannot be written is opened all the same where there is nothing to write.
        if await database.read(any_unreadable):
            await database.write(bury_unreadable)
        fresh = STEPS[0].__name__ in steps
        if fresh or not await database.read(lambda con: is_current(con, folder)):
            await database.write(lambda tx: open_ledger(tx, folder, fresh=fresh))
        id = await database.read(lambda con: value(con, "SELECT id FROM identity"))
        # An older journal may have been put back beside memories that know later turns.
        journal = LocalJournal(database, id, least_seq=int(time() * 1000))
        await journal.keep_ledger()
    except BaseException:
        await database.close()
        raise
    return journal
