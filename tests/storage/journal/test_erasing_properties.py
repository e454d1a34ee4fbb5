"""Whatever is erased from whatever journal: exactly that is gone, and no byte of it is left."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import connect
from tempfile import TemporaryDirectory

from astrbot_plugin_tidemark.core.model.conversation import (
    EpisodeEnd,
    Injected,
    Role,
    Scope,
    ScopeKind,
    Speaker,
    reply_id,
)
from astrbot_plugin_tidemark.core.ports import (
    AuditEntry,
    Erasure,
    Extraction,
    Journal,
    Recollection,
    WorkKind,
)
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say
from hypothesis import given, settings
from hypothesis import strategies as st

from ...strength import strength

SCOPES = (
    Scope(ScopeKind.GROUP, "qq", "g").key,
    Scope(ScopeKind.PRIVATE, "qq", "ann").key,
    Scope(ScopeKind.PRIVATE, "tg", "ann").key,
)
PEOPLE = (("qq", "ann"), ("qq", "ben"), ("tg", "ann"))
MEMORIES = ("m1", "m2", "m3")

type Table = dict[str, list[tuple]]


@dataclass(frozen=True)
class Message:
    """One turn and what became of it. `quoted` is how many turns back its recall quotes."""

    scope: int
    user: str
    repeated: bool
    answered: bool
    ends: bool
    shown: tuple[str, ...]
    quoted: int | None
    finished: bool


MESSAGES = st.lists(
    st.builds(
        Message,
        st.integers(0, 2),
        st.sampled_from(("ann", "ben")),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.lists(st.sampled_from(MEMORIES), unique=True, max_size=2).map(tuple),
        st.none() | st.integers(0, 5),
        st.booleans(),
    ),
    min_size=1,
    max_size=10,
)


@dataclass
class History:
    """What was journaled: texts by seq."""

    said: dict[int, str] = field(default_factory=dict)


@st.composite
def some_of(draw: Callable, choices: tuple) -> frozenset:
    return frozenset(draw(st.lists(st.sampled_from(choices), unique=True, max_size=2)))


@given(
    MESSAGES,
    some_of(SCOPES),
    some_of(PEOPLE),
    st.frozensets(st.integers(0, 9), max_size=3),
    some_of(MEMORIES),
)
@settings(max_examples=strength(60, 200))
def test_exactly_what_is_named_is_erased(
    messages: list[Message],
    scopes: frozenset[str],
    speakers: frozenset[tuple[str, str]],
    turns: frozenset[int],
    memories: frozenset[str],
) -> None:
    asyncio.run(_check(messages, Erasure(scopes, speakers, turns, memories)))


async def _check(messages: list[Message], erasure: Erasure) -> None:
    """`erasure.turns` are positions, not yet seqs."""
    with TemporaryDirectory() as folder:
        async with opened(Path(folder)) as journal:
            history = History()
            for message in messages:
                await _live(journal, history, message)
            seqs = list(history.said)
            turns = frozenset(seqs[n] for n in erasure.turns if n < len(seqs))
            erasure = Erasure(erasure.scopes, erasure.speakers, turns, erasure.memories)
            before = _tables(Path(folder))
            expected = _without(before, erasure)
            foreseen = [turn async for turn in journal.erasable(erasure)]
            gone = await journal.erase(erasure)
            await journal.wiped()
            assert gone == {turn.seq for turn in foreseen}
            assert gone == _seqs(before) - _seqs(expected)
            assert _tables(Path(folder)) == expected
            _assert_no_byte(Path(folder), expected, {history.said[seq] for seq in gone})


async def _live(journal: Journal, history: History, message: Message) -> None:
    number = len(history.said)
    scope = SCOPES[message.scope]
    text = "the very same words" if message.repeated else f"secret{number:03}word"
    where = {"session": scope, "scope": scope}
    end = EpisodeEnd.SIZE if message.ends else None
    said = await say(
        journal, text, speaker=Speaker(message.user, "N"), at=float(number), end=end, **where
    )
    turn = said.turn
    earlier = list(history.said.values())
    history.said[turn.seq] = text
    await _recall(journal, turn.seq, message, earlier)
    await journal.save_extraction(Extraction(turn.episode, {}, "reply", "model"))
    for memory in message.shown:
        entry = AuditEntry(f"{turn.seq}:{memory}", memory, scope, "created", "model", 1.0)
        await journal.audit([entry])
    if message.answered:
        bot = {"role": Role.ASSISTANT, "speaker": Speaker("bot", "")}
        answer = f"answer{number:03}word"
        replied = await say(journal, answer, message_id=reply_id(turn.seq), **where, **bot)
        history.said[replied.turn.seq] = answer
    if message.finished:
        for work in await journal.due(0.0, kinds=frozenset(WorkKind), limit=2, skip=frozenset()):
            await journal.finish(work.id)


async def _recall(journal: Journal, seq: int, message: Message, earlier: list[str]) -> None:
    shown = tuple(Injected(seq, n, memory) for n, memory in enumerate(message.shown, 1))
    block = "nothing"
    if message.quoted is not None and message.quoted < len(earlier):
        block = f"[1] (N) {earlier[-1 - message.quoted]}"
    await journal.record_recall(Recollection(seq, 1.0, "{}", block, shown))
    pairs = [(seq, memory) for memory in message.shown]
    await journal.record_verdicts(pairs, useful=True, source="model", at=1.0)


def _tables(folder: Path) -> Table:
    with closing(connect(folder / "journal.db")) as file:
        names = file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        return {
            name: sorted(file.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
            for (name,) in names
        }


def _seqs(tables: Table) -> set[int]:
    return {turn[0] for turn in tables["turns"]}


def _without(tables: Table, erasure: Erasure) -> Table:
    """What the tables should be afterwards, worked out row by row."""
    doomed = _doomed(tables, erasure)
    said = [turn[6] for turn in tables["turns"] if turn[0] in doomed]
    kept = [turn for turn in tables["turns"] if turn[0] not in doomed]
    losing = {turn[1] for turn in tables["turns"] if turn[0] in doomed}
    gone = losing - {turn[1] for turn in kept}
    keys = {f"turn:{seq}" for seq in doomed} | {f"learn:{episode}" for episode in gone}
    showing = {turn for turn, _, memory in tables["injected"] if memory in erasure.memories}
    return tables | {
        "turns": kept,
        "episodes": [_measured(e, kept) for e in tables["episodes"] if e[0] not in gone],
        "recalls": [
            (turn, at, "", "") if turn in showing or _quotes(block, said) else recall
            for recall in tables["recalls"]
            for turn, at, _, block in [recall]
            if turn not in doomed
        ],
        "injected": [
            i for i in tables["injected"] if i[0] not in doomed and i[2] not in erasure.memories
        ],
        "verdicts": [
            v for v in tables["verdicts"] if v[0] not in doomed and v[1] not in erasure.memories
        ],
        "audit": [entry for entry in tables["audit"] if entry[2] not in erasure.memories],
        "names": [
            (owner, user, name)
            for owner, user, name in tables["names"]
            if (Scope.parse(owner).platform, user) not in erasure.speakers
        ],
        "extractions": [e for e in tables["extractions"] if e[0] not in losing],
        "work": [work for work in tables["work"] if work[2] not in keys],
        "finished": [done for done in tables["finished"] if done[0] not in keys],
    }


def _doomed(tables: Table, erasure: Erasure) -> set[int]:
    scope_of = {episode[0]: episode[3] for episode in tables["episodes"]}
    doomed = set(erasure.turns)
    for seq, episode, _, _, speaker, *_ in tables["turns"]:
        scope = scope_of[episode]
        said_by = (Scope.parse(scope).platform, speaker)
        if scope in erasure.scopes or said_by in erasure.speakers:
            doomed.add(seq)
    answers = {reply_id(seq) for seq in doomed}
    return doomed | {turn[0] for turn in tables["turns"] if turn[8] in answers}


def _measured(episode: tuple, turns: list[tuple]) -> tuple:
    mine = [turn for turn in turns if turn[1] == episode[0]]
    sizes = (mine[0][7], mine[-1][7], len(mine), sum(len(turn[6]) for turn in mine))
    return (*episode[:4], *sizes, *episode[8:])


def _quotes(block: str, said: list[str]) -> bool:
    return any(text in block for text in said)


def _assert_no_byte(folder: Path, tables: Table, erased: set[str]) -> None:
    still_said = {turn[6] for turn in tables["turns"]}
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    assert not [text for text in erased - still_said if text.encode() in content]
