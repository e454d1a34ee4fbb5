"""Learning from conversations that the host stored before the plugin was installed."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from ..capture.segmentation import limits_of
from ..engine.past import noted_beginning
from ..model.consent import person_in
from ..model.conversation import ANY_PERSONA, NewTurn, Place, Role, Scope, ScopeKind, Speaker
from ..model.recording import Utterance
from ..ports import EpisodeLimits, Ledger
from ..transfer.host_history import HostHistory, StoredChat, StoredTurn, turns_of_chat
from .answers import Refusal, Refused
from .context import Context

DAY = 86_400.0
MOST_DAYS = 365.0
MOST_TURNS = 2_000
"""Messages of one run: their indexing goes before that of what is said meanwhile."""

CALL_TOKENS = 2_500
"""What a learning call costs besides the messages: instructions, what is known, the reply."""

_PRIVATE, _GROUP = "FriendMessage", "GroupMessage"
_OWN_SESSION = re.compile(r"[0-9]+_([0-9]+)")
"""Session of one member of a group, where each has one of their own."""

_MARK = "history:"
"""Begins the message ids of what was read from the host's history."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a run would read: chats, messages, episodes, and tokens of a model by an estimate.

    With a `code` nothing is read into memory before the request is repeated with that; without one
    `turns` are those that were new.

    `days` is how long learning would take within half of each day's budget. `unclear` are
    conversations, and messages, of which it is not known who spoke or when: they are left out.
    `more` if there is more than one run takes.
    """

    chats: int
    turns: int
    episodes: int
    tokens: int
    days: int
    unclear: int
    more: bool
    code: str


@dataclass(slots=True)
class _Reading:
    """What has been read so far."""

    chats: int = 0
    turns: int = 0
    unclear: int = 0
    more: bool = False


async def learn_past(context: Context, days: float, code: str = "") -> Past:
    """Read the last `days` before recording began: all chats for admins, else the caller's own.

    First what that would cost; with the code it is done. Done again, it goes on where it stopped:
    no message is recorded twice.
    """
    history = context.services.host_history
    if history is None:
        raise Refused(Refusal.NOTHING_THERE)
    what = f"learn history {days:g}"
    if code:
        context.redeem(what, code)
    reading, pace, fresh = _Reading(), _Pace.of(context), 0
    async for place, turns in _episodes(context, history, days, reading):
        learn_at = context.now + DAY * pace.day(turns)
        if code:
            new = [_new(turn, place) for turn in turns]
            fresh += await context.journal.append_past(new, now=context.now, learn_at=learn_at)
    if code:
        context.engine.wake()
    elif not reading.turns:
        raise Refused(Refusal.NOTHING_THERE)
    return Past(
        reading.chats,
        fresh if code else reading.turns,
        pace.calls,
        pace.tokens,
        pace.days,
        reading.unclear,
        reading.more,
        "" if code else context.code_for(what),
    )


@dataclass(slots=True)
class _Pace:
    """Spreads episodes over days: half of each day's calls and tokens is for them."""

    most_calls: int
    most_tokens: int
    calls: int = 0
    tokens: int = 0

    @classmethod
    def of(cls, context: Context) -> "_Pace":
        learning = context.engine.parts.settings.learning
        return cls(max(1, learning.daily_calls // 2), max(CALL_TOKENS, learning.daily_tokens // 2))

    def day(self, turns: Sequence[StoredTurn]) -> int:
        """On which day, from 0, an episode of these turns is learnt from."""
        day = max(self.calls // self.most_calls, self.tokens // self.most_tokens)
        self.calls += 1
        self.tokens += CALL_TOKENS + sum(len(turn.text) for turn in turns)
        return day

    @property
    def days(self) -> int:
        return 1 + max(
            max(0, self.calls - 1) // self.most_calls, max(0, self.tokens - 1) // self.most_tokens
        )


async def _episodes(
    context: Context, history: HostHistory, days: float, reading: _Reading
) -> AsyncIterator[tuple[Place, Sequence[StoredTurn]]]:
    """What is to be read, an episode at a time, and not on record yet."""
    until = await noted_beginning(context.journal, context.now)
    since, ledger = context.now - days * DAY, await context.journal.ledger()
    groups: set[str] = set()
    async for chat in history.chats(since=since):
        scope = await _scope(context, history, chat)
        if scope is None or chat.session in groups:
            continue
        if scope.kind is ScopeKind.GROUP:
            groups.add(chat.session)
        said, timed = await _said(history, chat, scope, since)
        before = await _before(context, chat, said, until, timed=timed)
        if before is None:
            reading.unclear += 1
            continue
        turns = [t for t in before if t.at >= since]
        kept = await _allowed(context, scope, ledger, turns)
        reading.unclear += len(turns) - len(kept)
        place = Place(chat.session, chat.conversation, scope.key)
        known = await context.journal.message_ids(chat.session, [_id(turn) for turn in kept])
        kept = [turn for turn in kept if _id(turn) not in known]
        reading.chats += bool(kept)
        for episode in _cut(kept, limits_of(context.engine.parts.settings.capture)):
            if reading.turns + len(episode) > MOST_TURNS:
                reading.more = True
                return
            reading.turns += len(episode)
            yield place, episode


async def _scope(context: Context, history: HostHistory, chat: StoredChat) -> Scope | None:
    """Whose memory the chat is, if the caller may have it learnt from."""
    platform, _, rest = chat.session.partition(":")
    kind, _, session = rest.partition(":")
    if kind not in (_PRIVATE, _GROUP) or not session:
        return None
    separate = context.engine.parts.settings.scope.persona_separation
    persona = await history.persona(chat) if separate else ANY_PERSONA
    if kind == _GROUP:
        own = _OWN_SESSION.fullmatch(session)
        scope = Scope(ScopeKind.GROUP, platform, own[1] if own else session, persona)
    else:
        web = session.split("!")
        person = web[1] if web[0] == "webchat" and len(web) > 2 else session
        scope = Scope(ScopeKind.PRIVATE, platform, person, persona)
    if context.caller.admin:
        return scope
    caller = person_in(context.caller.scope, context.caller.person)
    return scope if scope.owner in await context.engine.consents.owners(caller) else None


async def _said(
    history: HostHistory, chat: StoredChat, scope: Scope, since: float
) -> tuple[list[StoredTurn], bool]:
    """What was said, with its speakers, and whether the host noted when."""
    if scope.kind is ScopeKind.GROUP:
        rows = await history.messages(chat.session, since=since)
        return (rows, True) if rows else (turns_of_chat(chat), False)
    said = turns_of_chat(chat)
    return [replace(t, speaker=scope.subject) if _spoken(t) else t for t in said], False


async def _before(
    context: Context, chat: StoredChat, said: list[StoredTurn], until: float, *, timed: bool
) -> list[StoredTurn] | None:
    """Of what was said, what comes before recording began; None if that cannot be told.

    A conversation that goes on after that has no times: it is cut where it was first recorded.
    """
    # The host notes whole seconds: one that ended in the second of the beginning may go on after.
    if timed or chat.ended + 1.0 <= until:
        return [turn for turn in said if turn.at < until]
    live = await context.journal.last_turns(chat.session, MOST_TURNS)
    texts = {turn.text for turn in live if not turn.message_id.startswith(_MARK)}
    first = next((n for n, turn in enumerate(said) if turn.text in texts), None)
    return None if first is None else said[:first]


async def _allowed(
    context: Context, scope: Scope, ledger: Ledger, turns: Sequence[StoredTurn]
) -> list[StoredTurn]:
    """What may be recorded, by the same rules as what is said now, and of nobody who has been
    erased; of the bot's answers those to something of it.
    """
    kept: list[StoredTurn] = []
    heard = False
    for turn in turns:
        if _spoken(turn):
            heard = bool(turn.speaker) and await _may_keep(context, scope, ledger, turn)
        if heard:
            kept.append(turn)
    return kept


async def _may_keep(context: Context, scope: Scope, ledger: Ledger, turn: StoredTurn) -> bool:
    if ledger.erased_since((scope.platform, turn.speaker), 0):
        return False
    persona = "" if scope.persona == ANY_PERSONA else scope.persona
    said = Utterance(scope, turn.speaker, persona, turn.role is Role.USER)
    if await context.engine.admission.refusal(said) is not None:
        return False
    return await context.engine.consents.pause(scope, turn.speaker) is None


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


def _new(turn: StoredTurn, place: Place) -> NewTurn:
    speaker = Speaker(turn.speaker, turn.name)
    return NewTurn(place, turn.role, speaker, turn.text, turn.at, message_id=_id(turn))


def _id(turn: StoredTurn) -> str:
    return f"{_MARK}{turn.key}"


def _spoken(turn: StoredTurn) -> bool:
    return turn.role is not Role.ASSISTANT
