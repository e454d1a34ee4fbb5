"""The noise of every day between the lines of a life, and questions at their times."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...core.model.conversation import Role, ScopeKind, Speaker
from ..datasets.cdconv import Exchange
from .script import DAY, Life, Line, Need

LONG_PAUSE = 2 * 3_600.0
"""Seconds between lines of which the first ends a conversation."""

PACE = 1_800.0 + 600.0
"""Seconds from one exchange of noise to the next where nothing else is said."""

DELAYS = (0.25, 1.0, 3.0, 7.0, 30.0, 90.0)
"""Days from the last thing that a question needs to the question, in rotation."""


PER_LINE = 1.0
"""Turns of noise for each line of a life."""


def as_it_comes(life: Life, number: int, noise: Sequence[Exchange]) -> Iterator[Line]:
    """With its questions at their times; with noise where it is a private chat in Chinese.

    The noise of the `number`th life is no other's.
    """
    lines = asked_in_time(life.needs, life.lines)
    if life.language != "zh" or life.scope.kind is not ScopeKind.PRIVATE:
        return iter(lines)
    own = int(len(life.lines) * PER_LINE / 2)
    return with_noise(lines, iter(noise[number * own :][:own]), PER_LINE, life.asker)


def exchange_lines(exchange: Exchange, speaker: Speaker, at: float) -> tuple[Line, Line]:
    """Two turns with their answers, a minute apart."""
    first = Line(at, speaker, exchange.opening, answer=exchange.answer, life=False)
    second = Line(at + 60, speaker, exchange.second, answer=exchange.second_answer, life=False)
    return first, second


def with_noise(
    lines: Sequence[Line], noise: Iterator[Exchange], per_line: float, speaker: Speaker
) -> Iterator[Line]:
    """The lines in their order, with `per_line` turns of noise for each, in the pauses.

    After the last line nothing but noise, to the end of the noise.
    """
    due, after = 0.0, 0.0
    for line, following in zip(lines, (*lines[1:], None), strict=True):
        yield line
        due, after = due + per_line, line.at
        pause = LONG_PAUSE if following is None else following.at - line.at
        if due < 2 or pause < LONG_PAUSE:
            continue
        # At most as much as the pause has room for; what is due comes in the next one.
        count = int(min(due // 2, pause // PACE - 1)) if following is not None else 0
        for number in range(1, count + 1):
            exchange = next(noise, None)
            if exchange is None:
                break
            due -= 2
            yield from exchange_lines(exchange, speaker, line.at + number * pause / (count + 1))
    for exchange in noise:
        after += PACE
        yield from exchange_lines(exchange, speaker, after)


def asked_in_time(needs: Sequence[Need], lines: Sequence[Line]) -> list[Line]:
    """The lines with every need asked once, `DELAYS` after what it needs was said.

    Turns before the question are said a minute apart; a need of nothing that is said is left out.
    """
    told = {line.label: line.at for line in lines if line.label}
    found = list(lines)
    number = 0
    for need in needs:
        rests_on = [told[label] for part in need.parts for label in part.labels if label in told]
        if not rests_on:
            continue
        at = max(rests_on) + DELAYS[number % len(DELAYS)] * DAY + 60.0 * (number % 600)
        number += 1
        found += _question(need, at)
    return sorted(found, key=lambda line: line.at)


def _question(need: Need, at: float) -> Iterator[Line]:
    before = need.before
    for index, earlier in enumerate(before):
        if earlier.role is Role.USER:
            after = before[index + 1] if index + 1 < len(before) else None
            answer = after.text if after is not None and after.role is Role.ASSISTANT else ""
            said = Line(at - 60 * (len(before) - index), need.asker, earlier.text, life=False)
            yield replace(said, answer=answer)
    yield Line(at, need.asker, need.text, need=need)
