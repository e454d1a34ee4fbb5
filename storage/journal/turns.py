"""Turns: the messages themselves, written before anything else happens to them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from sqlite3 import Connection

from ...core.model.conversation import Episode, EpisodeEnd, NewTurn, Place, Role, Speaker, Turn
from ...core.model.knowledge import Media, MediaType
from ...core.ports import Appended, Segmenter, WorkKind
from . import episodes, people, recalls
from .sql import IN_LIST, listed, row, rows, run, sound, value
from .work import enqueue, enqueue_new

_ROLES = frozenset(Role)
_LAST = chr(0x10FFFF)
_SELECT = (
    "SELECT turns.seq, turns.episode, turns.session, episodes.conversation, episodes.scope,"
    " turns.role, turns.speaker_id, turns.speaker_name, turns.text, turns.at, turns.message_id,"
    " turns.reserved, turns.media, turns.quoted"
    " FROM turns JOIN episodes ON episodes.id = turns.episode"
)


def append(
    tx: Connection, journal: str, turn: NewTurn, segment: Segmenter, *, least: int = 0
) -> Appended:
    """Write a turn, its place in an episode and its INDEX_TURN work, unless it is a duplicate.

    Its seq is at least `least`. The name of whoever speaks is noted, unless it is the bot, whose
    answer is a private reply where it may repeat a private memory.
    """
    turn = _sound(turn)
    if turn.message_id and (stored := _find_message(tx, turn)):
        return Appended(stored, duplicate=True)
    seq = max(_next_seq(tx), least)
    episode = _episode_of(tx, journal, seq, turn, segment)
    bot = turn.role is Role.ASSISTANT
    private_reply = bot and recalls.is_private_reply(tx, journal, turn, episode.place.conversation)
    stored = _stored(seq, episode, turn, private_reply=private_reply, quoted=_quoted(tx, turn))
    _insert(tx, stored)
    enqueue_new(tx, WorkKind.INDEX_TURN, f"turn:{seq}", {"turn": seq})
    if not bot:
        if turn.speaker.id != people.CHAT:
            people.note_name(tx, turn.place.scope, turn.speaker.id, turn.speaker.name)
        people.note_name(tx, turn.place.scope, people.CHAT, turn.chat_name)
    return Appended(stored)


def append_past(
    tx: Connection,
    journal: str,
    turns: Sequence[NewTurn],
    *,
    now: float,
    learn_at: float,
    least: int = 0,
) -> int:
    """Write turns from before as a closed episode; how many were new, see `Turns.append_past`."""
    fresh = [
        turn
        for turn in map(_sound, turns)
        if not message_ids(tx, turn.place.session, [turn.message_id])
    ]
    if not fresh:
        return 0
    first = max(_next_seq(tx), least)
    episode = Episode(
        id=episodes.episode_id(journal, first),
        place=fresh[0].place,
        opened_at=fresh[0].at,
        last_at=max(turn.at for turn in fresh),
        turns=len(fresh),
        characters=sum(len(turn.text) for turn in fresh),
        closed_at=now,
        end=EpisodeEnd.HISTORY,
    )
    episodes.past(tx, episode, learn_at=learn_at)
    for seq, turn in enumerate(fresh, start=first):
        _insert(tx, _stored(seq, episode, turn))
        enqueue_new(tx, WorkKind.INDEX_TURN, f"turn:{seq}", {"turn": seq})
    return len(fresh)


def message_ids(con: Connection, session: str, ids: Sequence[str]) -> frozenset[str]:
    wanted = f"SELECT message_id FROM turns WHERE session = ? AND message_id {IN_LIST}"
    return frozenset(id for (id,) in rows(con, wanted, session, listed(ids)))


def message(con: Connection, session: str, begins: str) -> int | None:
    query = (
        "SELECT max(seq) FROM turns WHERE session = ? AND role IN (?, ?)"
        " AND message_id <> '' AND message_id >= ? AND message_id < ?"
    )
    people = (Role.USER.value, Role.BYSTANDER.value)
    return value(con, query, session, *people, begins, begins + _LAST)


def find(con: Connection, seq: int) -> Turn | None:
    return _turn(row(con, f"{_SELECT} WHERE seq = ?", seq))


def of_seqs(con: Connection, seqs: Iterable[int]) -> list[Turn]:
    """The turns with these seqs, in order."""
    return _turns(rows(con, f"{_SELECT} WHERE seq {IN_LIST} ORDER BY seq", listed(seqs)))


def of_episode(con: Connection, episode: str) -> list[Turn]:
    return _turns(rows(con, f"{_SELECT} WHERE turns.episode = ? ORDER BY seq", episode))


def last(con: Connection, session: str, limit: int) -> list[Turn]:
    query = f"{_SELECT} WHERE turns.session = ? ORDER BY seq DESC LIMIT ?"
    found = rows(con, query, session, max(0, limit))
    return _turns(reversed(found))


def first_with(con: Connection, turn: Turn, media: str) -> int | None:
    query = (
        "SELECT min(turns.seq) FROM turns JOIN episodes ON episodes.id = turns.episode"
        " WHERE turns.media <> '' AND turns.speaker_id = ? AND episodes.scope = ?"
        " AND turns.seq < ? AND instr(turns.media, ?) > 0"
    )
    return value(con, query, turn.speaker.id, turn.place.scope, turn.seq, mark(media))


def describe(tx: Connection, seq: int, text: str, media: tuple[Media, ...]) -> None:
    query = "UPDATE turns SET text = ?, media = ? WHERE seq = ? AND text <> ''"
    changed = run(tx, query, sound(text), sound(written(media)), seq)
    if changed:
        key = f"turn:{seq}:described"
        while not enqueue(tx, WorkKind.INDEX_TURN, key, {"turn": seq}):
            key += "'"


def _episode_of(
    tx: Connection, journal: str, seq: int, turn: NewTurn, segment: Segmenter
) -> Episode:
    """The open episode, which now counts this turn."""
    episode = episodes.find_open(tx, turn.place.session)
    if episode is not None:
        end = _end(episode, turn, segment)
        if end is None:
            return episodes.extend(tx, episode, turn)
        episodes.close(tx, episode, end, at=turn.at)
    return episodes.begin(tx, episodes.episode_id(journal, seq), turn)


def _end(episode: Episode, turn: NewTurn, segment: Segmenter) -> EpisodeEnd | None:
    # The host opens a conversation only after its first message has been journaled.
    known = episode.place.conversation and turn.place.conversation
    moved = known and episode.place.conversation != turn.place.conversation
    if moved or episode.place.scope != turn.place.scope:
        return EpisodeEnd.CONVERSATION
    return segment(episode, turn)


def _find_message(con: Connection, turn: NewTurn) -> Turn | None:
    query = (
        f"{_SELECT} WHERE turns.session = ? AND role = ? AND message_id = ? AND message_id <> ''"
    )
    found = row(con, query, turn.place.session, turn.role.value, turn.message_id)
    return _turn(found)


def _quoted(con: Connection, turn: NewTurn) -> int | None:
    if not turn.quotes:
        return None
    if isinstance(turn.quotes, int):
        own = "SELECT seq FROM turns WHERE seq = ? AND session = ?"
        return value(con, own, turn.quotes, turn.place.session)
    return message(con, turn.place.session, turn.quotes)


def _next_seq(tx: Connection) -> int:
    """One more than the last seq ever given, also if that turn is gone."""
    # Seeded when the journal was created.
    return value(tx, "SELECT seq + 1 FROM sqlite_sequence WHERE name = 'turns'")


def _insert(tx: Connection, turn: Turn) -> None:
    query = (
        "INSERT INTO turns"
        " (seq, episode, session, role, speaker_id, speaker_name, text, at, message_id, reserved,"
        " media, quoted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    where = (turn.seq, turn.episode, turn.place.session)
    said = (turn.role.value, turn.speaker.id, turn.speaker.name, turn.text, turn.at)
    noted = (turn.message_id, turn.private_reply, written(turn.media), turn.quoted)
    run(tx, query, *where, *said, *noted)


def _sound(turn: NewTurn) -> NewTurn:
    """The turn as the file can hold it, so that what is returned is what is stored."""
    place = turn.place
    return replace(
        turn,
        place=Place(sound(place.session), sound(place.conversation), sound(place.scope)),
        speaker=Speaker(sound(turn.speaker.id), sound(turn.speaker.name)),
        text=sound(turn.text),
        message_id=sound(turn.message_id),
        chat_name=sound(turn.chat_name),
        media=read(sound(written(turn.media))),
        quotes=sound(turn.quotes) if isinstance(turn.quotes, str) else turn.quotes,
    )


def _stored(
    seq: int,
    episode: Episode,
    turn: NewTurn,
    *,
    private_reply: bool = False,
    quoted: int | None = None,
) -> Turn:
    said = (turn.role, turn.speaker, turn.text, turn.at, turn.message_id)
    return Turn(seq, episode.id, episode.place, *said, private_reply, turn.media, quoted)


def _turns(found: Iterable[tuple]) -> list[Turn]:
    """Those that can be read."""
    return [turn for each in found if (turn := _turn(each)) is not None]


def _turn(found: tuple | None) -> Turn | None:
    """None also for a row that is no turn: one that is damaged stops nothing else."""
    if found is None or found[5] not in _ROLES or not isinstance(found[8], str):
        return None
    seq, episode, session, talk, scope, role, speaker, name, *said, private, media, of = found
    return Turn(
        seq,
        episode,
        Place(session, talk, scope),
        Role(role),
        Speaker(speaker, name),
        *said,
        private_reply=bool(private),
        media=read(media),
        quoted=of if isinstance(of, int) else None,
    )


def written(media: tuple[Media, ...]) -> str:
    """As the row keeps it."""
    return json.dumps([asdict(each) for each in media], ensure_ascii=False) if media else ""


def read(text: str) -> tuple[Media, ...]:
    """Inverse of `written`; nothing for what it cannot read: a damaged row stops nothing else."""
    try:
        return tuple(
            Media(**{**each, "type": MediaType(each["type"])}) for each in json.loads(text or "[]")
        )
    except (ValueError, TypeError, KeyError):
        return ()


def mark(id: str) -> str:
    """How media of this id begin in a row."""
    return f'"id": {json.dumps(id, ensure_ascii=False)}'
