"""Part of the journal: who was erased on request, as digests in the order of erasure."""

import hmac
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ..model.consent import Consent
from ..model.conversation import Account, Turn
from .work import Work

ERASED = "erased"
"""Stands in the audit log for a person who has been erased."""

DIGEST = 32
"""Characters of a digest."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What to delete for good from the journal; everything that is named, and what rests on it.

    `scopes`: every turn and episode of these scope keys. `speakers`: what these (platform, user
    id) said in any scope of that platform, with the answers they got. Of both, with `until`, the
    turns up to this seq, and with `noted` their signatures in the audit log up to this entry.
    `turns`: single turns, with their answers. `memories`: what was noted
    about these ids.
    """

    scopes: frozenset[str] = frozenset()
    speakers: frozenset[Account] = frozenset()
    turns: frozenset[int] = frozenset()
    memories: frozenset[str] = frozenset()
    until: int | None = None
    noted: int | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """Which accounts were erased, without naming them: each as a digest under a secret key.

    Erasures are counted, from 1 on, as long as there is the installation; `numbers` has of each
    digest the number of its last erasure. So the order of two erasures is known without a clock.
    `settled`: all up to this number have been carried out.
    """

    key: str
    count: int = 0
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])
    settled: int = 0

    @property
    def installation(self) -> str:
        """A name of the installation that reveals nothing about the key."""
        return self._keyed("installation")

    def digest(self, account: Account) -> str:
        """What stands for an account."""
        return self._keyed(f"{len(account[0])}:{account[0]}{account[1]}")

    def erased_since(self, account: Account, number: int) -> bool:
        """Whether the account was erased after the erasure of that number."""
        return self.numbers.get(self.digest(account), 0) > number

    def later(self, number: int) -> int:
        """How many accounts were erased after the erasure of that number."""
        return sum(other > number for other in self.numbers.values())

    def since(self, installation: str, number: int) -> int:
        """The number of the last of our erasures that a file with this installation and number
        takes account of. 0 for a file of another installation.
        """
        return number if installation == self.installation else 0

    def seal(self, *told: str) -> str:
        """A signature of these words that only this installation can make."""
        return self._keyed(repr(told))

    def _keyed(self, text: str) -> str:
        told = text.encode("utf-8", "replace")
        return hmac.digest(bytes.fromhex(self.key), told, "sha256").hex()[:DIGEST]


class ErasureLedger(Protocol):
    """Who was erased, in numbers and digests."""

    async def ledger(self) -> Ledger:
        """Who has been erased."""
        ...

    async def begin_erasure(self, choices: Mapping[str, Consent]) -> Work:
        """Enter the erasure of these owners (`Scope.owner`), who choose so from now on.

        In one transaction: the next number of the ledger, the choices, and ERASE work with the
        payload {"owners", "number", "until", "noted"}: the last seq and audit entry there are.
        """
        ...

    async def take_ledger(self, ledger: Ledger) -> int:
        """Know also of these erasures; up to which number this journal knew of them before.

        What it did not know of is erased from it, and from the memories beside it, after it is
        next opened: ERASE work with the payload {"after", "number", "until", "noted"}.
        """
        ...

    async def heard(self) -> frozenset[Account]:
        """Every account that said something which is recorded."""
        ...


class Deletions(Protocol):
    """Deleting for good from a journal."""

    def erasable(self, erasure: Erasure) -> AsyncIterator[Turn]:
        """The turns that `erase` would delete, answers included, by seq; read page by page."""
        ...

    async def erase(self, erasure: Erasure) -> frozenset[int]:
        """Delete for good; the seqs of the turns that are gone.

        In one transaction, or, where there is much, in several, so that nobody waits for long:
        cut short, it is completed by repeating it. With a turn go its answer (`reply_id`), its
        recall and what was injected, verdicts on it, its work, and the kept reply of its
        episode; with an episode without turns left go its record and its work. An episode that
        keeps turns is learnt from those. Blocks and traces of other recalls that showed an
        erased memory or hold an erased turn's text are emptied. With a memory go its audit
        entries, verdicts and injections. Seqs are never given again. Where `speakers` signed
        an audit entry or a setting stands `ERASED`. The names of `speakers` go
        from every chat in which they have not spoken since; consent and aliases stay untouched.
        """
        ...

    async def wiped(self) -> None:
        """Wait until no byte is left of what was erased or emptied.

        Without waiting, this happens soon after.
        """
        ...
