"""The journal of one installation, in one SQLite file."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from itertools import batched
from sqlite3 import Connection
from typing import Any

from ...core.model.consent import Consent
from ...core.model.conversation import Account, Episode, EpisodeEnd, Injected, NewTurn, Place, Turn
from ...core.model.errors import StorageError
from ...core.ports import (
    Appended,
    AuditEntry,
    Disclosure,
    Erasure,
    Extraction,
    Journal,
    Judged,
    Ledger,
    RecallOutcomes,
    Recollection,
    Segmenter,
    Showing,
    Usage,
    Work,
    WorkKind,
    WorkState,
)
from ..connections import Database
from ..wiping import Wiper, drop_copies
from . import (
    condensing,
    disclosures,
    episodes,
    erased,
    erasing,
    ledger,
    people,
    recalls,
    turns,
    work,
)
from .quotation import Pieces

PAGE = 500
"""Turns read at a time."""

logger = logging.getLogger(__name__)


class LocalJournal(Journal):
    """`Journal`, where each method's contract is written, over a database of current schema.

    Each call is one transaction. Turns get seqs from `least_seq` on.
    """

    def __init__(self, database: Database, journal_id: str, least_seq: int) -> None:
        self._database = database
        self._wiper = Wiper(database)
        self._id = journal_id
        self._least_seq = least_seq
        self._aliases: Mapping[tuple[str, str], str] | None = None
        self._alias_changes = 0

    @property
    def id(self) -> str:
        """UUID given at creation."""
        return self._id

    async def append(self, turn: NewTurn, segment: Segmenter) -> Appended:
        return await self._write(
            lambda tx: turns.append(tx, self._id, turn, segment, least=self._least_seq)
        )

    async def turn(self, seq: int) -> Turn | None:
        return await self._database.read(lambda con: turns.find(con, seq))

    async def turns_of(self, episode: str) -> list[Turn]:
        return await self._database.read(lambda con: turns.of_episode(con, episode))

    async def last_turns(self, session: str, limit: int) -> list[Turn]:
        return await self._database.read(lambda con: turns.last(con, session, limit))

    async def disclose(self, place: Place, owners: frozenset[str]) -> None:
        # Reading does not wait for whoever is writing.
        if not await self._database.read(
            lambda con: disclosures.is_noted(con, self._id, place, owners)
        ):
            await self._database.write(lambda tx: disclosures.note(tx, self._id, place, owners))

    async def disclosed(self, place: Place) -> bool:
        return await self._database.read(lambda con: disclosures.holds(con, self._id, place))

    async def history_gone(self, place: Place, *, whole: bool) -> None:
        if await self.disclosed(place):
            await self._database.write(lambda tx: disclosures.end(tx, self._id, place, whole=whole))

    async def reserved_for(self, owners: frozenset[str]) -> list[Turn]:
        def find(con: Connection) -> list[Turn]:
            return turns.of_seqs(con, disclosures.answers(con, self._id, owners))

        return await self._database.read(find)

    async def every_disclosure(self) -> list[Disclosure]:
        return await self._database.read(disclosures.every)

    async def adopt(self, known: Sequence[Disclosure]) -> None:
        await self._database.write(lambda tx: disclosures.adopt(tx, known))

    async def episode(self, episode: str) -> Episode | None:
        return await self._database.read(lambda con: episodes.find(con, episode))

    async def open_episode(self, session: str) -> Episode | None:
        return await self._database.read(lambda con: episodes.find_open(con, session))

    async def close_episode(
        self, session: str, end: EpisodeEnd, *, at: float, before: int | None = None
    ) -> Episode | None:
        def close(tx: Connection) -> Episode | None:
            episode = episodes.find_open(tx, session)
            if episode is None:
                return None
            if before is None:
                return episodes.close(tx, episode, end, at=at)
            return episodes.close_before(tx, self._id, episode, end, at=at, before=before)

        return await self._write(close)

    async def close_silent(self, *, quiet_since: float, at: float) -> list[Episode]:
        return await self._database.write(
            lambda tx: episodes.close_silent(tx, quiet_since=quiet_since, at=at)
        )

    async def enqueue(
        self, kind: WorkKind, key: str, payload: Mapping[str, Any], *, not_before: float = 0.0
    ) -> bool:
        def add(tx: Connection) -> bool:
            known = condensing.is_past(tx, key)
            return not known and work.enqueue(tx, kind, key, payload, not_before=not_before)

        return await self._write(add)

    async def due(
        self, now: float, *, kinds: frozenset[WorkKind], limit: int, skip: frozenset[int]
    ) -> list[Work]:
        return await self._database.read(
            lambda con: work.due(con, now, kinds=kinds, limit=limit, skip=skip)
        )

    async def finish(self, work_id: int) -> None:
        await self._write(lambda tx: work.finish(tx, work_id))

    async def postpone(self, work_id: int, *, until: float, error: str) -> None:
        await self._write(lambda tx: work.postpone(tx, work_id, until=until, error=error))

    async def bury(self, work_id: int, error: str) -> None:
        await self._write(lambda tx: work.bury(tx, work_id, error))

    async def backlog(self) -> Mapping[tuple[WorkKind, WorkState], int]:
        return await self._database.read(work.backlog)

    async def dead(self, *, limit: int = 10) -> list[tuple[Work, str]]:
        return await self._database.read(lambda con: work.dead(con, limit=limit))

    async def save_extraction(self, extraction: Extraction) -> Extraction:
        return await self._write(lambda tx: recalls.save_extraction(tx, extraction))

    async def extraction(self, episode: str) -> Extraction | None:
        return await self._database.read(lambda con: recalls.extraction_of(con, episode))

    async def record_recall(self, recollection: Recollection) -> None:
        await self._write(lambda tx: recalls.record(tx, recollection))

    async def recollection(
        self, session: str, scopes: frozenset[str] | None = None
    ) -> Recollection | None:
        return await self._database.read(lambda con: recalls.newest(con, session, scopes))

    async def injected_in(self, episode: str) -> list[Injected]:
        return await self._database.read(lambda con: recalls.injected_in(con, episode))

    async def record_verdicts(
        self, turn_and_memory: Sequence[tuple[int, str]], *, useful: bool, source: str, at: float
    ) -> None:
        await self._write(
            lambda tx: ledger.record_verdicts(
                tx, turn_and_memory, useful=useful, source=source, at=at
            )
        )

    async def outcomes(self) -> Mapping[str, RecallOutcomes]:
        return await self._database.read(ledger.outcomes)

    async def judged(self, *, after: str = "", limit: int = 500) -> list[Judged]:
        return await self._database.read(lambda con: ledger.judged(con, after=after, limit=limit))

    async def verdict_counts(self) -> tuple[int, int]:
        return await self._database.read(ledger.verdict_counts)

    async def audit(self, entries: Sequence[AuditEntry]) -> None:
        await self._database.write(lambda tx: ledger.append_audit(tx, entries))

    async def audit_by_action(self, actions: frozenset[str]) -> list[AuditEntry]:
        return await self._database.read(lambda con: ledger.audit_by_action(con, actions))

    async def audit_of(self, memory: str, *, limit: int = 50) -> list[AuditEntry]:
        return await self._database.read(lambda con: ledger.audit_of(con, memory, limit=limit))

    async def showings(self, memory: str, *, limit: int = 20) -> list[Showing]:
        return await self._database.read(lambda con: recalls.showings(con, memory, limit=limit))

    async def usage(self, day: str) -> Usage:
        return await self._database.read(lambda con: ledger.usage(con, day))

    async def count_usage(self, day: str, *, calls: int, tokens: int) -> None:
        await self._write(lambda tx: ledger.count_usage(tx, day, calls=calls, tokens=tokens))

    async def aliases(self) -> Mapping[tuple[str, str], str]:
        # Every turn asks; nobody else writes them.
        known, changes = self._aliases, self._alias_changes
        if known is None:
            known = await self._database.read(people.aliases)
            # What was read beside a change may be from before it.
            if changes == self._alias_changes:
                self._aliases = known
        return known

    async def set_alias(self, platform: str, user: str, person: str | None) -> None:
        await self._database.write(
            lambda tx: people.set_alias(tx, platform, user, person),
            on_commit=lambda _: self._forget_aliases(),
        )

    def _forget_aliases(self) -> None:
        self._aliases = None
        self._alias_changes += 1

    async def consents(self) -> Mapping[str, Consent]:
        return await self._database.read(people.consents)

    async def set_consent(self, owner: str, consent: Consent) -> None:
        await self._write(lambda tx: people.set_consent(tx, owner, consent))

    async def overrides(self) -> Mapping[str, str]:
        return await self._database.read(ledger.overrides)

    async def set_override(self, name: str, value: str | None) -> None:
        await self._write(lambda tx: ledger.set_override(tx, name, value))

    async def names(self) -> Mapping[str, Mapping[Account, str]]:
        return await self._database.read(people.names)

    async def chat_names(self) -> Mapping[str, str]:
        return await self._database.read(people.chat_names)

    async def scopes(self) -> frozenset[str]:
        return await self._database.read(episodes.scopes)

    async def erasable(self, erasure: Erasure) -> AsyncIterator[Turn]:
        seqs = await self._database.read(lambda con: erasing.doomed(con, erasure))
        for some in batched(seqs, PAGE):
            for turn in await self._database.read(lambda con, some=some: turns.of_seqs(con, some)):
                yield turn

    async def ledger(self) -> Ledger:
        return (await self._database.read(erased.read)).ledger

    async def begin_erasure(self, choices: Mapping[str, Consent]) -> Work:
        work = await self._database.write(lambda tx: erased.begin(tx, choices))
        await self.keep_ledger()
        return work

    async def take_ledger(self, ledger: Ledger) -> int:
        known = await self._database.write(lambda tx: erased.take(tx, ledger))
        await self.keep_ledger()
        return known

    async def keep_ledger(self) -> None:
        """Write the ledger into the file that outlives this journal. A failure is made up for."""
        known = await self.ledger()
        try:
            await asyncio.to_thread(erased.write_file, self._database.path.parent, known)
        except StorageError as error:
            logger.warning("%s, and is written with the next erasure or start", error)

    async def heard(self) -> frozenset[Account]:
        return await self._database.read(erased.heard)

    async def noted_since(self, entry: int) -> frozenset[str]:
        return await self._database.read(lambda con: ledger.noted_since(con, entry))

    async def erase(self, erasure: Erasure) -> frozenset[int]:
        gone: set[int] = set()
        quoted: Pieces | None = None
        if not erasing.is_small(erasure):
            survey = await self._database.read(lambda con: erasing.survey(con, erasure))
            quoted = survey.pieces
            # While their texts are there: cut short, the rest is found again.
            await self._database.write(lambda tx: erasing.empty_recalls(tx, survey.quoting))
            for part in survey.parts:
                gone |= await self._erase(part, quoted={})
            erasure = survey.rest
        gone |= await self._erase(erasure, quoted=quoted)
        self._wiper.soon()
        return frozenset(gone)

    async def wiped(self) -> None:
        await self._wiper.now()

    async def _erase(self, erasure: Erasure, quoted: Pieces | None) -> frozenset[int]:
        def erase(tx: Connection) -> frozenset[int]:
            # Before it is certain: a crash after it would leave them for good.
            drop_copies(self._database.path)
            return erasing.erase(tx, erasure, quoted=quoted)

        return await self._database.write(erase)

    async def fade(self, until: float, scopes: frozenset[str] | None = None) -> int:
        def fade(tx: Connection) -> int:
            emptied = erasing.fade(tx, until, scopes)
            if emptied:
                drop_copies(self._database.path)
            return emptied

        emptied = await self._database.write(fade)
        if emptied:
            self._wiper.soon()
        return emptied

    async def faded(self, *, after: str = "", limit: int = 50) -> list[str]:
        return await self._database.read(
            lambda con: condensing.faded(con, after=after, limit=limit)
        )

    async def condense(self, kept: Mapping[str, frozenset[int]]) -> int:
        gone = await self._database.write(lambda tx: condensing.condense(tx, kept))
        self._wiper.soon()
        return gone

    async def condense_log(self, until: float) -> int:
        return await self._database.write(lambda tx: condensing.condense_log(tx, until))

    async def note(self, name: str) -> str | None:
        return await self._database.read(lambda con: ledger.note(con, name))

    async def set_note(self, name: str, value: str) -> None:
        await self._write(lambda tx: ledger.set_note(tx, name, value))

    async def statistics(self) -> Mapping[str, int]:
        return await self._database.read(ledger.statistics)

    async def close(self) -> None:
        await self._wiper.aclose()
        await self._database.close()

    async def _write[T](self, work: Callable[[Connection], T]) -> T:
        """A few rows, together with what else is to be written just now."""
        return await self._database.write(work, brief=True)
