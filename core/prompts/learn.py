"""The learning call: one closed episode in, the facts that it holds out. Pure."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from ..languages.language import LearningWording
from ..languages.registry import learning_wording
from ..languages.scripts import language_of
from ..model.conversation import Role, Speaker, Turn
from ..model.lesson import ToldFact
from ..ports import Prompt
from ..text.quoting import LONGEST_NAME, marks, quoted, quoted_name
from .instructions import OURS, Instructions
from .reply import told_in
from .schema import reply_schema

VERSION = 13

MOST_CHARACTERS = 24_000
"""Aim for the user part; very many turns may exceed it by `SHORTEST` characters each."""

LONGEST_TURN = 20_000
LONGEST_WISHES = 2_000
SHORTEST = 40

type ShowTime = Callable[[float], str]

type Names = Mapping[Speaker, str]
"""What each speaker is called in one prompt."""


def build(
    turns: Sequence[Turn],
    *,
    shown_time: ShowTime,
    language: str,
    wishes: str = "",
    instructions: Instructions = OURS,
) -> Prompt:
    """The prompt for the `turns` of an episode, in which nothing has a number.

    The bot's lines stand apart. A turn of which the platform says whom it answers names them, if
    they did not speak just before. `wishes` are the owner's own words on what to keep, what never,
    and in which tone. All that people wrote is quoted, one line each. Over `MOST_CHARACTERS` the
    longest turns of the bot are cut first, then those of people.
    """
    words = learning_wording(language)
    told = instructions.of("learn", language)
    if own := quoted(wishes, LONGEST_WISHES):
        told += "\n\n" + words.wishes.replace("{wishes}", own)
    return Prompt(
        system=f"tidemark:learn/{VERSION}\n{told}",
        user="\n".join(turn_lines(turns, shown_time, words, MOST_CHARACTERS)),
        schema=reply_schema(sum(turn.role is not Role.ASSISTANT for turn in turns)),
        name="learn",
    )


def language_in(turns: Sequence[Turn]) -> str:
    """The language that people speak in the turns, by their beginnings, whatever the bot speaks."""
    said = [turn for turn in turns if turn.role is not Role.ASSISTANT] or turns
    return language_of(" ".join(turn.text[:200] for turn in said))


def parse(text: str) -> list[ToldFact]:
    """The facts that a reply tells. Raises ReplyMalformed if nothing in it can be read."""
    return told_in(text)


def turn_lines(
    turns: Sequence[Turn], shown_time: ShowTime, words: LearningWording, room: int
) -> list[str]:
    """One line for each turn, with its day and who spoke, within so many characters."""
    names = names_of(turns)
    heads = [_head(turn, names, turns, shown_time, words) for turn in turns]
    texts = [quoted(turn.text, LONGEST_TURN) for turn in turns]
    by_bot = [turn.role is Role.ASSISTANT for turn in turns]
    room -= sum(len(head) + len(words.bot) for head in heads)
    bot_cap, own_cap = caps([len(text) for text in texts], by_bot, room, SHORTEST)
    return [
        words.bot.replace("{text}", quoted(text, bot_cap)) if bot else head + quoted(text, own_cap)
        for head, text, bot in zip(heads, texts, by_bot, strict=True)
    ]


def names_of(turns: Sequence[Turn]) -> Names:
    """What people are called, told apart where two bear one name."""
    speakers = {turn.speaker for turn in turns if turn.role is not Role.ASSISTANT}
    several = len({speaker.id for speaker in speakers}) > 1
    told_apart = marks({speaker: speaker for speaker in speakers}) if several else {}
    return {
        speaker: quoted_name(speaker.name, LONGEST_NAME) + told_apart.get(speaker, "")
        for speaker in speakers
    }


def _head(
    turn: Turn, names: Names, turns: Sequence[Turn], shown_time: ShowTime, words: LearningWording
) -> str:
    called = names.get(turn.speaker, "") or "-"
    if other := _answered(turn, turns):
        called = words.to.replace("{name}", called).replace("{other}", names.get(other) or "-")
    return f"[{_day(shown_time(turn.at), words)}] {called}: "


def _answered(turn: Turn, turns: Sequence[Turn]) -> Speaker | None:
    """The person whom the turn answers, if another turn stands between."""
    seqs = [other.seq for other in turns]
    if turn.answers not in seqs or turn.seq not in seqs:
        return None
    place = seqs.index(turn.answers)
    near, other = seqs.index(turn.seq) <= place + 1, turns[place]
    return None if near or other.role is Role.ASSISTANT else other.speaker


def _day(shown: str, words: LearningWording) -> str:
    try:
        weekday = date.fromisoformat(shown[:10]).weekday()
    except ValueError:
        return shown
    return f"{shown} {words.weekdays[weekday]}"


def level(lengths: Sequence[int], budget: int, floor: int) -> int:
    """The largest cap under which the capped lengths sum to at most `budget`.

    Never below `floor`, so many texts may exceed the budget by at most `floor` each.
    """
    left = budget
    ordered = sorted(lengths)
    for index, length in enumerate(ordered):
        share = left // (len(ordered) - index)
        if length > share:
            return max(floor, share)
        left -= length
    return max(floor, *ordered[-1:], floor)


def caps(lengths: Sequence[int], first: Sequence[bool], budget: int, floor: int) -> tuple[int, int]:
    """Caps for texts marked in `first`, which give way, and for the others, which give way last.

    The others are shortened only when those in `first` are all down to `floor` characters.
    """
    yielding = [length for length, marked in zip(lengths, first, strict=True) if marked]
    kept = [length for length, marked in zip(lengths, first, strict=True) if not marked]
    low = level(yielding, budget - sum(kept), floor)
    spent = sum(min(length, low) for length in yielding)
    return low, level(kept, budget - spent, floor)
