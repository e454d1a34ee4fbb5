"""What an embedder is calibrated on: the samples of the languages that have one."""

from ..languages.registry import languages

PAIRS = {each.code: each.sample.pairs for each in languages() if each.sample.pairs}
"""By language, (turn, memory); pairs of different rows are unrelated."""

VARIANTS = {each.code: each.sample.variants for each in languages() if each.sample.variants}
"""By language, for each of the first memories above: the same said otherwise, and another matter
of the same thing."""
