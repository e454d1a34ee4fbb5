"""What recall did in each turn, what learning said, and where private memories were shown."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import blake2b
from sqlite3 import Connection

from ...core.model.conversation import Injected, NewTurn, Place
from ...core.model.times import utc_day
from ...core.ports import Disclosure, Extraction, Purpose, Recollection, Showing
from .ledger import count_usage
from .sql import IN_LIST, Value, listed, row, rows, run, run_many, sound, value

_RECALLED = "INSERT INTO recalls (turn, at, trace, block) VALUES (?, ?, ?, ?)"
_SHOWN = "INSERT INTO injected (turn, number, memory) VALUES (?, ?, ?)"
_READABLE = "CASE WHEN json_valid(known) THEN json_type(known) = 'object' ELSE 0 END"

EXPLAINED_TURNS = 40
FADED_AT_ONCE = 200


def record(tx: Connection, recollection: Recollection) -> None:
    turn = recollection.turn
    run(tx, "DELETE FROM recalls WHERE turn = ?", turn)
    run(tx, _RECALLED, turn, recollection.at, recollection.trace, recollection.block)
    run_many(tx, _SHOWN, [(turn, item.number, item.memory) for item in recollection.injected])
    if recollection.tokens:
        day = utc_day(recollection.at)
        count_usage(tx, day, Purpose.BLOCK, calls=1, tokens=recollection.tokens)
    _fade(tx, turn)


def _fade(tx: Connection, turn: int) -> None:
    """Drop trace and block of the session's recalls that lie `EXPLAINED_TURNS` turns back.

    The rows are written anew: one with a trace fills a page, which would stay theirs if it shrank.
    """
    query = (
        "SELECT turn, at, '', '' FROM recalls WHERE trace <> '' AND turn IN ("
        " SELECT seq FROM turns WHERE session = (SELECT session FROM turns WHERE seq = ?)"
        " AND seq < ? ORDER BY seq DESC LIMIT ? OFFSET ?)"
    )
    faded = rows(tx, query, turn, turn, FADED_AT_ONCE, EXPLAINED_TURNS)
    turns = listed([each[0] for each in faded])
    shown = rows(tx, f"SELECT turn, number, memory FROM injected WHERE turn {IN_LIST}", turns)
    run(tx, f"DELETE FROM recalls WHERE turn {IN_LIST}", turns)
    run_many(tx, _RECALLED, faded)
    run_many(tx, _SHOWN, shown)


def newest(
    con: Connection, session: str, scopes: Collection[str] | None = None
) -> Recollection | None:
    where = "" if scopes is None else f" AND scope {IN_LIST}"
    tail = (
        " JOIN turns ON turns.seq = turn JOIN episodes ON episodes.id = turns.episode"
        f" WHERE turns.session = ?{where} ORDER BY turns.seq DESC LIMIT 1"
    )
    return next(_found(con, tail, session, *(() if scopes is None else (listed(scopes),))), None)


def of_turn(con: Connection, turn: int) -> Recollection | None:
    return next(_found(con, " WHERE turn = ? AND trace <> ''", turn), None)


def newest_of_all(con: Connection, *, limit: int) -> list[Recollection]:
    return [*_found(con, " WHERE trace <> '' ORDER BY turn DESC LIMIT ?", max(0, limit))]


def _found(con: Connection, tail: str, *values: Value) -> Iterator[Recollection]:
    shown = "SELECT turn, number, memory FROM injected WHERE turn = ? ORDER BY number"
    for found in rows(con, f"SELECT turn, recalls.at, trace, block FROM recalls{tail}", *values):
        injected = tuple(Injected(*each) for each in rows(con, shown, found[0]))
        yield Recollection(*found, injected=injected)


def injected_in(con: Connection, episode: str) -> list[Injected]:
    query = (
        "SELECT turn, number, memory FROM injected JOIN turns ON turns.seq = injected.turn"
        " WHERE turns.episode = ? ORDER BY turn, number"
    )
    items = rows(con, query, episode)
    return [Injected(*item) for item in items]


def showings(con: Connection, memory: str, *, limit: int = 20) -> list[Showing]:
    query = (
        "SELECT turn, number, at FROM injected JOIN recalls USING (turn) WHERE memory = ?"
        " ORDER BY turn DESC, number DESC LIMIT ?"
    )
    found = rows(con, query, memory, max(0, limit))
    return [Showing(*item) for item in reversed(found)]


def save_extraction(tx: Connection, extraction: Extraction) -> Extraction:
    query = (
        "INSERT INTO extractions (episode, again, known, body, source) SELECT ?, ?, ?, ?, ?"
        " WHERE NOT ? OR EXISTS (SELECT 1 FROM extractions WHERE episode = ? AND NOT again)"
        # One that cannot be read is none.
        " ON CONFLICT (episode, again) DO UPDATE SET known = excluded.known, body = excluded.body,"
        f" source = excluded.source WHERE NOT ({_READABLE})"
    )
    episode, again, known = extraction.episode, extraction.again, json.dumps({**extraction.known})
    reply = (episode, again, known, extraction.body, extraction.source)
    run(tx, query, *reply, again, episode)
    return extraction_of(tx, episode, again=again) or extraction


def extraction_of(con: Connection, episode: str, *, again: bool = False) -> Extraction | None:
    query = (
        "SELECT known, body, source FROM extractions"
        " WHERE episode = ? AND again = ? AND body IS NOT NULL"
    )
    if (found := row(con, query, episode, again)) is None:
        return None
    known, body, source = found
    try:
        numbered = {int(number): memory for number, memory in json.loads(known).items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return Extraction(episode, numbered, body, source, again=again)


def finish_rereading(tx: Connection, episode: str) -> None:
    query = (
        "INSERT OR REPLACE INTO extractions (episode, again, known, source)"
        " SELECT episode, 1, '{}', '' FROM extractions WHERE episode = ? AND NOT again"
    )
    run(tx, query, episode)


WHOLE_CHAT = ""
"""Stands for an unknown conversation, and for what a host keeps beside its conversations."""

_HERE = (
    " FROM disclosures WHERE session = ? AND ended = 0"
    f" AND (conversation IN (?, '{WHOLE_CHAT}') OR ? = '{WHOLE_CHAT}')"
)


def note(tx: Connection, journal: str, place: Place, owners: Collection[str]) -> None:
    """From now on the answers in the place may repeat what belongs to the `owners`."""
    since = value(tx, "SELECT seq FROM sqlite_sequence WHERE name = 'turns'") or 0
    query = (
        "INSERT INTO disclosures (session, conversation, owner, since) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET ended = 0"
    )
    for conversation, owner in sorted(missing(tx, journal, place, owners)):
        run(tx, query, digest(journal, place.session), conversation, owner, since)


def missing(
    con: Connection, journal: str, place: Place, owners: Collection[str]
) -> set[tuple[str, str]]:
    """Conversations and owners' digests that are still to be noted: what `note` would add."""
    query = "SELECT conversation, owner FROM disclosures WHERE session = ? AND ended = 0"
    noted = rows(con, query, digest(journal, place.session))
    conversations = {sound(place.conversation), WHOLE_CHAT}
    wanted = {(one, digest(journal, owner)) for one in conversations for owner in owners}
    return wanted.difference(noted)


def holds(con: Connection, journal: str, place: Place) -> bool:
    """Whether an answer in the place may repeat a private memory."""
    session, conversation = digest(journal, place.session), place.conversation
    return row(con, f"SELECT 1{_HERE}", session, conversation, conversation) is not None


def is_private_reply(tx: Connection, journal: str, answer: NewTurn, conversation: str) -> bool:
    """Whether the answer that is being written may repeat one; its conversation may from now on."""
    place = Place(answer.place.session, conversation, answer.place.scope)
    if answer.disclosed:
        note(tx, journal, place, answer.disclosed)
    if not holds(tx, journal, place):
        return False
    session = digest(journal, place.session)
    query = (
        "INSERT INTO disclosures (session, conversation, owner, since)"
        f" SELECT DISTINCT session, ?, owner, since{_HERE} ON CONFLICT DO UPDATE SET ended = 0"
    )
    run(tx, query, conversation, session, conversation, conversation)
    return True


def end(tx: Connection, journal: str, place: Place, *, whole: bool) -> None:
    """The host's history of this conversation is gone; with `whole`, what it keeps beside it."""
    gone = {place.conversation} - {WHOLE_CHAT} | ({WHOLE_CHAT} if whole else set())
    query = (
        "UPDATE disclosures SET ended = 1 WHERE session = ? AND ended = 0"
        f" AND conversation {IN_LIST}"
    )
    run(tx, query, digest(journal, place.session), listed(gone))


def answers(con: Connection, journal: str, owners: Collection[str]) -> list[int]:
    """Seqs of the bot's turns that may repeat what belongs to one of the `owners`."""
    whose = listed(digest(journal, owner) for owner in owners)
    query = f"SELECT session, min(since) FROM disclosures WHERE owner {IN_LIST} GROUP BY session"
    since = dict(rows(con, query, whose))
    if not since:
        return []
    replies = rows(con, "SELECT seq, session FROM turns WHERE reserved = 1 ORDER BY seq")
    first = {session: since.get(digest(journal, session)) for _, session in replies}
    return [
        seq for seq, session in replies if (least := first[session]) is not None and seq > least
    ]


def every(con: Connection) -> list[Disclosure]:
    found = rows(con, "SELECT session, conversation, owner, since, ended FROM disclosures")
    return [Disclosure(*values, ended=bool(ended)) for *values, ended in found]


def adopt(tx: Connection, known: Collection[Disclosure]) -> None:
    for one in known:
        query = (
            "INSERT INTO disclosures VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET ended = excluded.ended"
        )
        run(tx, query, one.session, one.conversation, one.owner, one.since, one.ended)


def digest(journal: str, text: str) -> str:
    """What stands for a session or an owner."""
    return blake2b(sound(text).encode(), digest_size=16, key=journal.encode()).hexdigest()


SHORTEST = 4
PIECE = 24

type Pieces = Mapping[str, frozenset[str]]
"""What to look for, by its first `SHORTEST` letters."""


def pieces_of(texts: Iterable[str]) -> Pieces:
    """Pieces of the texts by which a quotation of them is recognised."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for text in texts:
        for piece in _cut(_letters(text)):
            found[piece[:SHORTEST]].add(piece)
    return {start: frozenset(pieces) for start, pieces in found.items()}


def quotes(text: str, pieces: Pieces) -> bool:
    """Whether the text holds one of the pieces."""
    letters = _letters(text)
    starts = {letters[n : n + SHORTEST] for n in range(len(letters) - SHORTEST + 1)}
    return any(piece in letters for start in starts & pieces.keys() for piece in pieces[start])


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def _cut(letters: str) -> list[str]:
    if len(letters) < PIECE:
        return [letters] if len(letters) >= SHORTEST else []
    return [letters[n : n + PIECE] for n in range(0, len(letters) - PIECE + 1, PIECE)]
