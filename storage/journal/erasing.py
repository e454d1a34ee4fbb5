"""Deletes turns for good with all that rests on them; empties and condenses old ones."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import batched
from sqlite3 import Connection

from ...core.model.conversation import REPLY_TO
from ...core.ports import Erasure
from . import episodes, ledger, sleeps
from .people import forget_chat_names, forget_names, platform_of
from .recalls import Pieces, pieces_of, quotes
from .sql import IN_LIST, listed, row, rows, run, value
from .work import KEYS, forget

FADED_AT_ONCE = 5_000

ERASED_AT_ONCE = 1_000
"""Turns or memories per transaction: a message waits for so many at most."""

_EXPLAINED = " WHERE (trace <> '' OR block <> '')"
"""Recalls that still have an explanation; by an index of just these."""

_DONE = (
    "faded = 0 AND opened_at < ? AND closed_at IS NOT NULL"
    " AND episodes.id NOT IN (SELECT coalesce(json_extract(payload, '$.episode'), '')"
    "  FROM work WHERE kind = 'learn')"
    " AND episodes.id NOT IN (SELECT episode FROM work JOIN turns"
    "  ON turns.seq = json_extract(payload, '$.turn') WHERE kind = 'index_turn')"
)
"""Episodes opened before a time, closed and with nothing left to do, that have not faded yet."""

_WORDS = (
    "CASE WHEN json_valid(trace) THEN coalesce(json_extract(trace, '$.query'), '') || coalesce("
    "(SELECT group_concat(value, ' / ') FROM json_tree(trace, '$.later') WHERE key = 'query'), '')"
    " ELSE trace END"
)
"""What was asked in a trace, by a turn and by the model after it; the rest is numbers and ids."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a large erasure comes to: the recalls that quote it, how, and the parts it is done in.

    The parts leave quotations alone. The `rest` comes after them: what was said meanwhile, names.
    """

    quoting: Sequence[int]
    pieces: Pieces
    parts: Sequence[Erasure]
    rest: Erasure


def is_small(erasure: Erasure) -> bool:
    """Whether it is known to be done soon."""
    named = len(erasure.turns) + len(erasure.memories)
    return not erasure.scopes and not erasure.speakers and named <= ERASED_AT_ONCE


def survey(con: Connection, erasure: Erasure) -> Survey:
    """Look at all that is named, so that nothing is looked for part by part."""
    seqs = doomed(con, erasure)
    pieces = pieces_of(_said(con, seqs))
    memories = batched(sorted(erasure.memories), ERASED_AT_ONCE)
    parts = [Erasure(memories=frozenset(some)) for some in memories]
    parts += [Erasure(turns=frozenset(some)) for some in batched(seqs, ERASED_AT_ONCE)]
    # With its "up to": what was said while the parts were being done stays.
    rest = replace(erasure, turns=frozenset(), memories=frozenset())
    return Survey(_quoting(con, pieces), pieces, parts, rest)


def erase(tx: Connection, erasure: Erasure, *, quoted: Pieces | None = None) -> frozenset[int]:
    """Delete all that is named and what rests on it; the seqs of the turns that are gone.

    `quoted` is what to empty recalls of, instead of what is deleted here.
    """
    seqs = doomed(tx, erasure)
    _forget_memories(tx, erasure.memories)
    run(tx, f"DELETE FROM tallies WHERE scope {IN_LIST}", listed(erasure.scopes))
    pieces = pieces_of(_said(tx, seqs)) if quoted is None else quoted
    if seqs:
        _delete_turns(tx, seqs)
    if pieces:
        empty_recalls(tx, _quoting(tx, pieces))
    forget_names(tx, erasure.speakers)
    forget_chat_names(tx, erasure.scopes)
    sleeps.forget_scopes(tx, erasure.scopes)
    for account in erasure.speakers:
        ledger.unsign(tx, account, erasure.noted)
    return frozenset(seqs)


def drop_texts(tx: Connection, until: float, scopes: Collection[str]) -> int:
    """Empty turns said before `until` in closed episodes with no work; how many, oldest first."""
    chosen = listed(scopes)
    # CROSS JOIN keeps the order: what has faded long ago is not looked at, turn by turn.
    query = (
        "SELECT turns.seq, episodes.id FROM episodes CROSS JOIN turns"
        f" ON turns.episode = episodes.id WHERE {_DONE} AND scope {IN_LIST}"
        " AND turns.at < ? AND turns.text <> '' ORDER BY opened_at, turns.seq LIMIT ?"
    )
    found = rows(tx, query, until, chosen, until, FADED_AT_ONCE)
    if found:
        _empty(tx, [seq for seq, _ in found], {episode for _, episode in found})
    query = (
        f"UPDATE episodes SET faded = 1 WHERE {_DONE} AND scope {IN_LIST} AND NOT EXISTS"
        " (SELECT 1 FROM turns WHERE episode = episodes.id AND (text <> '' OR at >= ?))"
    )
    run(tx, query, until, chosen, until)
    return len(found)


def doomed(con: Connection, erasure: Erasure) -> list[int]:
    """Seqs of the turns that are named, and of their answers."""
    query = (
        f"SELECT seq FROM turns WHERE episode IN (SELECT id FROM episodes WHERE scope {IN_LIST})"
    )
    in_scopes = rows(con, query, listed(erasure.scopes))
    named = rows(con, f"SELECT seq FROM turns WHERE seq {IN_LIST}", listed(erasure.turns))
    theirs = {seq for (seq,) in in_scopes}
    theirs.update(*(_said_by(con, *speaker) for speaker in erasure.speakers))
    if erasure.until is not None:
        theirs = {seq for seq in theirs if seq <= erasure.until}
    asked = theirs | {seq for (seq,) in named}
    return sorted(asked | _answers(con, asked))


def _said_by(con: Connection, platform: str, user: str) -> set[int]:
    query = (
        "SELECT seq, scope FROM turns JOIN episodes ON episodes.id = turns.episode"
        " WHERE speaker_id = ?"
    )
    found = rows(con, query, user)
    there = {scope for scope in {scope for _, scope in found} if platform_of(scope) == platform}
    return {seq for seq, scope in found if scope in there}


def _answers(con: Connection, asked: Collection[int]) -> set[int]:
    query = (
        "SELECT answer.seq FROM json_each(?) JOIN turns AS asked ON asked.seq = value"
        " JOIN turns AS answer ON answer.session = asked.session AND answer.role = 'assistant'"
        " AND answer.message_id = ? || asked.seq AND answer.message_id <> ''"
    )
    found = rows(con, query, listed(asked), REPLY_TO)
    return {seq for (seq,) in found}


def _forget_memories(tx: Connection, memories: Collection[str]) -> None:
    ids = listed(memories)
    query = (
        f"UPDATE recalls SET trace = '', block = ''{_EXPLAINED}"
        f" AND turn IN (SELECT turn FROM injected WHERE memory {IN_LIST})"
    )
    run(tx, query, ids)
    for table in ("injected", "verdicts", "audit", "tallies"):
        run(tx, f"DELETE FROM {table} WHERE memory {IN_LIST}", ids)
    sleeps.forget_memories(tx, memories)


def _delete_turns(tx: Connection, seqs: Collection[int]) -> None:
    doomed = listed(seqs)
    query = (
        "SELECT DISTINCT episode, scope FROM turns JOIN episodes ON episodes.id = turns.episode"
        f" WHERE seq {IN_LIST}"
    )
    touched = rows(tx, query, doomed)
    losing = [episode for episode, _ in touched]
    _forget_replies(tx, losing)
    for table in ("recalls", "verdicts"):
        run(tx, f"DELETE FROM {table} WHERE turn {IN_LIST}", doomed)
    forget(tx, [f"{kind}:{seq}" for kind in ("turn", "compare") for seq in seqs])
    run(tx, f"DELETE FROM turns WHERE seq {IN_LIST}", doomed)
    gone = [episode for episode in losing if not episodes.remeasure(tx, episode)]
    forget(tx, [f"learn:{episode}" for episode in gone])
    forget_chat_names(tx, {scope for _, scope in touched})
    # An error may quote the reply it is about.
    learnt = listed(f"learn:{episode}" for episode in losing)
    run(tx, f"UPDATE work SET error = '' WHERE key {KEYS.format(table='work')}", learnt)


def _forget_replies(tx: Connection, episodes: Collection[str]) -> None:
    """What a model made of these episodes."""
    run(tx, f"DELETE FROM extractions WHERE episode {IN_LIST}", listed(episodes))


def _said(con: Connection, seqs: Collection[int]) -> list[str]:
    said = rows(con, f"SELECT text FROM turns WHERE seq {IN_LIST}", listed(seqs))
    return [text for (text,) in said if isinstance(text, str)]


def _quoting(con: Connection, pieces: Pieces) -> list[int]:
    """Turns whose recall holds any of the pieces in its explanation."""
    explained = con.execute(f"SELECT turn, block, {_WORDS} FROM recalls{_EXPLAINED}")
    return [
        turn
        for turn, block, words in explained
        if quotes(block, pieces) or quotes(words or "", pieces)
    ]


def empty_recalls(tx: Connection, turns: Collection[int]) -> None:
    """Drop the explanations of these turns' recalls."""
    run(tx, f"UPDATE recalls SET trace = '', block = '' WHERE turn {IN_LIST}", listed(turns))


def _empty(tx: Connection, seqs: Collection[int], closed: Collection[str]) -> None:
    theirs = listed(closed)
    run(tx, f"UPDATE turns SET text = '', media = '' WHERE seq {IN_LIST}", listed(seqs))
    _forget_replies(tx, closed)
    query = (
        f"UPDATE recalls SET trace = '', block = ''{_EXPLAINED}"
        f" AND turn IN (SELECT seq FROM turns WHERE episode {IN_LIST})"
    )
    run(tx, query, theirs)


MARK = "condensed"
"""The note with the last seq of all turns that have been condensed."""

AUDIT_AT_ONCE = 1_000

_OF_TURN = re.compile(r"turn:(\d{1,18})")

_THEIR_TURNS = f"FROM turns WHERE episode {IN_LIST}"
_IN_SCOPES = (
    f" JOIN turns ON seq = turn JOIN episodes ON episodes.id = episode WHERE episode {IN_LIST}"
)

_COUNTED = (
    "INSERT INTO tallies (scope, memory, recalls)"
    f" SELECT scope, '', count(*) FROM recalls{_IN_SCOPES}"
    " GROUP BY scope ON CONFLICT DO UPDATE SET recalls = tallies.recalls + excluded.recalls",
    "INSERT INTO tallies (scope, memory, useful, useless)"
    f" SELECT scope, memory, sum(useful), sum(1 - useful) FROM verdicts{_IN_SCOPES}"
    " GROUP BY scope, memory ON CONFLICT DO UPDATE SET useful = tallies.useful + excluded.useful,"
    " useless = tallies.useless + excluded.useless",
)

_COUNT_GONE = (
    "INSERT INTO tallies (scope, memory, turns, episodes) VALUES (?, '', ?, ?)"
    " ON CONFLICT DO UPDATE SET turns = turns + excluded.turns,"
    " episodes = episodes + excluded.episodes"
)

_DELETE = (
    f"DELETE FROM turns WHERE seq {IN_LIST} AND role = 'assistant' RETURNING episode",
    f"DELETE FROM turns WHERE seq {IN_LIST} AND NOT EXISTS (SELECT 1 FROM turns AS answer"
    " WHERE answer.session = turns.session AND answer.role = 'assistant'"
    f" AND answer.message_id = '{REPLY_TO}' || turns.seq AND answer.message_id <> '')"
    " RETURNING episode",
)

_DELETE_EMPTY = (
    "DELETE FROM episodes WHERE id = ?"
    " AND NOT EXISTS (SELECT 1 FROM turns WHERE episode = episodes.id)"
)


def faded(con: Connection, *, after: str = "", limit: int = 50) -> list[str]:
    query = "SELECT id FROM episodes WHERE faded = 1 AND id > ? ORDER BY id LIMIT ?"
    found = rows(con, query, after, limit)
    return [id for (id,) in found]


def _forget_recalls(tx: Connection, theirs: str) -> None:
    """Drop the recalls of these episodes' turns, which are counted, and the verdicts on them."""
    turns = f"turn IN (SELECT seq {_THEIR_TURNS})"
    noted = f"SELECT 'judged:' || turn || ':' || memory FROM verdicts WHERE {turns}"
    run(tx, f"DELETE FROM audit WHERE key IN ({noted})", theirs)
    for table in ("recalls", "verdicts"):
        run(tx, f"DELETE FROM {table} WHERE {turns}", theirs)


def condense(tx: Connection, kept: Mapping[str, Set[int]]) -> int:
    """Of these faded episodes keep just the turns given; how many turns are gone."""
    query = f"SELECT id, scope FROM episodes WHERE faded = 1 AND id {IN_LIST}"
    chosen = rows(tx, query, listed(kept))
    theirs = listed(id for id, _ in chosen)
    found = rows(tx, f"SELECT seq, episode {_THEIR_TURNS}", theirs)
    for counted in _COUNTED:
        run(tx, counted, theirs)
    _forget_recalls(tx, theirs)
    _forget_work(tx, [seq for seq, _ in found], [id for id, _ in chosen])
    gone = listed(seq for seq, episode in found if seq not in kept[episode])
    # What is left has an answer that is kept: it is found by its question.
    lost = Counter(id for step in _DELETE for (id,) in rows(tx, step, gone))
    for id, scope in chosen:
        run(tx, _COUNT_GONE, scope, lost[id], run(tx, _DELETE_EMPTY, id))
    return lost.total()


def condense_log(tx: Connection, until: float) -> int:
    query = (
        "SELECT id, coalesce(strftime('%Y-%m', at, 'unixepoch'), '') FROM audit"
        " WHERE action = 'purged' AND memory <> '' AND at < ? ORDER BY id LIMIT ?"
    )
    found = rows(tx, query, until, AUDIT_AT_ONCE)
    for month in sorted({month for _, month in found}):
        query = (
            'INSERT INTO audit (key, memory, scope, action, "by", at, detail)'
            " VALUES (?, '', '', 'purged', '', ?, json_object('count', ?)) ON CONFLICT (key)"
            " DO UPDATE SET detail = json_object('count', json_extract(detail, '$.count')"
            " + json_extract(excluded.detail, '$.count'))"
        )
        run(tx, query, f"purged:{month}", until, sum(month == each for _, each in found))
    run(tx, f"DELETE FROM audit WHERE id {IN_LIST}", listed(id for id, _ in found))
    return len(found)


def is_past(con: Connection, key: str) -> bool:
    """Whether the key is of a turn whose text is gone: what was to be done with it was done."""
    named = _OF_TURN.fullmatch(key)
    if named is None:
        return False
    seq = int(named[1])
    mark = value(con, "SELECT CAST(value AS INTEGER) FROM notes WHERE name = ?", MARK)
    if mark is None or seq > mark:
        return False
    query = "SELECT 1 FROM turns JOIN episodes ON episodes.id = episode WHERE seq = ? AND faded = 0"
    return not row(con, query, seq)


def _forget_work(tx: Connection, seqs: Sequence[int], episodes: Sequence[str]) -> None:
    """Drop the keys of what was done with these turns; none of it is queued again."""
    keys = [f"turn:{seq}" for seq in seqs] + [f"learn:{episode}" for episode in episodes]
    forget(tx, keys, ("finished",))
    if seqs:
        last = int(ledger.note(tx, MARK) or 0)
        ledger.set_note(tx, MARK, str(max(*seqs, last)))
