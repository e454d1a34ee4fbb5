"""What the page is sent of the installation as a whole."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HealthShape:
    """What is amiss by its name in the page's phrases, gravest first; calls and their budget.

    Of the last `recalls` turns `late` went without memory, `by_words` without vectors in time.
    """

    amiss: list[str]
    recalls: int
    late: int
    by_words: int
    calls: int
    most_calls: int
    tokens: int
    most_tokens: int


@dataclass(frozen=True, slots=True)
class Begun:
    """Whether something that takes long has begun, or was under way already."""

    begun: bool
