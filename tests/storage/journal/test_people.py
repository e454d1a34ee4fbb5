"""People: what they choose, their names and accounts, and their turns read back."""

import asyncio
import math
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from astrbot_plugin_tidemark.core.model.consent import Consent
from astrbot_plugin_tidemark.core.model.conversation import (
    EpisodeEnd,
    NewTurn,
    Place,
    Role,
    Scope,
    ScopeKind,
    Speaker,
    reply_id,
)
from astrbot_plugin_tidemark.core.ports import Erasure, Journal
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened, say
from hypothesis import example, given
from hypothesis import strategies as st

GROUP = Scope(ScopeKind.GROUP, "qq", "g1").key
SAME_PLATFORM = Scope(ScopeKind.PRIVATE, "qq", "ann", "cook").key
ELSEWHERE = Scope(ScopeKind.PRIVATE, "tele/gram", "ann").key
BOT = Speaker("bot", "Tide")


def owner(key: str) -> str:
    return Scope.parse(key).owner


@pytest.mark.parametrize(
    "chosen",
    [
        Consent(paused=True),
        Consent(shared=True),
        Consent(keep_days=0.5),
        Consent(paused=True, shared=True, keep_days=math.inf),
    ],
)
async def test_a_consent_is_kept_as_chosen(tmp_path: Path, chosen: Consent) -> None:
    async with opened(tmp_path) as journal:
        assert await journal.consents() == {}
        await journal.set_consent(GROUP, chosen)
    async with opened(tmp_path) as reopened:
        assert await reopened.consents() == {GROUP: chosen}


async def test_a_consent_replaces_the_whole_of_the_earlier_one(journal: Journal) -> None:
    await journal.set_consent("ann", Consent(paused=True, keep_days=30.0))
    await journal.set_consent("ben", Consent(shared=True))
    await journal.set_consent("ann", Consent(shared=True))
    assert await journal.consents() == {"ann": Consent(shared=True), "ben": Consent(shared=True)}
    await journal.set_consent("ann", Consent(paused=True))
    await journal.set_consent("ann", Consent())
    await journal.set_consent("ben", Consent())
    assert await journal.consents() == {}


async def test_a_person_has_the_last_name_that_is_one(journal: Journal) -> None:
    for name in ("Ann", "安", "Annie"):
        await say(journal, scope=GROUP, speaker=Speaker("ann", name))
    assert await journal.names() == {owner(GROUP): {("qq", "ann"): "Annie"}}
    await say(journal, scope=GROUP, speaker=Speaker("ann", "Ann"))
    await say(journal, scope=GROUP, speaker=Speaker("ann", ""))
    await say(journal, scope=GROUP, speaker=Speaker("ben", ""))
    assert await journal.names() == {owner(GROUP): {("qq", "ann"): "Ann"}}
    await say(journal, scope=GROUP, speaker=Speaker("ann", "Ann"), message_id="m1")
    again = await say(journal, scope=GROUP, speaker=Speaker("ann", "Later"), message_id="m1")
    assert again.duplicate
    assert await journal.names() == {owner(GROUP): {("qq", "ann"): "Ann"}}


async def test_a_name_is_that_of_the_chat_it_was_used_in(journal: Journal) -> None:
    await say(journal, session="1", scope=GROUP, speaker=Speaker("ann", "Ann"))
    await say(journal, session="2", scope=ELSEWHERE, speaker=Speaker("ann", "Anna"))
    await say(journal, session="3", scope=SAME_PLATFORM, speaker=Speaker("ann", "Cook"))
    assert await journal.names() == {
        owner(GROUP): {("qq", "ann"): "Ann"},
        owner(ELSEWHERE): {("tele/gram", "ann"): "Anna"},
        owner(SAME_PLATFORM): {("qq", "ann"): "Cook"},
    }


async def test_a_name_is_that_of_the_chat_whatever_the_persona(journal: Journal) -> None:
    baker = Scope(ScopeKind.PRIVATE, "qq", "ann", "baker").key
    await say(journal, session="1", scope=SAME_PLATFORM, speaker=Speaker("ann", "Cook"))
    await say(journal, session="2", scope=baker, speaker=Speaker("ann", "Baker"))
    assert await journal.names() == {owner(baker): {("qq", "ann"): "Baker"}}


async def test_bystanders_have_names_the_bot_has_not(journal: Journal) -> None:
    await say(journal, scope=GROUP, role=Role.BYSTANDER, speaker=Speaker("ben", "Ben"))
    await say(journal, scope=GROUP, role=Role.ASSISTANT, speaker=BOT)
    assert await journal.names() == {owner(GROUP): {("qq", "ben"): "Ben"}}


@pytest.mark.parametrize("scope", ["", "scope", "a/b", "nothing/qq/ann/*", "private/qq/ann/*/x"])
async def test_a_scope_that_is_no_key_has_no_names(journal: Journal, scope: str) -> None:
    assert not (await say(journal, scope=scope)).duplicate
    assert await journal.names() == {}


SAYINGS = st.lists(
    st.tuples(
        st.sampled_from((GROUP, SAME_PLATFORM, ELSEWHERE, "no key")),
        st.sampled_from(("ann", "ben")),
        st.sampled_from(("", "A", "B", "\ud800")),
        st.sampled_from((Role.USER, Role.BYSTANDER, Role.ASSISTANT)),
    ),
    max_size=12,
)


@given(SAYINGS)
def test_names_are_those_last_spoken_under(
    tmp_path_factory: pytest.TempPathFactory, sayings: list[tuple[str, str, str, Role]]
) -> None:
    asyncio.run(_speak(tmp_path_factory.mktemp("names"), sayings))


async def _speak(folder: Path, sayings: list[tuple[str, str, str, Role]]) -> None:
    expected: dict[str, dict[tuple[str, str], str]] = {}
    async with opened(folder) as journal:
        for scope, user, name, role in sayings:
            await say(journal, scope=scope, speaker=Speaker(user, name), role=role)
            if name and role is not Role.ASSISTANT and scope != "no key":
                account = (Scope.parse(scope).platform, user)
                expected.setdefault(owner(scope), {})[account] = name.replace("\ud800", "?")
        assert await journal.names() == expected


async def test_a_group_keeps_the_newest_name_it_was_heard_under(tmp_path: Path) -> None:
    as_cook = Scope(ScopeKind.GROUP, "qq", "g1", "cook").key
    async with opened(tmp_path) as journal:
        await say(journal, scope=GROUP, chat_name="Rowers")
        await say(journal, scope=as_cook, chat_name="Harbour \ud800crew")
        await say(journal, scope=GROUP)
        await say(journal, scope=Scope(ScopeKind.GROUP, "qq", "g2").key, chat_name="Chess")
        await say(journal, scope="no scope", chat_name="Nobody")
    async with opened(tmp_path) as reopened:
        names = await reopened.chat_names()
    assert names.pop(owner(GROUP)).startswith("Harbour ")
    assert names == {Scope(ScopeKind.GROUP, "qq", "g2").owner: "Chess"}


async def test_the_name_of_a_group_goes_with_all_said_there(journal: Journal) -> None:
    as_cook = Scope(ScopeKind.GROUP, "qq", "g1", "cook").key
    neighbour = Scope(ScopeKind.GROUP, "qq", "g10").key
    first = await say(journal, scope=GROUP, session="a", chat_name="Rowers")
    await say(journal, scope=as_cook, session="b")
    await say(journal, scope=neighbour, session="c", chat_name="Chess")
    await journal.erase(Erasure(turns=frozenset({first.turn.seq})))
    assert await journal.chat_names() == {owner(GROUP): "Rowers", owner(neighbour): "Chess"}
    await journal.erase(Erasure(scopes=frozenset({as_cook})))
    assert await journal.chat_names() == {owner(neighbour): "Chess"}


ANY_TEXT = st.text(st.characters(categories=None), max_size=40)


async def test_turns_of_an_episode_come_by_seq(journal: Journal) -> None:
    turns = [(await say(journal, f"{n}", at=10.0 - n)).turn for n in range(4)]
    await say(journal, session="another")
    assert await journal.turns_of(turns[0].episode) == turns


async def test_last_turns_are_the_newest_of_the_session_oldest_first(journal: Journal) -> None:
    turns = [(await say(journal, f"{n}", end=EpisodeEnd.SIZE)).turn for n in range(5)]
    await say(journal, session="another")
    assert await journal.last_turns("session", 3) == turns[2:]
    assert await journal.last_turns("session", 99) == turns
    assert await journal.last_turns("nobody", 3) == []


async def test_a_turn_names_the_newest_turn_that_has_the_id_it_quotes(journal: Journal) -> None:
    await say(journal, "once", message_id="7:aa")
    await say(journal, "elsewhere", message_id="7:bb", session="another")
    meant = (await say(journal, "again", message_id="7:bb")).turn
    await say(journal, "another", message_id="71:cc")
    quoting = (await say(journal, "yes", message_id="8:dd", quotes="7:")).turn
    assert quoting.quoted == quoting.answers == meant.seq
    assert await journal.turn(quoting.seq) == quoting
    nobody = [(await say(journal, each, quotes=each)).turn for each in ("9:", "'", "")]
    assert [turn.quoted for turn in nobody] == [None, None, None]


async def test_the_bots_answer_is_not_quoted_by_anothers_id(journal: Journal) -> None:
    question = (await say(journal, "well?", message_id="1:aa")).turn
    reply = await say(journal, "so", role=Role.ASSISTANT, message_id=reply_id(question.seq))
    assert reply.turn.answers == question.seq
    quoting = await say(journal, "ah", message_id="2:bb", quotes="reply:")
    assert quoting.turn.answers is None
    named = await say(journal, "ah", quotes=reply.turn.seq)
    assert named.turn.answers == reply.turn.seq
    elsewhere = await say(journal, "ah", quotes=reply.turn.seq, session="another")
    assert elsewhere.turn.answers is None


async def test_statistics_count_turns_episodes_open_ones_and_recalls(journal: Journal) -> None:
    await say(journal)
    await say(journal, end=EpisodeEnd.SIZE)
    await say(journal, session="another")
    assert await journal.statistics() == {
        "turns": 3,
        "episodes": 3,
        "open_episodes": 2,
        "recalls": 0,
    }


@given(text=ANY_TEXT, name=ANY_TEXT, session=ANY_TEXT, message=ANY_TEXT)
@example(text="a\x00b", name="\x00", session="\x00", message="\x00")
@example(text="\ud83d half", name="\udfff", session="\ud800", message="\udc00")
@example(text="'; DROP TABLE turns; --", name="%_", session="?1", message=":seq")
@example(text="👩‍👩‍👧‍👦 العربية \u202e e\u0301 \ufeff", name="名前", session="한국", message="é")
def test_any_text_comes_back_encodable(text: str, name: str, session: str, message: str) -> None:
    asyncio.run(
        _round_trip(
            NewTurn(
                Place(session, session, session), Role.USER, Speaker(name, name), text, 1.5, message
            )
        )
    )


async def _round_trip(turn: NewTurn) -> None:
    with TemporaryDirectory() as folder:
        async with opened(Path(folder)) as journal:
            stored = (await journal.append(turn, lambda _episode, _turn: None)).turn
            assert stored.text == _replaced(turn.text)
            assert stored.speaker == Speaker(
                _replaced(turn.speaker.id), _replaced(turn.speaker.name)
            )
            assert await journal.turn(stored.seq) == stored
            assert await journal.last_turns(turn.place.session, 1) == [stored]
            again = await journal.append(turn, lambda _episode, _turn: None)
            assert again.duplicate == bool(turn.message_id)
            episode = await journal.open_episode(turn.place.session)
            assert episode.characters == len(turn.text) * episode.turns
            assert again.turn.episode == episode.id


def _replaced(text: str) -> str:
    return "".join("?" if "\ud800" <= char <= "\udfff" else char for char in text)
