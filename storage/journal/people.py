"""People: the names they last spoke under, who is whom on other platforms, what they consent to."""

from collections.abc import Iterable
from sqlite3 import Connection

from ...core.model.consent import Consent
from ...core.model.conversation import Account, Scope
from .sql import rows, run


def platform_of(scope: str) -> str | None:
    """The platform of a scope's key; None if it is not a key."""
    try:
        return Scope.parse(scope).platform
    except ValueError:
        return None


def note_name(tx: Connection, scope: str, speaker: str, name: str) -> None:
    """Keep the name of somebody who speaks in a scope, unless it is empty or known."""
    platform = platform_of(scope)
    if not name or platform is None:
        return
    run(
        tx,
        "INSERT INTO people (platform, user, name) VALUES (?, ?, ?)"
        " ON CONFLICT (platform, user) DO UPDATE SET name = excluded.name"
        " WHERE name <> excluded.name",
        platform,
        speaker,
        name,
    )


def forget_names(tx: Connection, accounts: Iterable[Account]) -> None:
    """Forget what these go by, until they speak again."""
    for platform, user in accounts:
        run(tx, "DELETE FROM people WHERE platform = ? AND user = ?", platform, user)


def names(con: Connection) -> dict[tuple[str, str], str]:
    """(platform, user id) -> name."""
    found = rows(con, "SELECT platform, user, name FROM people")
    return {(platform, user): name for platform, user, name in found}


def aliases(con: Connection) -> dict[tuple[str, str], str]:
    """(platform, user id) -> person."""
    found = rows(con, "SELECT platform, user, person FROM aliases")
    return {(platform, user): person for platform, user, person in found}


def set_alias(tx: Connection, platform: str, user: str, person: str | None) -> None:
    """Set, or with None remove, an alias."""
    if person is None:
        run(tx, "DELETE FROM aliases WHERE platform = ? AND user = ?", platform, user)
        return
    run(
        tx,
        "INSERT INTO aliases (platform, user, person) VALUES (?, ?, ?)"
        " ON CONFLICT (platform, user) DO UPDATE SET person = excluded.person",
        platform,
        user,
        person,
    )


def consents(con: Connection) -> dict[str, Consent]:
    """Owner -> choices, of those who differ from the default."""
    found = rows(con, "SELECT owner, paused, shared, keep_days FROM consents")
    return {
        owner: Consent(bool(paused), bool(shared), keep_days)
        for owner, paused, shared, keep_days in found
    }


def set_consent(tx: Connection, owner: str, consent: Consent) -> None:
    """Replace the owner's choices; the default ones leave no row."""
    run(tx, "DELETE FROM consents WHERE owner = ?", owner)
    if consent == Consent():
        return
    run(
        tx,
        "INSERT INTO consents (owner, paused, shared, keep_days) VALUES (?, ?, ?, ?)",
        owner,
        int(consent.paused),
        int(consent.shared),
        consent.keep_days,
    )
