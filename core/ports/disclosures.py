"""Part of the journal: where private memories were shown in groups, and what may repeat them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..model.conversation import Place, Turn


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A note that an owner's private memories were shown in a session; both are named by digests.

    `since` is the seq of the last turn before; `ended` once the host's history of it is gone.
    `conversation` is "" for what a host keeps of the whole chat.
    """

    session: str
    conversation: str
    owner: str
    since: int
    ended: bool


class Disclosures(Protocol):
    """What private memories were shown in which group, until the chat's history is gone."""

    async def disclose(self, place: Place, owners: frozenset[str]) -> None:
        """Note that the model is shown private memories of the `owners` (`Scope.owner`) in a group.

        On disk when this returns; nothing is written if it is noted already. From then on every
        answer in the session is a private reply, until `history_gone` of it.
        """
        ...

    async def disclosed(self, place: Place) -> bool:
        """Whether an answer of the model there may repeat a private memory."""
        ...

    async def history_gone(self, place: Place, *, whole: bool) -> None:
        """The host has dropped the history of this conversation; with `whole`, all of the chat's.

        A conversation of the session that was left, not dropped, keeps its disclosures.
        """
        ...

    async def private_replies_for(self, owners: frozenset[str]) -> list[Turn]:
        """Private replies that may repeat private memories of one of the `owners`, by seq."""
        ...

    async def every_disclosure(self) -> list[Disclosure]:
        """All that were noted."""
        ...

    async def adopt(self, known: Sequence[Disclosure]) -> None:
        """Take over what a newer journal of this installation knows."""
        ...
