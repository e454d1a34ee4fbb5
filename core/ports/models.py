"""The chat models, embedders, rerankers and the clock that the engine uses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ..model.memory import EmbedderIdentity, Vector
from ..text.token_count import estimate_tokens

MOST_TOKENS = 10_000_000
"""One call cannot take more, whatever is billed."""

LONGEST_ESTIMATED = 100_000
"""Characters of a reply whose tokens are estimated."""


class Clock(Protocol):
    """The only source of the present time."""

    def now(self) -> float:
        """Unix time in seconds."""
        ...


class Embedder(Protocol):
    """Text to unit vectors. Raises EmbeddingUnavailable, nothing else."""

    async def identity(self) -> EmbedderIdentity:
        """Probes the provider once if its dimension is not known yet."""
        ...

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """One vector per text, in order, float32, unit length."""
        ...

    async def embed_query(self, text: str) -> Vector:
        """The vector to search with."""
        ...


class Reranker(Protocol):
    """Judges texts by reading each together with the query. Raises RerankUnavailable, no other."""

    async def rerank(self, query: str, documents: Sequence[str]) -> list[float | None]:
        """How well each document answers, in their order, 0..1; None where it was not judged.

        Being cancelled counts as having failed. RerankResting means that nothing was asked.
        """
        ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """One model call: system text, user text and the JSON schema of the reply.

    A reply of more than `longest` tokens goes round in a circle, and is cut there.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    name: str
    longest: int = 3_000

    @property
    def tokens(self) -> int:
        """By an estimate, what is asked: it is paid for, whether an answer comes or not."""
        return estimate_tokens(f"{self.system}{self.user}")


@dataclass(frozen=True, slots=True)
class Completion:
    """The model's text and the tokens the call cost (0 if unknown)."""

    text: str
    tokens: int = 0

    @property
    def billed(self) -> int:
        """The tokens to count, 0..`MOST_TOKENS`: what no column can hold must not undo the call."""
        # A server may bill anything, a number or not.
        told = cast("object", self.tokens)
        return min(max(told, 0), MOST_TOKENS) if isinstance(told, int) else 0

    def cost(self, prompt: Prompt) -> int:
        """The tokens of the call: as billed, or by an estimate where nobody says."""
        return self.billed or prompt.tokens + estimate_tokens(self.text[:LONGEST_ESTIMATED])


class ChatModel(Protocol):
    """A chat model for background work. Raises ModelUnavailable, nothing else."""

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """One call. `session` tells the host which provider applies."""
        ...


class ModelSource(Protocol):
    """Chooses the chat model for background work, anew at each use."""

    async def choose(self, session: str) -> ChatModel | None:
        """None if no model is configured or present: the rules then do the work."""
        ...

    @property
    def settled(self) -> bool:
        """Whether the choice is final for now: before, nothing is learnt."""
        ...


class EmbedderSource(Protocol):
    """Chooses the embedder, anew at each use."""

    async def choose(self) -> Embedder | None:
        """None if vectors are switched off or nothing is available."""
        ...

    @property
    def settled(self) -> bool:
        """Whether the choice is final for now: before, background embedding waits."""
        ...
