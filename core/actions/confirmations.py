"""Codes that a person repeats before something is done that cannot be undone, and who looks at
others' private memories.
"""

import asyncio
import secrets
from dataclasses import dataclass, field

from ..model.conversation import Account
from .answers import Caller

VALID = 300.0
"""Seconds."""

MOST = 256
"""Open questions; the oldest is dropped for a new one."""

LOOK = 1_800.0
"""Seconds for which a reason once given holds on the page."""

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LENGTH = 6


type _Asked = tuple[str, str, str]
"""In which chat and by whom what is to be confirmed."""


@dataclass(frozen=True, slots=True)
class _Open:
    """The code that was given out, to which account, and when it ends, Unix seconds."""

    code: str
    until: float
    account: Account


@dataclass(frozen=True, slots=True)
class PrivateLook:
    """One look at others' private memories: its reason, its end in Unix seconds, and the owners
    (`Scope.owner`) for whom it is on record.
    """

    reason: str
    until: float
    noted: set[str] = field(default_factory=set[str])
    noting: asyncio.Lock = field(default_factory=asyncio.Lock)


class Confirmations:
    """Open questions and looks of one installation, in memory: a restart forgets them."""

    def __init__(self) -> None:
        self._open: dict[_Asked, _Open] = {}
        self._looks: dict[str, PrivateLook] = {}

    def look(self, caller: Caller, reason: str, *, now: float) -> PrivateLook:
        """The caller's look for this reason, begun now unless one goes on."""
        look = self._looks.get(caller.session)
        if look is None or look.until <= now or look.reason != reason:
            look = self._looks[caller.session] = PrivateLook(reason, now + LOOK)
        return look

    def ask(self, caller: Caller, what: str, *, now: float) -> str:
        """A new code for `what`, good for `VALID` seconds; an earlier one for it ends."""
        asked = (caller.session, caller.person, what)
        self._open = {key: held for key, held in self._open.items() if held.until > now}
        self._open.pop(asked, None)
        while len(self._open) >= MOST:
            self._open.pop(next(iter(self._open)))
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        self._open[asked] = _Open(code, now + VALID, (caller.scope.platform, caller.person))
        return code

    def redeem(self, caller: Caller, what: str, code: str, *, now: float) -> bool:
        """Whether this is the code the caller got for `what` in this chat; it then ends.

        Case does not matter.
        """
        asked = (caller.session, caller.person, what)
        held = self._open.get(asked)
        if held is None or held.until <= now or held.code != code.strip().upper():
            return False
        del self._open[asked]
        return True

    def asker(self, what: str, code: str, *, now: float) -> Account | None:
        """Which account was given this code for `what`, in whatever chat, if any; it then ends."""
        for asked, held in self._open.items():
            if asked[-1] == what and held.code == code.strip().upper() and held.until > now:
                del self._open[asked]
                return held.account
        return None
