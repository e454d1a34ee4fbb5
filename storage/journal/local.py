"""The journal of one installation, in one SQLite file."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from itertools import batched
from sqlite3 import Connection
from typing import Any

from ...core.model.consent import Consent
from ...core.model.conversation import Episode, EpisodeEnd, NewTurn, Place, Turn
from ...core.model.errors import StorageError
from ...core.ports import Appended, Erasure, Journal, Ledger, Segmenter, Work, WorkKind
from ..connections import Database, reads, writes
from ..snapshot import Wiper, deleting
from . import episodes, erased, erasing, ledger, people, recalls, sleeps, turns, work
from .recalls import Pieces

PAGE = 500
"""Turns read at a time."""

logger = logging.getLogger(__name__)


class LocalJournal(Journal):
    """`Journal` over a database of current schema. What a method does, and so the function that it
    is made of, is told there.

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

    turn = reads(turns.find)
    turns_of = reads(turns.of_episode)
    last_turns = reads(turns.last)
    message_ids = reads(turns.message_ids)
    message = reads(turns.message)
    first_with_media = reads(turns.first_with)
    describe_turn = writes(turns.describe, brief=True)
    every_disclosure = reads(recalls.every)
    adopt = writes(recalls.adopt)
    episode = reads(episodes.find)
    open_episode = reads(episodes.find_open)
    close_silent = writes(episodes.close_silent)
    due = reads(work.due)
    finish = writes(work.finish, brief=True)
    postpone = writes(work.postpone, brief=True)
    bury = writes(work.bury, brief=True)
    backlog = reads(work.backlog)
    dead = reads(work.dead)
    extraction = reads(recalls.extraction_of)
    save_extraction = writes(recalls.save_extraction, brief=True)
    uncompared = reads(episodes.uncompared)
    finish_rereading = writes(recalls.finish_rereading, brief=True)
    record_recall = writes(recalls.record, brief=True)
    recollection = reads(recalls.newest)
    recollection_of = reads(recalls.of_turn)
    newest_recollections = reads(recalls.newest_of_all)
    injected_in = reads(recalls.injected_in)
    record_verdicts = writes(ledger.record_verdicts, brief=True)
    judged = reads(ledger.judged)
    verdict_counts = reads(ledger.verdict_counts)
    audit = writes(ledger.append_audit)
    audit_by_action = reads(ledger.audit_by_action)
    audited = reads(ledger.audited)
    audit_of = reads(ledger.audit_of)
    showings = reads(recalls.showings)
    usage = reads(ledger.usage)
    count_usage = writes(ledger.count_usage, brief=True)
    expenses = reads(ledger.expenses)
    note_census = writes(ledger.note_census, brief=True)
    censuses = reads(ledger.censuses)
    consents = reads(people.consents)
    set_consent = writes(people.set_consent, brief=True)
    overrides = reads(ledger.overrides)
    set_override = writes(ledger.set_override, brief=True)
    names = reads(people.names)
    chat_names = reads(people.chat_names)
    scopes = reads(episodes.scopes)
    first_opened = reads(episodes.first_opened)
    heard = reads(erased.heard)
    noted_since = reads(ledger.noted_since)
    faded = reads(erasing.faded)
    condense_log = writes(erasing.condense_log)
    note = reads(ledger.note)
    set_note = writes(ledger.set_note, brief=True)
    statistics = reads(ledger.statistics)
    begin_sleeps = writes(sleeps.begin_sleeps, brief=True)
    sleep = reads(sleeps.sleep)
    sleeping = reads(sleeps.sleeping)
    save_step = writes(sleeps.save_step, brief=True)
    decide = writes(sleeps.decide, brief=True)
    spend = writes(sleeps.spend, brief=True)
    spent = reads(sleeps.spent)
    end_sleep = writes(sleeps.end_sleep, brief=True)
    refused = reads(sleeps.refused)
    mark = reads(sleeps.mark)
    marks = reads(sleeps.marks)
    set_mark = writes(sleeps.set_mark, brief=True)
    latest_episode = reads(episodes.latest)
    reports = reads(sleeps.reports)
    last_sleep = reads(sleeps.last_sleep)
    report_count = reads(sleeps.report_count)
    decisions = reads(sleeps.decisions)
    decision = reads(sleeps.decision)
    note_undone = writes(sleeps.note_undone, brief=True)
    trim_reports = writes(sleeps.trim_reports)

    async def append(self, turn: NewTurn, segment: Segmenter) -> Appended:
        return await self._write(
            lambda tx: turns.append(tx, self._id, turn, segment, least=self._least_seq)
        )

    async def append_past(self, past: Sequence[NewTurn], *, now: float, learn_at: float) -> int:
        return await self._write(
            lambda tx: turns.append_past(
                tx, self._id, past, now=now, learn_at=learn_at, least=self._least_seq
            )
        )

    async def disclose(self, place: Place, owners: frozenset[str]) -> None:
        # Reading does not wait for whoever is writing.
        if await self._database.read(lambda con: recalls.missing(con, self._id, place, owners)):
            await self._database.write(lambda tx: recalls.note(tx, self._id, place, owners))

    async def disclosed(self, place: Place) -> bool:
        return await self._database.read(lambda con: recalls.holds(con, self._id, place))

    async def history_gone(self, place: Place, *, whole: bool) -> None:
        if await self.disclosed(place):
            await self._database.write(lambda tx: recalls.end(tx, self._id, place, whole=whole))

    async def private_replies_for(self, owners: frozenset[str]) -> list[Turn]:
        def find(con: Connection) -> list[Turn]:
            return turns.of_seqs(con, recalls.answers(con, self._id, owners))

        return await self._database.read(find)

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

    async def recut(self, episode: str, *, before: int) -> bool:
        return await self._write(lambda tx: episodes.recut(tx, self._id, episode, before=before))

    async def enqueue(
        self, kind: WorkKind, key: str, payload: Mapping[str, Any], *, not_before: float = 0.0
    ) -> bool:
        def add(tx: Connection) -> bool:
            known = erasing.is_past(tx, key)
            return not known and work.enqueue(tx, kind, key, payload, not_before=not_before)

        return await self._write(add)

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
            deleting(tx, self._database.path)
            return erasing.erase(tx, erasure, quoted=quoted)

        return await self._database.write(erase)

    async def drop_texts(self, until: float, scopes: frozenset[str]) -> int:
        def drop_texts(tx: Connection) -> int:
            emptied = erasing.drop_texts(tx, until, scopes)
            if emptied:
                deleting(tx, self._database.path)
            return emptied

        emptied = await self._database.write(drop_texts)
        if emptied:
            self._wiper.soon()
        return emptied

    async def condense(self, kept: Mapping[str, frozenset[int]]) -> int:
        def condense(tx: Connection) -> int:
            deleting(tx, self._database.path)
            return erasing.condense(tx, kept)

        gone = await self._database.write(condense)
        self._wiper.soon()
        return gone

    async def close(self) -> None:
        await self._wiper.aclose()
        await self._database.close()

    async def _write[T](self, work: Callable[[Connection], T]) -> T:
        """A few rows, together with what else is to be written just now."""
        return await self._database.write(work, brief=True)
