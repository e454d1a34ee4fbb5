"""Calls of one model, each kept in a file: what was paid for once is not asked again."""

from dataclasses import asdict, dataclass, field

from ...core.model.errors import ModelUnavailable
from ...core.ports import ChatModel, Completion, Prompt
from ..comparing.keeping import Keeping
from ..datasets.reading import NoData

PATIENCE = 5
"""Failures in a row after which the endpoint is held to be down."""


@dataclass(slots=True)
class Spent:
    """Calls that were answered, `tokens` as the endpoint bills them.

    `without_usage`: it did not say. `kept_calls` and `kept_tokens` are those of earlier runs.
    """

    calls: int = 0
    tokens: int = 0
    without_usage: int = 0
    kept_calls: int = 0
    kept_tokens: int = 0
    failed: int = 0


@dataclass(slots=True)
class Calls:
    """`name` is what tells this model from others. A call is known by all of its prompt."""

    model: ChatModel
    name: str
    keeping: Keeping
    spent: Spent = field(default_factory=Spent)
    _in_a_row: int = 0

    def kept(self, prompt: Prompt, number: int = 0) -> Completion | None:
        """The reply to the `number`th call of this prompt, if it was made."""
        found = self.keeping.read(*self._named(prompt, number))
        return None if found is None else Completion(**found)

    async def reply(self, prompt: Prompt, number: int = 0) -> str | None:
        """The kept reply, else a new one; None if the call fails.

        Raises NoData after `PATIENCE` failures in a row.
        """
        known = self.kept(prompt, number)
        if known is not None:
            self.spent.kept_calls += 1
            self.spent.kept_tokens += known.tokens
            return known.text
        try:
            completion = await self.model.complete(prompt, session="benchmark")
        except ModelUnavailable as error:
            self._fail(error)
            return None
        self._in_a_row = 0
        billed = Completion(completion.text, completion.billed)
        self.keeping.write(asdict(billed), *self._named(prompt, number))
        self.spent.calls += 1
        self.spent.tokens += billed.tokens
        self.spent.without_usage += not billed.tokens
        return billed.text

    def _fail(self, error: ModelUnavailable) -> None:
        self.spent.failed += 1
        self._in_a_row += 1
        if self._in_a_row >= PATIENCE:
            told = f"{self._in_a_row} calls in a row failed, the last: {error}"
            raise NoData(f"{told}. What was answered is kept, the same command goes on from there")

    def _named(self, prompt: Prompt, number: int) -> tuple[str, ...]:
        return (self.name, prompt.system, prompt.user, str(number))
