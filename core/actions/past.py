"""Learning from conversations that the host stored before the plugin was installed."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..engine.past import PastReading, recorded
from ..model.consent import person_in
from ..transfer.host_history import StoredTurn
from .answers import Refusal, Refused
from .context import Context

DAY = 86_400.0
MOST_DAYS = 365.0
CALL_TOKENS = 2_500
"""What a learning call costs besides the messages: instructions, what is known, the reply."""


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
    owners = None
    if not context.caller.admin:
        caller = person_in(context.caller.scope, context.caller.person)
        owners = await context.engine.consents.owners(caller)
    engine, cap, fresh = context.engine, context.settings.learning.daily_tokens, 0
    pace = _Pace(max(CALL_TOKENS, cap // 2))
    parts, now = engine.parts, context.now
    reading = PastReading(
        history, parts.journal, parts.settings, engine.consents, engine.admission, now, owners
    )
    async for place, turns in reading.episodes(now - days * DAY):
        learn_at = now + DAY * pace.day(turns)
        if code:
            new = [recorded(turn, place) for turn in turns]
            fresh += await context.journal.append_past(new, now=now, learn_at=learn_at)
    if code:
        engine.wake()
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
    """Spreads episodes over days: `most` tokens of each, half of its cap, are for them."""

    most: int
    calls: int = 0
    tokens: int = 0

    def day(self, turns: Sequence[StoredTurn]) -> int:
        """On which day, from 0, an episode of these turns is learnt from."""
        day = self.tokens // self.most
        self.calls += 1
        self.tokens += CALL_TOKENS + sum(len(turn.text) for turn in turns)
        return day

    @property
    def days(self) -> int:
        return 1 + max(0, self.tokens - 1) // self.most
