"""What is not ours in a fuzz run: the chat model, the model's download; and when it begins."""

from collections.abc import Callable
from dataclasses import dataclass

from ...core.actions.context import Installation, Report
from ...core.model.errors import EmbeddingUnavailable
from ...core.ports import ChatModel, Completion, Prompt
from ...core.queue.job_list import JobList

START = 1_750_000_000.0


@dataclass(slots=True)
class AnsweringModel:
    """A chat model whose answer is a function of the prompt and the session; its own source."""

    answer: Callable[[Prompt, str], str]
    settled: bool = True

    async def choose(self, session: str) -> ChatModel | None:
        """Itself."""
        return self

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """The answer, for ten tokens."""
        return Completion(self.answer(prompt, session), 10)


def no_download(jobs: JobList) -> Installation:
    """A local model that is missing and cannot be had."""

    async def install(report: Report, model: bool) -> None:
        report("downloading", 0.5)
        raise EmbeddingUnavailable("there is no network here")

    async def status() -> str:
        return "missing"

    return Installation(install, status, lambda: None, jobs)
