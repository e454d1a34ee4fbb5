"""What the page is sent of one person or group."""

from dataclasses import dataclass

from ...core.model.conversation import ScopeKind
from .shapes import MemoryShape


@dataclass(frozen=True, slots=True)
class LineShape:
    """A line of the page about a person."""

    section: str
    memory: MemoryShape


@dataclass(frozen=True, slots=True)
class AccountShape:
    """A login of a person."""

    platform: str
    user: str
    name: str


@dataclass(frozen=True, slots=True)
class PersonShape:
    """A person or group. `keep_days` is None where memories are kept while they prove useful."""

    owner: str
    name: str
    kind: ScopeKind
    paused: bool
    shared: bool
    reminded: bool
    keep_days: float | None
    kinds: dict[str, int]
    accounts: list[AccountShape]
    lines: list[LineShape]
    why_masked: str


@dataclass(frozen=True, slots=True)
class JoinedShape:
    """The accounts that are one person now."""

    accounts: list[AccountShape]
