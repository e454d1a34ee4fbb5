"""Codes that a person repeats before something is done that cannot be undone."""

import secrets
from dataclasses import dataclass

from .caller import Caller

VALID = 300.0
"""Seconds."""

MOST = 256
"""Open questions; the oldest is dropped for a new one."""

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LENGTH = 6


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be confirmed, by whom and in which chat."""

    session: str
    person: str
    what: str


@dataclass(frozen=True, slots=True)
class _Open:
    """The code that was given out, and when it ends, Unix seconds."""

    code: str
    until: float


class Confirmations:
    """Open questions of one installation, in memory: a restart forgets them."""

    def __init__(self) -> None:
        self._open: dict[_Asked, _Open] = {}

    def ask(self, caller: Caller, what: str, *, now: float) -> str:
        """A new code for `what`, good for `VALID` seconds; an earlier one for it ends."""
        asked = _Asked(caller.session, caller.person, what)
        self._open = {key: held for key, held in self._open.items() if held.until > now}
        self._open.pop(asked, None)
        while len(self._open) >= MOST:
            self._open.pop(next(iter(self._open)))
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        self._open[asked] = _Open(code, now + VALID)
        return code

    def redeem(self, caller: Caller, what: str, code: str, *, now: float) -> bool:
        """Whether this is the code the caller got for `what` in this chat; it then ends.

        Case does not matter.
        """
        asked = _Asked(caller.session, caller.person, what)
        held = self._open.get(asked)
        if held is None or held.until <= now or held.code != code.strip().upper():
            return False
        del self._open[asked]
        return True
