"""A population that is furnished once and opened again and again: furnishing takes seconds."""

import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from ...core.settings import Settings
from .population import Population, opened, population_of
from .stand_ins import AnsweringModel

SILENT = AnsweringModel(lambda prompt, session: "")


class Furnished:
    """A population as it is before anything happens."""

    def __init__(self, population: Population, settings: Settings, state: Any) -> None:
        """Of one that is closed; its folder stays as it is. `state` is that of its chance then."""
        self._population = population
        self._settings = settings
        self._state = state

    def chance(self) -> Random:
        """The source of randomness as it was after the furnishing."""
        chance = Random()
        chance.setstate(self._state)
        return chance

    @asynccontextmanager
    async def opened(self, model: AnsweringModel = SILENT) -> AsyncIterator[Population]:
        """It, in a folder of its own."""
        first = self._population
        with tempfile.TemporaryDirectory(prefix="tidemark-fuzz-") as folder:
            copy = shutil.copytree(first.folder, Path(folder) / "copy")
            secrets = deepcopy(first.secrets)
            async with opened(copy, model, self._settings, first.chats, secrets) as population:
                population.clock.at = first.clock.at
                population.seeded += first.seeded
                yield population


@asynccontextmanager
async def furnished(chance: Random, settings: Settings) -> AsyncIterator[Furnished]:
    """The same for the same source of randomness."""
    with tempfile.TemporaryDirectory(prefix="tidemark-fuzz-") as folder:
        async with population_of(chance, Path(folder), SILENT, settings) as population:
            pass
        yield Furnished(population, settings, chance.getstate())
