"""People: their names in each chat, who is whom on other platforms, what they consent to."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from sqlite3 import Connection
from typing import Any

from ...core.model.consent import Consent, GroupRecording
from ...core.model.conversation import Account, Scope
from .sql import put, rows, run


def platform_of(scope: str) -> str | None:
    """The platform of a scope's key; None if it is not a key."""
    try:
        return Scope.parse(scope).platform
    except ValueError:
        return None


def owner_of(scope: str) -> str | None:
    """The chat of a scope's key, whatever the persona (`Scope.owner`); None if it is not a key."""
    try:
        return Scope.parse(scope).owner
    except ValueError:
        return None


CHAT = ""
"""In the place of a user: the chat itself."""

_NAMES = "SELECT owner, user, name FROM names WHERE user <> ?"


def note_name(tx: Connection, scope: str, user: str, name: str) -> None:
    """Keep the name of somebody who speaks in a scope's chat, or of the chat.

    Unless it is empty or known.
    """
    owner = owner_of(scope)
    if not name or owner is None:
        return
    query = (
        "INSERT INTO names (owner, user, name) VALUES (?, ?, ?)"
        " ON CONFLICT (owner, user) DO UPDATE SET name = excluded.name"
        " WHERE name <> excluded.name"
    )
    run(tx, query, owner, user, name)


def forget_chat_names(tx: Connection, scopes: Iterable[str]) -> None:
    """Forget the names of the chats of these scopes of which nothing is recorded any more."""
    for owner in {owner for scope in scopes if (owner := owner_of(scope)) is not None}:
        chat = owner.rpartition("/")[0]
        run(
            tx,
            f"DELETE FROM names WHERE owner = ? AND user = '{CHAT}' AND NOT EXISTS"
            # Whatever the persona: "0" comes next after "/".
            " (SELECT 1 FROM episodes WHERE scope >= ? AND scope < ?)",
            owner,
            f"{chat}/",
            f"{chat}0",
        )


def chat_names(con: Connection) -> dict[str, str]:
    return dict(rows(con, "SELECT owner, name FROM names WHERE user = ?", CHAT))


def forget_names(tx: Connection, accounts: Iterable[Account]) -> None:
    """Forget what these go by, but for names that a turn which is still recorded was said under."""
    for platform, user in accounts:
        kept = {(owner_of(scope), name) for scope, name in _spoken_under(tx, user)}
        found = rows(tx, "SELECT owner, name FROM names WHERE user = ?", user)
        for owner, name in found:
            if platform_of(owner) == platform and (owner, name) not in kept:
                run(tx, "DELETE FROM names WHERE owner = ? AND user = ?", owner, user)


def _spoken_under(con: Connection, user: str) -> list[Any]:
    query = (
        "SELECT DISTINCT scope, speaker_name FROM turns"
        " JOIN episodes ON episodes.id = turns.episode WHERE speaker_id = ?"
    )
    return rows(con, query, user)


def names(con: Connection) -> dict[str, dict[Account, str]]:
    found: defaultdict[str, dict[Account, str]] = defaultdict(dict)
    for owner, user, name in rows(con, _NAMES, CHAT):
        found[owner][Scope.parse(owner).platform, user] = name
    return dict(found)


def aliases(con: Connection) -> dict[tuple[str, str], str]:
    """(platform, user id) -> person."""
    found = rows(con, "SELECT platform, user, person FROM aliases")
    return {(platform, user): person for platform, user, person in found}


def set_alias(tx: Connection, platform: str, user: str, person: str | None) -> None:
    """Set, or with None remove, an alias."""
    if person is None:
        run(tx, "DELETE FROM aliases WHERE platform = ? AND user = ?", platform, user)
    else:
        put(tx, "aliases", platform=platform, user=user, person=person)


def consents(con: Connection) -> dict[str, Consent]:
    choices = "paused, shared, keep_days, reminded, recording, silent"
    found = rows(con, f"SELECT owner, {choices} FROM consents")
    return {
        owner: Consent(
            bool(paused),
            bool(shared),
            keep_days,
            bool(reminded),
            GroupRecording(recording) if recording else None,
            bool(silent),
        )
        for owner, paused, shared, keep_days, reminded, recording, silent in found
    }


def set_consent(tx: Connection, owner: str, consent: Consent) -> None:
    if consent == Consent():
        run(tx, "DELETE FROM consents WHERE owner = ?", owner)
    else:
        choices = asdict(consent)
        put(tx, "consents", owner=owner, **{**choices, "recording": consent.recording or ""})
