"""What the page is sent of model folders."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelFoldersShape:
    """The folders that may be tried, those that the settings name, and whether anything runs them.

    What a trial found is the outcome of its job.
    """

    names: list[str]
    embedder: str
    reranker: str
    runtime: bool
