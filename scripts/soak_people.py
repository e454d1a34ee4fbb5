"""Who speaks where in a soak, what is said, and what others must not be shown of it.

Everything said tells who said it and where, and bears a word that nothing else bears. What the
rules of its group keep from being recorded is told apart by its first word.
"""

import random
import re
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..core.model.conversation import Role, Turn
from ..core.model.memory import Kind, Memory
from .hostkit.model_server import ChatRequest, Purpose, text_of
from .soak_toll import session_of

PEOPLE = (901, 902, 903)
GROUPS = (6001, 6002)
SESSIONS = (*map(session_of, PEOPLE), *(f"qq:GroupMessage:{group}" for group in GROUPS))

SPOKEN, HUSHED = "Turn", "Hushed"
SAID = re.compile(rf"\b({SPOKEN}|{HUSHED}) \d+ by (\d+)(?: in (\d+))?[.:]")
PLANNED = re.compile(r"\bload ship \d with ([0-9a-f]{8})\b")

PRIVATE, ADDRESSED = 0.45, 0.8
"""Shares of what is said: in private up to the first, in a group to the bot up to the second, and
the rest to the others there."""

PLANS = 0.15
RULES = ("all", "addressed", "none")


@dataclass(frozen=True, slots=True)
class Line:
    """Something that a person says: in private where `group` is None, else to the bot or not."""

    user: int
    group: int | None
    text: str
    addressed: bool = True
    recorded: bool = True

    @property
    def place(self) -> str:
        """Whose chat it is: a person's or a group's number."""
        return str(self.group or self.user)


@dataclass(slots=True)
class Cast:
    """Says something new at every call. `rules` are those in force, by group."""

    chance: random.Random
    rules: dict[int, str] = field(default_factory=lambda: dict.fromkeys(GROUPS, "all"))
    plans: dict[str, str] = field(default_factory=dict[str, str])
    """The place of each plan, by the word that it alone bears."""

    _number: int = 0

    def next(self, *, answered: bool = False) -> Line:
        """Who speaks, where and what; to the bot if it is to be answered."""
        self._number += 1
        user, draw = self.chance.choice(PEOPLE), self.chance.random()
        if draw < PRIVATE:
            return Line(user, None, self._text(SPOKEN, user, None))
        group = self.chance.choice(GROUPS)
        addressed = answered or draw < ADDRESSED
        recorded = self.rules[group] == "all" or (self.rules[group] == "addressed" and addressed)
        text = self._text(SPOKEN if recorded else HUSHED, user, group)
        return Line(user, group, text, addressed, recorded)

    def _text(self, first: str, user: int, group: int | None) -> str:
        word, ship = uuid.uuid4().hex[:8], self._number % 7
        where = "" if group is None else f" in {group}"
        what = f"The cargo of ship {ship} is {word}"
        if self.chance.random() < PLANS:
            self.plans[word] = str(group or user)
            what = f"I'm going to load ship {ship} with {word} tomorrow"
        return f"{first} {self._number} by {user}{where}. {what}"


def places_in(text: str) -> frozenset[str]:
    """The chats in which what is quoted there was said."""
    return frozenset(group or user for _, user, group in SAID.findall(text))


class Leaks:
    """What the model is shown of other chats: every text names where it was said."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def look(self, request: ChatRequest) -> None:
        """In a chat the last message tells where it is; all else is about one chat alone."""
        texts = [text_of(message.get("content")) for message in request.messages]
        named = frozenset().union(*map(places_in, texts))
        match request.purpose:
            case Purpose.TITLE:
                return
            case Purpose.CHAT:
                # Its first line is what was typed, the rest what was added to it.
                here = places_in(request.user.partition("\n")[0])
                others = named - here if here else frozenset[str]()
            case _:
                others = named if len(named) > 1 else frozenset[str]()
        if others:
            self.found.append(f"leaked: {request.purpose} of {request.user[:60]!r}: {set(others)}")


def misplanned(told: str, place: str, plans: dict[str, str]) -> list[str]:
    """What is wrong with the plans that somebody was told of in a chat."""
    shown = Counter(PLANNED.findall(told))
    doubled = [f"plan {word} is told {many} times" for word, many in shown.items() if many > 1]
    others = [word for word in shown if plans.get(word, place) != place]
    return doubled + [f"leaked: plan {word} of {plans[word]} in {place}" for word in others]


def misheard(
    turns: Sequence[Turn], memories: Iterable[Memory], overheard: Iterable[str]
) -> list[str]:
    """What groups said to one another and is not there once, what of theirs was not to be
    recorded and is, and plans that are not one memory each.
    """
    memories = list(memories)
    said = Counter(turn.text for turn in turns if turn.role is Role.BYSTANDER)
    lost = [f"lost: {text}" for text in overheard if said[text] != 1]
    texts = [turn.text for turn in turns] + [memory.text for memory in memories]
    kept = [text for text in texts if f"{HUSHED} " in text]
    return [*lost, *(f"recorded: {text}" for text in kept), *_replanned(turns, memories)]


def _replanned(turns: Sequence[Turn], memories: Iterable[Memory]) -> list[str]:
    intended = [memory.text for memory in memories if memory.kind is Kind.PROSPECTIVE]
    kept = Counter(word for text in intended for word in PLANNED.findall(text))
    said = [turn.text for turn in turns if turn.role is not Role.ASSISTANT]
    planned = [word for text in said for word in PLANNED.findall(text)]
    return [f"plan {word} is {kept[word]} memories" for word in planned if kept[word] != 1]
