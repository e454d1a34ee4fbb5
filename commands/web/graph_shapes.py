"""What the page is sent of who and what memories speak of."""

from dataclasses import dataclass

from .shapes import MemoryShape


@dataclass(frozen=True, slots=True)
class NodeShape:
    """An entity. `community` is "" where it belongs to none."""

    id: str
    name: str
    count: int
    community: str
    person: bool


@dataclass(frozen=True, slots=True)
class LinkShape:
    """Two entities that are mentioned together, and what is said of the one to the other."""

    one: str
    other: str
    count: int
    predicates: list[str]


@dataclass(frozen=True, slots=True)
class GraphShape:
    """Entities and what joins them; the memories of the one in focus, of `total`."""

    nodes: list[NodeShape]
    links: list[LinkShape]
    memories: list[MemoryShape]
    total: int
    left_out: int
    why_masked: str
    now: float
