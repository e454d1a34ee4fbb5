"""Disclosures: where private memories were shown in a group, and which answers may repeat them.

Sessions and owners are kept as digests: what holds here outlives the erasure of a person.
"""

from collections.abc import Collection
from hashlib import blake2b
from sqlite3 import Connection

from ...core.model.conversation import NewTurn, Place
from ...core.ports import Disclosure
from .sql import IN_LIST, listed, row, rows, run, run_many, sound

WHOLE_CHAT = ""
"""Stands for an unknown conversation, and for what a host keeps beside its conversations."""

_HERE = (
    " FROM disclosures WHERE session = ? AND ended = 0"
    f" AND (conversation IN (?, '{WHOLE_CHAT}') OR ? = '{WHOLE_CHAT}')"
)


def note(tx: Connection, journal: str, place: Place, owners: Collection[str]) -> None:
    """From now on the answers in the place may repeat what belongs to the `owners`."""
    last = row(tx, "SELECT seq FROM sqlite_sequence WHERE name = 'turns'")
    run_many(
        tx,
        "INSERT INTO disclosures (session, conversation, owner, since) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET ended = 0",
        [
            (digest(journal, place.session), conversation, owner, last[0] if last else 0)
            for conversation, owner in sorted(_missing(tx, journal, place, owners))
        ],
    )


def is_noted(con: Connection, journal: str, place: Place, owners: Collection[str]) -> bool:
    """Whether `note` would change nothing."""
    return not _missing(con, journal, place, owners)


def _missing(
    con: Connection, journal: str, place: Place, owners: Collection[str]
) -> set[tuple[str, str]]:
    """Conversations and owners' digests that are still to be noted."""
    noted = rows(
        con,
        "SELECT conversation, owner FROM disclosures WHERE session = ? AND ended = 0",
        digest(journal, place.session),
    )
    conversations = {sound(place.conversation), WHOLE_CHAT}
    wanted = {(one, digest(journal, owner)) for one in conversations for owner in owners}
    return wanted.difference(noted)


def holds(con: Connection, journal: str, place: Place) -> bool:
    """Whether an answer in the place may repeat a private memory."""
    conversation = place.conversation
    here = row(con, f"SELECT 1{_HERE}", digest(journal, place.session), conversation, conversation)
    return here is not None


def is_private_reply(tx: Connection, journal: str, answer: NewTurn, conversation: str) -> bool:
    """Whether the answer that is being written may repeat one; its conversation may from now on."""
    place = Place(answer.place.session, conversation, answer.place.scope)
    if answer.disclosed:
        note(tx, journal, place, answer.disclosed)
    if not holds(tx, journal, place):
        return False
    session = digest(journal, place.session)
    run(
        tx,
        "INSERT INTO disclosures (session, conversation, owner, since)"
        f" SELECT DISTINCT session, ?, owner, since{_HERE} ON CONFLICT DO UPDATE SET ended = 0",
        conversation,
        session,
        conversation,
        conversation,
    )
    return True


def end(tx: Connection, journal: str, place: Place, *, whole: bool) -> None:
    """The host's history of this conversation is gone; with `whole`, what it keeps beside it."""
    gone = {place.conversation} - {WHOLE_CHAT} | ({WHOLE_CHAT} if whole else set())
    run(
        tx,
        "UPDATE disclosures SET ended = 1 WHERE session = ? AND ended = 0"
        f" AND conversation {IN_LIST}",
        digest(journal, place.session),
        listed(gone),
    )


def answers(con: Connection, journal: str, owners: Collection[str]) -> list[int]:
    """Seqs of the bot's turns that may repeat what belongs to one of the `owners`."""
    whose = listed(digest(journal, owner) for owner in owners)
    since = dict(
        rows(
            con,
            f"SELECT session, min(since) FROM disclosures WHERE owner {IN_LIST} GROUP BY session",
            whose,
        )
    )
    if not since:
        return []
    replies = rows(con, "SELECT seq, session FROM turns WHERE reserved = 1 ORDER BY seq")
    first = {session: since.get(digest(journal, session)) for _, session in replies}
    return [
        seq for seq, session in replies if (least := first[session]) is not None and seq > least
    ]


def every(con: Connection) -> list[Disclosure]:
    """All of them, also those that have ended."""
    found = rows(con, "SELECT session, conversation, owner, since, ended FROM disclosures")
    return [Disclosure(*values, ended=bool(ended)) for *values, ended in found]


def adopt(tx: Connection, known: Collection[Disclosure]) -> None:
    """Take over what another journal of this installation knows."""
    for one in known:
        run(
            tx,
            "INSERT INTO disclosures VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET ended = excluded.ended",
            one.session,
            one.conversation,
            one.owner,
            one.since,
            one.ended,
        )


def digest(journal: str, text: str) -> str:
    """What stands for a session or an owner."""
    return blake2b(sound(text).encode(), digest_size=16, key=journal.encode()).hexdigest()
