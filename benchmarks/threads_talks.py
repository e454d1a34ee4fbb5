"""Chats of many in which it is known who answers whom: labelled ones, and sessions side by side."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

from ..core.model.conversation import Place, Role, Turn, reply_id
from .datasets import group_chat, locomo, proactive
from .datasets.reading import Complaints, NoData
from .datasets.world import Said
from .threads_links import Links

LABELS = Path(__file__).with_name("data")
READINGS = ("links_first.json", "links_second.json")
SILENCE = 1_800.0
"""Seconds that end an episode: nothing is answered across them."""

BLOCKS = 6
"""Parts of the labelled chat that are left out of the fit by turns."""

LEAST, MOST = 4, 12
"""Turns of a session that is told beside another."""

STAYS = 0.5
"""Chance that the next turn is of the same session."""


@dataclass(frozen=True, slots=True)
class Talk:
    """Turns on end and what each answers; of `conversations`, drawn in the drawing `drawing`."""

    family: str
    conversations: frozenset[str]
    drawing: int
    turns: tuple[Turn, ...]
    links: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class _Session:
    conversation: str
    said: tuple[Said, ...]
    links: tuple[int | None, ...]


type Reading = Mapping[int, int | None]
"""What the turn at a place of the file answers, None where it begins something."""


def readings(data: Path, labels: Path = LABELS) -> list[Reading]:
    """The labels of both. Raises NoData if they are of another file than that in `data`."""
    found: list[Reading] = []
    for name in READINGS:
        document = json.loads((labels / name).read_text("utf-8"))
        told = (data / "group_chat_zh" / document["source"]).read_bytes()
        if sha256(told).hexdigest() != document["sha256"]:
            raise NoData(f"{document['source']} is not the file that was labelled")
        found.append(dict(document["answers"]))
    return found


def talks(
    data: Path, reading: Reading, drawings: int, seed: int, complaints: Complaints
) -> list[Talk]:
    """All of them: the labelled chat, its sessions two by two, and two chats of other people."""
    labelled = _labelled(data, reading, complaints)
    told = [
        Talk(
            "labelled", frozenset({each.conversation}), 0, _turns(each.said, each.links), each.links
        )
        for each in labelled
    ]
    lives = {
        "locomo_dev": locomo.read(data / "locomo_dev", complaints),
        "proactive_zh_dev": proactive.read(data / "proactive_zh_dev", complaints),
    }
    for drawing in range(drawings):
        chance = Random(f"{seed} {drawing}")
        told += _side_by_side("labelled, two by two", _same(labelled, chance), drawing, chance)
        for family, worlds in lives.items():
            own = [each for world in worlds for each in _sessions(world.name, world.turns)]
            pairs = _others(own, chance)
            told += _side_by_side(f"{family}, two by two", pairs, drawing, chance)
    return told


def _labelled(data: Path, reading: Reading, complaints: Complaints) -> list[_Session]:
    chats = group_chat.read(data / "group_chat_zh", complaints)
    chat = next(each for each in chats if not each.private)
    number = {said.label: n for n, said in enumerate(sorted(chat.turns, key=lambda one: one.label))}
    told = [said for said in chat.turns if number[said.label] in reading]
    ends = [n for n, (one, other) in enumerate(pairwise(told), 1) if other.at - one.at > SILENCE]
    sessions: list[_Session] = []
    for begin, end in pairwise([0, *ends, len(told)]):
        said = tuple(told[begin:end])
        places = {number[one.label]: place for place, one in enumerate(said)}
        links = tuple(
            None if (answered := reading[number[one.label]]) is None else places.get(answered)
            for one in said
        )
        block = begin * BLOCKS // len(told)
        sessions.append(_Session(f"block {block + 1}", said, links))
    return sessions


def _sessions(name: str, turns: Sequence[Said]) -> list[_Session]:
    """Of two people, by the label's part before the colon: each turn answers the one before."""
    by_session: dict[str, list[Said]] = {}
    for said in turns:
        by_session.setdefault(said.label.partition(":")[0], []).append(said)
    return [
        _Session(name, tuple(said), (None, *range(len(said) - 1)))
        for said in by_session.values()
        if len(said) > LEAST
    ]


type Pairs = list[tuple[_Session, _Session]]


def _same(sessions: Sequence[_Session], chance: Random) -> Pairs:
    """Whole sessions of the same people, of one part of the labelled chat."""
    found: Pairs = []
    long = [each for each in sessions if len(each.said) >= LEAST]
    for block in dict.fromkeys(each.conversation for each in long):
        own = [each for each in long if each.conversation == block]
        drawn = chance.sample(own, len(own))
        found += zip(drawn[::2], drawn[1::2], strict=False)
    return found


def _others(sessions: Sequence[_Session], chance: Random) -> Pairs:
    """Parts of sessions of different people."""
    found: Pairs = []
    for one, other in combinations(dict.fromkeys(each.conversation for each in sessions), 2):
        sides = [[each for each in sessions if each.conversation == name] for name in (one, other)]
        firsts, seconds = (chance.sample(side, len(side)) for side in sides)
        found += [
            (_part(a, chance), _part(b, chance)) for a, b in zip(firsts, seconds, strict=False)
        ]
    return found


def _part(session: _Session, chance: Random) -> _Session:
    size = chance.randint(LEAST, min(MOST, len(session.said)))
    begin = chance.randint(0, len(session.said) - size)
    said = session.said[begin : begin + size]
    if said[0].role is Role.ASSISTANT:
        said = said[1:]
    return _Session(session.conversation, said, (None, *range(len(said) - 1)))


def _side_by_side(family: str, pairs: Pairs, drawing: int, chance: Random) -> Iterator[Talk]:
    """Two sessions told at once: the order within each is kept, times tell nothing."""
    for pair in pairs:
        order = _order([len(each.said) for each in pair], chance)
        places = [[n for n, side in enumerate(order) if side == which] for which in (0, 1)]
        said: list[Said] = []
        links: list[int | None] = []
        now = 0.0
        for side in order:
            own = order[: len(said)].count(side)
            one, answered = pair[side].said[own], pair[side].links[own]
            now += chance.uniform(5.0, 90.0)
            said.append(replace(one, at=now))
            links.append(None if answered is None else places[side][answered])
        conversations = frozenset(each.conversation for each in pair)
        yield Talk(family, conversations, drawing, _turns(said, links), tuple(links))


def _order(sizes: Sequence[int], chance: Random) -> list[int]:
    """Which side each turn is of: it stays with chance `STAYS` while both have turns left."""
    left, side, order = list(sizes), chance.randrange(2), list[int]()
    while any(left):
        if not left[side] or (left[1 - side] and order and chance.random() > STAYS):
            side = 1 - side
        order.append(side)
        left[side] -= 1
    return order


def _turns(said: Sequence[Said], links: Links) -> tuple[Turn, ...]:
    """As the journal has them: of a bot's answer it is known what it answers."""
    place = Place("session", "conversation", "group/bench/g/*")
    return tuple(
        Turn(
            n,
            "episode",
            place,
            each.role,
            each.speaker,
            each.text,
            each.at,
            reply_id(answered) if each.role is Role.ASSISTANT and answered is not None else "",
        )
        for n, (each, answered) in enumerate(zip(said, links, strict=True))
    )
