"""Names as identifiers, and people of one name told apart. Pure."""

from collections import defaultdict
from collections.abc import Hashable, Mapping

from ..conversation import Speaker
from .quoting import quoted_name
from .tokens import normalise

LONGEST_NAME = 40
SHORTEST_MARK = 4


def entity_id(name: str) -> str:
    """Id of the entity called `name` within a scope: width, case and spacing do not matter."""
    return " ".join(normalise(name).split())


def marks[K: Hashable](speakers: Mapping[K, Speaker]) -> dict[K, str]:
    """What to put after each one's name so that no two of these people are called the same.

    Nothing after a name that nobody else here bears, else `#` and the end of the person's id; so
    too after no name at all. Names that look the same are the same. A quoted name holds no `#`
    of its own.
    """
    namesakes: dict[str, list[K]] = defaultdict(list)
    for key, speaker in speakers.items():
        namesakes[entity_id(quoted_name(speaker.name, LONGEST_NAME))].append(key)
    found: dict[K, str] = {}
    for name, keys in namesakes.items():
        if name and len(keys) == 1:
            found[keys[0]] = ""
            continue
        ids = {key: quoted_name(speakers[key].id, LONGEST_NAME) for key in keys}
        length = _telling(list(ids.values()))
        found |= {key: f"#{own[-length:]}" for key, own in ids.items()}
    return found


def _telling(ids: list[str]) -> int:
    """How many last characters tell these ids apart; all of them if nothing does."""
    longest = max(map(len, ids))
    for length in range(SHORTEST_MARK, longest):
        if len({own[-length:] for own in ids}) == len(ids):
            return length
    return max(longest, SHORTEST_MARK)
