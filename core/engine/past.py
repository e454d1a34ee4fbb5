"""Reading conversations that the host stored before recording began, to be learnt from."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from ..capture.segmentation import limits_of
from ..model.consent import Utterance
from ..model.conversation import ANY_PERSONA, NewTurn, Place, Role, Scope, ScopeKind, Speaker
from ..ports import EpisodeLimits, Journal, Ledger
from ..privacy.consents import Admission, Consents
from ..records.notes import number_note
from ..settings import Settings
from ..transfer.host_history import HostHistory, StoredChat, StoredTurn, turns_of_chat

BEGAN = "recording_began"

MOST_TURNS = 2_000
"""Messages of one run: their indexing goes before that of what is said meanwhile."""

_PRIVATE, _GROUP = "FriendMessage", "GroupMessage"
_OWN_SESSION = re.compile(r"[0-9]+_([0-9]+)")
"""Session of one member of a group, where each has one of their own."""

_MARK = "history:"
"""Begins the message ids of what was read from the host's history."""


async def noted_beginning(journal: Journal, now: float) -> float:
    """When it began, noted the first time it is asked; where nothing is recorded yet, now.

    What was said later and is not recorded must stay so: somebody had paused, or a rule excluded
    it.
    """
    began = await number_note(journal, BEGAN)
    if began is None:
        first = await journal.first_opened()
        began = now if first is None else min(now, first)
        await journal.set_note(BEGAN, repr(began))
    return began


@dataclass(slots=True)
class PastReading:
    """Reads what lies before recording began, of the chats of `owners` (None: of all).

    It counts chats and messages, `unclear` what is left out since nobody knows who spoke or when,
    and notes whether there is `more` than one run takes.
    """

    history: HostHistory
    journal: Journal
    settings: Settings
    consents: Consents
    admission: Admission
    now: float
    owners: frozenset[str] | None
    chats: int = 0
    turns: int = 0
    unclear: int = 0
    more: bool = False

    async def episodes(self, since: float) -> AsyncIterator[tuple[Place, Sequence[StoredTurn]]]:
        """What is to be read, an episode at a time, and not on record yet."""
        until = await noted_beginning(self.journal, self.now)
        ledger = await self.journal.ledger()
        groups: set[str] = set()
        async for chat in self.history.chats(since=since):
            scope = await self._scope(chat)
            if scope is None or chat.session in groups:
                continue
            if scope.kind is ScopeKind.GROUP:
                groups.add(chat.session)
            said, timed = await self._said(chat, scope, since)
            before = await self._before(chat, said, until, timed=timed)
            if before is None:
                self.unclear += 1
                continue
            turns = [t for t in before if t.at >= since]
            kept = await self._allowed(scope, ledger, turns)
            self.unclear += len(turns) - len(kept)
            place = Place(chat.session, chat.conversation, scope.key)
            known = await self.journal.message_ids(chat.session, [_id(turn) for turn in kept])
            kept = [turn for turn in kept if _id(turn) not in known]
            self.chats += bool(kept)
            for episode in _cut(kept, limits_of(self.settings.capture)):
                if self.turns + len(episode) > MOST_TURNS:
                    self.more = True
                    return
                self.turns += len(episode)
                yield place, episode

    async def _scope(self, chat: StoredChat) -> Scope | None:
        """Whose memory the chat is, if the caller may have it learnt from."""
        platform, _, rest = chat.session.partition(":")
        kind, _, session = rest.partition(":")
        if kind not in (_PRIVATE, _GROUP) or not session:
            return None
        separate = self.settings.scope.persona_separation
        persona = await self.history.persona(chat) if separate else ANY_PERSONA
        if kind == _GROUP:
            own = _OWN_SESSION.fullmatch(session)
            scope = Scope(ScopeKind.GROUP, platform, own[1] if own else session, persona)
        else:
            web = session.split("!")
            person = web[1] if web[0] == "webchat" and len(web) > 2 else session
            scope = Scope(ScopeKind.PRIVATE, platform, person, persona)
        return scope if self.owners is None or scope.owner in self.owners else None

    async def _said(
        self, chat: StoredChat, scope: Scope, since: float
    ) -> tuple[list[StoredTurn], bool]:
        """What was said, with its speakers, and whether the host noted when."""
        if scope.kind is ScopeKind.GROUP:
            rows = await self.history.messages(chat.session, since=since)
            return (rows, True) if rows else (turns_of_chat(chat), False)
        said = turns_of_chat(chat)
        return [replace(t, speaker=scope.subject) if _spoken(t) else t for t in said], False

    async def _before(
        self, chat: StoredChat, said: list[StoredTurn], until: float, *, timed: bool
    ) -> list[StoredTurn] | None:
        """Of what was said, what comes before recording began; None if that cannot be told.

        A conversation that goes on after that has no times: it is cut where it was first recorded.
        """
        # The host notes whole seconds: one that ended in that of the beginning may go on after.
        if timed or chat.ended + 1.0 <= until:
            return [turn for turn in said if turn.at < until]
        live = await self.journal.last_turns(chat.session, MOST_TURNS)
        texts = {turn.text for turn in live if not turn.message_id.startswith(_MARK)}
        first = next((n for n, turn in enumerate(said) if turn.text in texts), None)
        return None if first is None else said[:first]

    async def _allowed(
        self, scope: Scope, ledger: Ledger, turns: Sequence[StoredTurn]
    ) -> list[StoredTurn]:
        """What may be recorded, by the same rules as what is said now, and of nobody who has been
        erased; of the bot's answers those to something of it.
        """
        kept: list[StoredTurn] = []
        heard = False
        for turn in turns:
            if _spoken(turn):
                heard = bool(turn.speaker) and await self._may_keep(scope, ledger, turn)
            if heard:
                kept.append(turn)
        return kept

    async def _may_keep(self, scope: Scope, ledger: Ledger, turn: StoredTurn) -> bool:
        if ledger.erased_since((scope.platform, turn.speaker), 0):
            return False
        persona = "" if scope.persona == ANY_PERSONA else scope.persona
        said = Utterance(scope, turn.speaker, persona, turn.role is Role.USER)
        if await self.admission.refusal(said) is not None:
            return False
        return await self.consents.pause(scope, turn.speaker) is None


def recorded(turn: StoredTurn, place: Place) -> NewTurn:
    """The turn as it is put on record."""
    speaker = Speaker(turn.speaker, turn.name)
    return NewTurn(place, turn.role, speaker, turn.text, turn.at, message_id=_id(turn))


def _cut(turns: Sequence[StoredTurn], limits: EpisodeLimits) -> list[list[StoredTurn]]:
    """Episodes, as what is said now would be cut; an answer stays with its question."""
    episodes: list[list[StoredTurn]] = []
    size = 0
    for turn in turns:
        last = episodes[-1] if episodes else []
        silent = bool(last) and turn.at - last[-1].at >= limits.silence and _spoken(turn)
        full = len(last) >= limits.turns or size >= limits.characters
        if not last or silent or (full and _spoken(turn)):
            episodes.append([])
            size = 0
        episodes[-1].append(turn)
        size += len(turn.text)
    return episodes


def _id(turn: StoredTurn) -> str:
    return f"{_MARK}{turn.key}"


def _spoken(turn: StoredTurn) -> bool:
    return turn.role is not Role.ASSISTANT
