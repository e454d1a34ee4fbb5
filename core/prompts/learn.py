"""The learning call: one closed episode in, what it taught out. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ..languages.language import LearningWording
from ..languages.registry import learning_wording
from ..model.conversation import Role, Speaker, Turn
from ..model.lesson import Lesson
from ..model.memory import Memory, Source
from ..ports import Prompt
from ..text.display_names import LONGEST_NAME, marks
from ..text.quoting import quoted, quoted_name
from .fitting import caps, level
from .reply import Shown, lesson_of
from .schema import MOST_CUES, REPLY, SHAPE

VERSION = 9

MOST_CHARACTERS = 24_000
"""Aim for the user part; a very long list may exceed it by `SHORTEST` characters an item."""

LONGEST_TURN = 20_000
LONGEST_WISHES = 2_000
SHORTEST = 40
_LONGEST_MEMORY = 400
_KNOWN_SHARE = 0.3
_MOST_PROBLEMS = 30
_LONGEST_REPEAT = 12_000

type ShowTime = Callable[[float], str]
type Lines = Mapping[int, tuple[int, int]]
"""The first and the last turn of where something was shown, by number."""

type Names = Mapping[Speaker, str]
"""What each speaker is called in one prompt."""


def build(
    turns: Sequence[Turn],
    known: Mapping[int, Memory],
    *,
    shown_time: ShowTime,
    language: str,
    wishes: str = "",
    lines: Lines = MappingProxyType({}),
) -> Prompt:
    """The prompt for an episode's `turns`, numbered from 1, and the memories known before.

    Of turns of several episodes `lines` tells in which a memory was shown, by its number. A turn
    of which the platform says what it answers names that, if it is not the turn just before.
    `wishes` are the owner's own words on what to keep, what never, and in which tone.

    All that people or earlier models wrote is quoted: one line each, unable to close its block.
    Over `MOST_CHARACTERS` the longest turns of the bot are cut first, then those of people.
    """
    words = learning_wording(language)
    instructions = words.instructions.replace("{cues}", str(MOST_CUES)).replace("{shape}", SHAPE)
    if own := quoted(wishes, LONGEST_WISHES):
        instructions += "\n\n" + words.wishes.replace("{wishes}", own)
    return Prompt(
        system=f"tidemark:learn/{VERSION}\n{instructions}",
        user=_user(turns, known, shown_time, words, lines),
        schema=REPLY,
        name="learn",
    )


def parse(text: str, *, turns: int, known: frozenset[int]) -> Lesson:
    """The lesson in a model's reply to an episode of `turns` turns and the `known` numbers.

    Text around the JSON object is ignored. Candidates of importance .3 or less are left out,
    corrections and updates excepted.
    Raises ReplyMalformed with every problem by name.
    """
    return lesson_of(text, Shown(range(1, turns + 1), known))


def repair(prompt: Prompt, reply: str, problems: Sequence[str]) -> Prompt:
    """The same call once more, with the reply that did not fit and the reasons."""
    reasons = "\n".join(f"- {quoted(problem, 300)}" for problem in problems[:_MOST_PROBLEMS])
    return replace(
        prompt,
        user=f"{prompt.user}\n\nA previous reply did not fit the required shape:\n"
        f"<reply>\n{quoted(reply, _LONGEST_REPEAT)}\n</reply>\n"
        f"Problems:\n{reasons}\n"
        "Write the whole JSON object again with these problems solved, and nothing else.",
    )


def _user(
    turns: Sequence[Turn],
    known: Mapping[int, Memory],
    shown_time: ShowTime,
    words: LearningWording,
    lines_of: Lines,
) -> str:
    names = _names(turns, known)
    places = {
        number: words.lines.replace("{first}", str(first)).replace("{last}", str(last))
        for number, (first, last) in lines_of.items()
    }
    memories = _memory_lines(known, names, shown_time, places)
    answers = _answers(turns)
    head = "\n".join(
        [
            *[words.several] * bool(places),
            *[words.answers] * bool(answers),
            words.known,
            "<known-memories>",
            *(memories or [words.nothing]),
            "</known-memories>",
        ]
    )
    frame = "\n".join([head, "", words.episode, "<episode>", "</episode>", "", words.closing])
    called = {n: _speaker(turn, names) for n, turn in enumerate(turns, start=1)}
    called |= {n: f"{called[n]} →{answered}" for n, answered in answers.items()}
    lines = _turn_lines(turns, called, shown_time, MOST_CHARACTERS - len(frame))
    return "\n".join(
        [head, "", words.episode, "<episode>", *lines, "</episode>", "", words.closing]
    )


def _names(turns: Sequence[Turn], known: Mapping[int, Memory]) -> Names:
    speakers = {turn.speaker for turn in turns if turn.role is not Role.ASSISTANT}
    speakers |= {m.speaker for m in known.values() if m.speaker and m.source is not Source.BOT}
    several = len({speaker.id for speaker in speakers}) > 1
    told_apart = marks({speaker: speaker for speaker in speakers}) if several else {}
    return {
        speaker: quoted_name(speaker.name, LONGEST_NAME) + told_apart.get(speaker, "")
        for speaker in speakers
    }


def _memory_lines(
    known: Mapping[int, Memory], names: Names, shown_time: ShowTime, places: Mapping[int, str]
) -> list[str]:
    told = {number: _origin(memory, names, shown_time) for number, memory in known.items()}
    origins = {n: ", ".join(filter(None, (told[n], places.get(n, "")))) for n in known}
    heads = [f"[{number}] ({origins[number]}) " for number in sorted(known)]
    texts = [quoted(known[number].text, _LONGEST_MEMORY) for number in sorted(known)]
    room = int(MOST_CHARACTERS * _KNOWN_SHARE) - sum(len(head) + 1 for head in heads)
    cap = level([len(text) for text in texts], room, SHORTEST)
    return [head + quoted(text, cap) for head, text in zip(heads, texts, strict=True)]


def _origin(memory: Memory, names: Names, shown_time: ShowTime) -> str:
    if memory.speaker is None:
        named = quoted_name(" / ".join(memory.about), LONGEST_NAME)
    else:
        named = names.get(memory.speaker, "")
    return ", ".join(filter(None, (shown_time(memory.happened_at), named)))


def _answers(turns: Sequence[Turn]) -> Mapping[int, int]:
    """By number, which turn others answer that did not follow it; both from 1."""
    numbers = {turn.seq: number for number, turn in enumerate(turns, start=1)}
    answered = {numbers[turn.seq]: numbers.get(turn.answers or 0, 0) for turn in turns}
    return {number: to for number, to in answered.items() if 0 < to < number - 1}


def _turn_lines(
    turns: Sequence[Turn], called: Mapping[int, str], shown_time: ShowTime, room: int
) -> list[str]:
    heads = [
        f"{number} [{shown_time(turn.at)}] {turn.role.value} {called[number]}: "
        for number, turn in enumerate(turns, start=1)
    ]
    texts = [quoted(turn.text, LONGEST_TURN) for turn in turns]
    by_bot = [turn.role is Role.ASSISTANT for turn in turns]
    room -= sum(len(head) + 1 for head in heads)
    bot_cap, own_cap = caps([len(text) for text in texts], by_bot, room, SHORTEST)
    return [
        head + quoted(text, bot_cap if bot else own_cap)
        for head, text, bot in zip(heads, texts, by_bot, strict=True)
    ]


def _speaker(turn: Turn, names: Names) -> str:
    called = names.get(turn.speaker) or quoted_name(turn.speaker.name, LONGEST_NAME)
    return called or "-"
