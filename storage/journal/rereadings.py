"""Second readings of episodes: the reply until it is applied, then only that it was done."""

import json
from sqlite3 import Connection

from ...core.ports import Extraction
from .sql import row, run


def keep(tx: Connection, extraction: Extraction) -> Extraction:
    """Keep the first reply; the one that is kept."""
    known = {str(number): memory for number, memory in extraction.known.items()}
    run(
        tx,
        "INSERT OR IGNORE INTO rereadings (episode, known, body, source, done)"
        " SELECT episode, ?, ?, ?, 0 FROM extractions WHERE episode = ?",
        json.dumps(known),
        extraction.body,
        extraction.source,
        extraction.episode,
    )
    return kept(tx, extraction.episode) or extraction


def kept(con: Connection, episode: str) -> Extraction | None:
    """The reply that is still to be applied."""
    found = row(
        con, "SELECT known, body, source FROM rereadings WHERE episode = ? AND NOT done", episode
    )
    if found is None:
        return None
    known, body, source = found
    numbered = {int(number): memory for number, memory in json.loads(known).items()}
    return Extraction(episode, numbered, body, source, again=True)


def finish(tx: Connection, episode: str) -> None:
    """It has been compared, and what was read of it again is applied."""
    run(
        tx,
        "INSERT OR REPLACE INTO rereadings (episode, known, body, source, done)"
        " SELECT episode, '{}', '', '', 1 FROM extractions WHERE episode = ?",
        episode,
    )
