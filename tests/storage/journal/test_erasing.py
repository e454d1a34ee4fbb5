"""`Journal.erase`: from any journal exactly what is named is gone, with every byte of it."""

import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import connect
from tempfile import TemporaryDirectory

import pytest
from astrbot_plugin_tidemark.core.model.consent import Consent
from astrbot_plugin_tidemark.core.model.conversation import (
    EpisodeEnd,
    Injected,
    Role,
    Scope,
    ScopeKind,
    Speaker,
    Turn,
    reply_id,
)
from astrbot_plugin_tidemark.core.ports import (
    ERASED,
    AuditEntry,
    Erasure,
    Extraction,
    Journal,
    Recollection,
    Work,
    WorkKind,
)
from astrbot_plugin_tidemark.storage.journal import erasing, local
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say
from hypothesis import given, settings
from hypothesis import strategies as st

from ...strength import strength

GROUP = Scope(ScopeKind.GROUP, "qq", "g").key
PRIVATE = Scope(ScopeKind.PRIVATE, "qq", "ann").key
ANN, BEN, BOT = Speaker("ann", "Ann"), Speaker("ben", "Ben"), Speaker("bot", "Tide")


async def tell(journal: Journal, text: str = "hello", **where: object) -> Turn:
    """A turn of Ann in the group, unless told otherwise."""
    return (await say(journal, text, **({"scope": GROUP, "speaker": ANN} | where))).turn


async def answer(journal: Journal, turn: Turn, text: str = "answer") -> Turn:
    place = {"session": turn.place.session, "scope": turn.place.scope}
    told = {"role": Role.ASSISTANT, "speaker": BOT, "message_id": reply_id(turn.seq)}
    return await tell(journal, text, **place, **told)


async def recall(journal: Journal, turn: Turn, *memories: str, block: str = "block") -> None:
    injected = tuple(Injected(turn.seq, n, memory) for n, memory in enumerate(memories, 1))
    await journal.record_recall(Recollection(turn.seq, 1.0, '{"query":"q"}', block, injected))


async def close(journal: Journal, session: str = "session") -> None:
    await journal.close_episode(session, EpisodeEnd.COMMAND, at=1.0)


async def pending(journal: Journal) -> list[Work]:
    return await journal.due(0.0, kinds=frozenset(WorkKind), limit=99, skip=frozenset())


async def left(journal: Journal, turns: Iterable[Turn]) -> list[Turn]:
    return [turn for turn in turns if await journal.turn(turn.seq) is not None]


def of_turns(*turns: Turn) -> Erasure:
    return Erasure(turns=frozenset(turn.seq for turn in turns))


async def test_what_is_unknown_is_nothing_erased(journal: Journal) -> None:
    turn = await tell(journal)
    unknown = Erasure(
        frozenset({"no key", PRIVATE}),
        frozenset({("qq", "zoe"), ("", "")}),
        frozenset({1}),
        frozenset({"m1"}),
    )
    assert await journal.erase(unknown) == frozenset()
    assert await journal.turn(turn.seq) == turn


async def test_a_scope_that_is_no_key_or_many_at_once_can_be_erased_twice(journal: Journal) -> None:
    turn = await tell(journal, scope="no key")
    assert await journal.erase(Erasure(scopes=frozenset({"no key"}))) == {turn.seq}
    turn = await tell(journal)
    everything = Erasure(frozenset({GROUP}), frozenset({("qq", "ann")}), frozenset({turn.seq}))
    assert await journal.erase(everything) == {turn.seq}
    assert await journal.erase(everything) == frozenset()
    turns = [await tell(journal, f"{n}") for n in range(1_200)]
    assert len(await journal.erase(of_turns(*turns))) == 1_200
    assert (await journal.statistics())["turns"] == 0


async def test_only_the_bot_answers_and_only_in_the_same_session(journal: Journal) -> None:
    asked = await tell(journal)
    mark = reply_id(asked.seq)
    kept = [
        await tell(journal, speaker=BEN, message_id=mark),
        await tell(journal, session="other", role=Role.ASSISTANT, speaker=BOT, message_id=mark),
    ]
    assert await journal.erase(of_turns(asked)) == {asked.seq}
    assert await left(journal, kept) == kept


async def test_work_of_a_turn_goes_with_it_however_often_it_was_tried(journal: Journal) -> None:
    doomed, kept = await tell(journal), await tell(journal)
    await journal.enqueue(WorkKind.INDEX_TURN, f"turn:{doomed.seq}''", {"turn": doomed.seq})
    [first, *_] = await pending(journal)
    await journal.finish(first.id)
    await journal.erase(of_turns(doomed))
    assert [work.key for work in await pending(journal)] == [f"turn:{kept.seq}"]


async def test_work_of_turns_whose_number_begins_alike_stays(journal: Journal) -> None:
    turn = await tell(journal)
    longer = f"turn:{turn.seq}0"
    await journal.enqueue(WorkKind.INDEX_TURN, longer, {"turn": turn.seq * 10})
    await journal.erase(of_turns(turn))
    assert [work.key for work in await pending(journal)] == [longer]


async def test_an_error_of_learning_that_may_quote_is_forgotten(journal: Journal) -> None:
    doomed, _ = await tell(journal), await tell(journal)
    other = await tell(journal, session="other")
    for session in ("session", "other"):
        await close(journal, session)
    for work in await pending(journal):
        await journal.bury(work.id, f"ValueError: about {work.key}")
    await journal.erase(of_turns(doomed))
    errors = {work.key: error for work, error in await journal.dead()}
    assert errors[f"learn:{doomed.episode}"] == ""
    assert errors[f"learn:{other.episode}"] == f"ValueError: about learn:{other.episode}"


async def test_a_session_goes_on_after_its_episode_was_erased(journal: Journal) -> None:
    doomed = await tell(journal)
    await journal.erase(of_turns(doomed))
    again = await tell(journal)
    assert again.seq > doomed.seq
    assert again.episode != doomed.episode
    assert (await journal.open_episode("session")).turns == 1


async def test_seqs_are_never_given_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as journal:
        turns = [await tell(journal) for _ in range(3)]
        await journal.erase(Erasure(scopes=frozenset({GROUP})))
    async with opened(tmp_path) as reopened:
        assert (await tell(reopened)).seq > turns[-1].seq


@pytest.mark.parametrize(
    "block",
    [
        "[1] (Ann) my bicycle is green",
        "[1] my  bicycle\tis ‹green›!",
        "[1] As I said: “My” my bicycle is green…",
    ],
)
async def test_a_block_that_quotes_an_erased_turn_is_emptied(journal: Journal, block: str) -> None:
    said = await tell(journal, "my bicycle\nis <green>")
    asked = await tell(journal, "what colour?", session="other", scope=PRIVATE)
    await recall(journal, asked, "m1", block=block)
    await journal.erase(of_turns(said))
    recollection = await journal.recollection("other")
    assert (recollection.trace, recollection.block) == ("", "")
    assert recollection.injected == (Injected(asked.seq, 1, "m1"),)


@pytest.mark.parametrize(
    "trace",
    [
        '{"query":"the \\"blue\\"\\nhouse?"}',
        '{"query":"","later":[{"query":"a","later":[{"query":"near the blue house"}]}, 1]}',
    ],
)
async def test_a_trace_that_quotes_an_erased_turn_is_emptied(journal: Journal, trace: str) -> None:
    said = await tell(journal, 'the "blue"\nhouse')
    asked = await tell(journal, session="other")
    await journal.record_recall(Recollection(asked.seq, 1.0, trace, "", ()))
    await journal.erase(of_turns(said))
    assert (await journal.recollection("other")).trace == ""


async def test_consent_and_signatures_of_the_erased_stay(journal: Journal) -> None:
    await tell(journal, scope=PRIVATE)
    await journal.set_consent(PRIVATE, Consent(paused=True))
    await journal.set_alias("qq", "ann", "person")
    await journal.erase(Erasure(frozenset({PRIVATE}), frozenset({("qq", "ann")})))
    assert await journal.consents() == {PRIVATE: Consent(paused=True)}
    assert await journal.aliases() == {("qq", "ann"): "person"}
    await journal.audit([AuditEntry("k1", "m1", PRIVATE, "binned", "Boss (qq/ann)", 1.0)])
    work = await journal.begin_erasure({Scope.parse(PRIVATE).owner: Consent()})
    await journal.audit([AuditEntry("k2", "m2", PRIVATE, "binned", "Boss (qq/ann)", 2.0)])
    noted = int(work.payload["noted"])
    await journal.erase(Erasure(speakers=frozenset({("qq", "ann")}), noted=noted))
    assert [(await journal.audit_of(id))[0].by for id in ("m1", "m2")] == [ERASED, "Boss (qq/ann)"]


async def test_names_go_with_the_speakers_that_are_named(journal: Journal) -> None:
    turn = await tell(journal, scope=PRIVATE)
    here = Scope.parse(PRIVATE).owner
    await journal.erase(Erasure(frozenset({PRIVATE}), turns=frozenset({turn.seq})))
    assert await journal.names() == {here: {("qq", "ann"): "Ann"}}
    await journal.erase(Erasure(speakers=frozenset({("tg", "ann")})))
    assert await journal.names() == {here: {("qq", "ann"): "Ann"}}
    await journal.erase(Erasure(speakers=frozenset({("qq", "ann")})))
    assert await journal.names() == {}


async def test_who_has_spoken_since_keeps_the_name_of_that_chat_alone(journal: Journal) -> None:
    await tell(journal, speaker=Speaker("ann", "Ann-support"))
    last = await tell(journal, scope=PRIVATE, speaker=Speaker("ann", "Annie"))
    await tell(journal, scope=PRIVATE, speaker=Speaker("ann", "Ann"))
    await journal.erase(Erasure(speakers=frozenset({("qq", "ann")}), until=last.seq))
    assert await journal.names() == {Scope.parse(PRIVATE).owner: {("qq", "ann"): "Ann"}}


async def test_odd_ids_erase_nothing(journal: Journal) -> None:
    turn = await tell(journal)
    for odd in ("\x00", "\ud800", "%", "' OR 1=1 --", ""):
        erasure = Erasure(
            scopes=frozenset({odd}),
            speakers=frozenset({("qq", odd), (odd, "ann")}),
            memories=frozenset({odd}),
        )
        assert await journal.erase(erasure) == frozenset()
    assert await journal.turn(turn.seq) == turn


async def foreseen(journal: Journal, erasure: Erasure) -> list[Turn]:
    return [turn async for turn in journal.erasable(erasure)]


async def test_what_would_be_erased_comes_with_the_answers(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "PAGE", 3)
    asked = [await tell(journal, f"{n}") for n in range(4)]
    replies = [await answer(journal, turn) for turn in asked]
    await tell(journal, speaker=BEN)
    ann = Erasure(speakers=frozenset({("qq", "ann")}))
    assert await foreseen(journal, ann) == asked + replies
    assert await journal.erase(ann) == {turn.seq for turn in asked + replies}
    assert await foreseen(journal, ann) == []


async def test_a_large_erasure_is_done_in_parts_and_empties_whatever_quotes_it(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "ERASED_AT_ONCE", 2)
    parts: list[Erasure] = []
    whole = erasing.erase
    monkeypatch.setattr(
        erasing, "erase", lambda tx, part, **how: parts.append(part) or whole(tx, part, **how)
    )
    turns = [await tell(journal, f"the {n}th otter of Hameln is asleep") for n in range(7)]
    kept = await tell(journal, "the goats are awake", speaker=BEN)
    quoting = Recollection(kept.seq, 1.0, "{}", f"[1] {turns[3].text}", ())
    await journal.record_recall(quoting)
    memories = frozenset(f"m{n}" for n in range(5))
    ann = Erasure(speakers=frozenset({("qq", "ann")}), memories=memories)
    assert await journal.erase(ann) == {turn.seq for turn in turns}
    assert [len(part.memories) + len(part.turns) for part in parts] == [2, 2, 1, 2, 2, 2, 1, 0]
    assert parts[-1] == Erasure(speakers=ann.speakers)
    last = await journal.recollection(kept.place.session)
    assert last.block == ""
    assert await journal.turns_of(kept.episode) == [kept]


async def test_scopes_are_those_in_which_something_was_said(journal: Journal) -> None:
    assert await journal.scopes() == frozenset()
    for n, scope in enumerate((GROUP, PRIVATE, GROUP)):
        await tell(journal, session=f"{n}", scope=scope)
    assert await journal.scopes() == {GROUP, PRIVATE}


async def test_who_is_erased_has_signed_nothing(journal: Journal) -> None:
    there = ["Boss (tg/ann)", "(q%2Fq/ann)", "Ann (qq/ann) (qq/ben)", "ann (qq/ben)"]
    signatures = ["Boss (qq/ann)", "(qq/ann)", *there, "Joann (qq/joann)", "ann", "rules"]
    for number, by in enumerate(signatures):
        entry = AuditEntry(f"k{number}", f"m{number}", PRIVATE, "binned", by, 1.0)
        await journal.audit([entry])
    await journal.set_override("backup.keep", '{"value": 5, "by": "Boss (qq/ann)", "at": 1.0}')
    await journal.set_override("recall.deadline_ms", '{"value": 9, "by": "B (tg/ann)", "at": 1.0}')
    await journal.erase(Erasure(speakers=frozenset({("qq", "ann")})))
    signed = [(await journal.audit_of(f"m{n}"))[0].by for n in range(len(signatures))]
    assert signed == [ERASED, ERASED, *signatures[2:]]
    left = await journal.overrides()
    assert json.loads(left["backup.keep"]) == {"value": 5, "by": ERASED, "at": 1.0}
    assert json.loads(left["recall.deadline_ms"])["by"] == "B (tg/ann)"


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
