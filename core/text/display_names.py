"""Names as identifiers, and people of one name told apart. Pure."""

from collections import defaultdict
from collections.abc import Hashable, Mapping

from ..model.conversation import Speaker
from .normalisation import folded
from .quoting import quoted_name

LONGEST_NAME = 40
SHORTEST_MARK = 4


def entity_id(name: str) -> str:
    """Id of the entity called `name` within a scope.

    Width, case, spacing and which Chinese script it is written in do not matter.
    """
    return " ".join(folded(name).split())


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
        ids = {key: quoted_name(speakers[key].id, LONGEST_NAME) for key in keys}
        alone = name and len(set(ids.values())) == 1
        length = _telling(set(ids.values()))
        found |= {key: "" if alone else f"#{own[-length:]}" for key, own in ids.items()}
    return found


def _telling(ids: set[str]) -> int:
    """How many last characters tell these ids apart."""
    lengths = range(SHORTEST_MARK, max(map(len, ids)))
    enough = (length for length in lengths if len({own[-length:] for own in ids}) == len(ids))
    return next(enough, LONGEST_NAME)
