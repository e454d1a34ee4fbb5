"""Which earlier turn of a chat of many a turn answers: fitted numbers over columns. Pure.

Measured, not in use (docs/benchmarks.md, "Who answers whom"). What the platform says decides, where
it says anything: `Turn.answers`. Else each of the last `REACH` turns has a logit, and that the turn
begins something has one; the greatest wins. The links of the turns before are taken as they were
found, as Elsner & Charniak do with clusters ("Disentangling Chat", 2010). A talk is all turns that
links connect.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ..core.languages.language import Marker
from ..core.languages.markers import codes_in, marker
from ..core.languages.terms import content_terms
from ..core.model.conversation import Turn

type Floats = NDArray[np.float64]

type Links = Sequence[int | None]
"""For each turn the place of the one that it answers, None where it begins something."""

REACH = 10
"""Turns back that an answer may be."""

RECENT = 4
"""Turns of a talk that a turn is compared with."""

LONGEST, OPENING, CLOSING = 2_000, 60, 60
"""Characters of a turn that are looked at, and those at its beginning and its end."""

SHORTEST_NAME = 2
"""Characters of a name that is looked for in what others say."""

SHORT = 30
"""Characters from which a turn is not short at all."""


class LinkColumn(StrEnum):
    """One thing that is known of an earlier turn and of the one that may answer it.

    1 or 0: `BEFORE`, it is the turn just before; `OWN`, of the same speaker; `GOES_ON`, both;
    `NAMED`, its speaker is named by the later turn; `ADDRESSED`, it names the later speaker;
    `ASKED`, a question of somebody else; `OPEN`, one that nobody has answered; `SPOKEN`, the later
    speaker has said something since; `LATEST` of its talk; `RETURNED`, it answers the later
    speaker; `PARTY`, the later speaker is in its talk; `BESIDE`, the turn before answers it too.
    0..1: `SHORT`, how short what follows it at once is; `WORDS` and `TALK_WORDS`, cosine of terms
    with it, and the greatest with the last turns of its talk. `BETWEEN`: ln of turns back.
    `TAKEN_UP`: ln of 1 and the answers that it has.
    Of the later turn, where it begins something: `BEGINS` (always), `LONGER` (ln of characters),
    `ASKS`, `GREETS` or turns to something else, `NAMES` somebody, `NEWCOMER`: its speaker has said
    nothing yet; `PAUSE` (ln of minutes).
    """

    BEFORE = "before"
    BETWEEN = "between"
    OWN = "own"
    GOES_ON = "goes_on"
    NAMED = "named"
    ADDRESSED = "addressed"
    ASKED = "asked"
    OPEN = "open"
    SPOKEN = "spoken"
    LATEST = "latest"
    RETURNED = "returned"
    PARTY = "party"
    BESIDE = "beside"
    TAKEN_UP = "taken_up"
    SHORT = "short"
    WORDS = "words"
    TALK_WORDS = "talk_words"
    BEGINS = "begins"
    LONGER = "longer"
    ASKS = "asks"
    GREETS = "greets"
    NAMES = "names"
    NEWCOMER = "newcomer"
    PAUSE = "pause"


COLUMNS = tuple(LinkColumn)
_PLACE = {column: place for place, column in enumerate(COLUMNS)}


@dataclass(frozen=True, slots=True)
class LinkModel:
    """What each thing known weighs. A column without a weight says nothing."""

    weights: Mapping[LinkColumn, float]

    @property
    def point(self) -> Floats:
        """The weights in the order of `COLUMNS`."""
        return np.array([self.weights.get(column, 0.0) for column in COLUMNS])


@dataclass(frozen=True, slots=True)
class Answered:
    """The turn that is answered, None if none is, and how sure that is, 0..1."""

    place: int | None
    sure: float


class Stretch:
    """Turns on end, and what is known of each by itself."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns = turns
        texts = [turn.text[:LONGEST] for turn in turns]
        codes = [codes_in(text) for text in texts]
        self.rows = _weighed([content_terms(text) for text in texts])
        self.asks = [
            marker(Marker.ASKING, each).search(text[-CLOSING:]) is not None
            for text, each in zip(texts, codes, strict=True)
        ]
        self.greets = [
            any(
                marker(what, each).search(text[:OPENING])
                for what in (Marker.GREETING, Marker.SHIFT)
            )
            for text, each in zip(texts, codes, strict=True)
        ]
        names = {turn.speaker.id: _name(turn.speaker.name) for turn in turns}
        named = {who: found for who, found in names.items() if found is not None}
        self.names = [
            {who for who, found in named.items() if who != turn.speaker.id and found.search(text)}
            for turn, text in zip(turns, texts, strict=True)
        ]

    def fixed(self, at: int) -> int | None:
        """The place of the turn that the platform says is answered."""
        answered = self.turns[at].answers
        places = (n for n in range(at) if self.turns[n].seq == answered)
        return None if answered is None else next(places, None)

    def known(self, at: int, links: Links) -> tuple[range, Floats]:
        """The places that the turn may answer, and a row for each; the last row is for none.

        `links` are those of the turns before it.
        """
        places = range(max(0, at - REACH), at)
        talks, likeness = talks_of(links[:at]), self.rows @ self.rows[at]
        rows = np.zeros((len(places) + 1, len(COLUMNS)))
        for row, place in zip(rows, places, strict=False):
            for column, value in self._of_place(at, place, links, talks, likeness):
                row[_PLACE[column]] = value
        for column, value in self._of_none(at):
            rows[-1, _PLACE[column]] = value
        return places, rows

    def _of_place(
        self, at: int, place: int, links: Links, talks: Sequence[int], likeness: Floats
    ) -> Iterator[tuple[LinkColumn, float]]:
        turn, earlier = self.turns[at], self.turns[place]
        who, whose = turn.speaker.id, earlier.speaker.id
        own, answered = who == whose, links[place]
        answers = sum(1 for each in links[:at] if each == place)
        talk = [n for n in range(at) if talks[n] == talks[place]]
        yield LinkColumn.BEFORE, place == at - 1
        yield LinkColumn.BETWEEN, math.log(at - place)
        yield LinkColumn.OWN, own
        yield LinkColumn.GOES_ON, own and place == at - 1
        yield LinkColumn.NAMED, whose in self.names[at]
        yield LinkColumn.ADDRESSED, who in self.names[place]
        yield LinkColumn.ASKED, self.asks[place] and not own
        yield LinkColumn.OPEN, self.asks[place] and not own and not answers
        between = self.turns[place + 1 : at]
        yield LinkColumn.SPOKEN, any(each.speaker.id == who for each in between)
        yield LinkColumn.LATEST, talk[-1] == place
        returned = answered is not None and self.turns[answered].speaker.id == who
        yield LinkColumn.RETURNED, returned and not own
        yield LinkColumn.PARTY, any(self.turns[n].speaker.id == who for n in talk)
        yield LinkColumn.BESIDE, links[at - 1] == place
        yield LinkColumn.TAKEN_UP, math.log1p(answers)
        shortness = max(0.0, 1 - math.log1p(len(turn.text)) / math.log1p(SHORT))
        yield LinkColumn.SHORT, shortness if place == at - 1 else 0.0
        yield LinkColumn.WORDS, likeness[place]
        yield LinkColumn.TALK_WORDS, max(likeness[n] for n in talk[-RECENT:])

    def _of_none(self, at: int) -> Iterator[tuple[LinkColumn, float]]:
        turn, before = self.turns[at], self.turns[max(0, at - 1)]
        yield LinkColumn.BEGINS, 1.0
        yield LinkColumn.LONGER, math.log(1 + len(turn.text))
        yield LinkColumn.ASKS, self.asks[at]
        yield LinkColumn.GREETS, self.greets[at]
        yield LinkColumn.NAMES, bool(self.names[at])
        earlier = {each.speaker.id for each in self.turns[:at]}
        yield LinkColumn.NEWCOMER, at > 0 and turn.speaker.id not in earlier
        yield LinkColumn.PAUSE, math.log1p(max(0.0, turn.at - before.at) / 60.0)


def answers_in(stretch: Stretch, model: LinkModel) -> list[Answered]:
    """For each turn, oldest first, what it answers."""
    turns, point = stretch.turns, model.point
    found: list[Answered] = []
    links: list[int | None] = []
    for at in range(len(turns)):
        fixed = stretch.fixed(at)
        if fixed is not None:
            answered = Answered(fixed, 1.0)
        else:
            places, rows = stretch.known(at, links)
            odds = _odds(rows @ point)
            best = int(odds.argmax())
            place = places[best] if best < len(places) else None
            answered = Answered(place, float(odds[best]))
        found.append(answered)
        links.append(answered.place)
    return found


def talks_of(links: Links) -> list[int]:
    """A number for each turn, the same for all that links connect: the place of the first."""
    talks: list[int] = []
    for at, answered in enumerate(links):
        talks.append(at if answered is None else talks[answered])
    return talks


def _odds(logits: Floats) -> Floats:
    odds = np.exp(logits - logits.max())
    return odds / odds.sum()


def _name(name: str) -> re.Pattern[str] | None:
    said = name.strip()
    if len(said) < SHORTEST_NAME:
        return None
    apart = r"(?<![A-Za-z0-9]){}(?![A-Za-z0-9])"
    return re.compile(apart.format(re.escape(said)), re.IGNORECASE)


def _weighed(terms: Sequence[frozenset[str]]) -> Floats:
    """A row of unit length for each turn: its terms that others have too, the rarer the heavier."""
    held = Counter(term for each in terms for term in each)
    columns = {term: n for n, term in enumerate(sorted(t for t in held if held[t] > 1))}
    rows = np.zeros((len(terms), max(1, len(columns))))
    for row, each in zip(rows, terms, strict=True):
        for term in each & columns.keys():
            row[columns[term]] = math.log(len(terms) / held[term]) + 0.1
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
