"""Model calls of sleep, within the day's budget and that of the scope and night."""

from collections.abc import Callable
from dataclasses import dataclass

from ..model.errors import ModelUnavailable
from ..model.sleeping import Left, Sleep
from ..model.times import utc_day
from ..ports import Journal, ModelSource, Prompt, Purpose
from ..settings import LearningSettings, SleepSettings


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks the model that learning would ask. `day_start` tells when a time's local day began."""

    journal: Journal
    models: ModelSource
    settings: SleepSettings
    learning: LearningSettings
    day_start: Callable[[float], float]

    @property
    def allowed(self) -> bool:
        """Whether the settings let sleep ask a model at all."""
        wanted = self.learning.extractor != "rules"
        return wanted and self.settings.calls > 0 and self.settings.tokens > 0

    async def has_model(self, scope: str) -> bool:
        """Whether there is a model that could be asked about the scope, whatever the budget."""
        episode = await self.journal.latest_episode(scope)
        if episode is None or not self.allowed:
            return False
        try:
            return await self.models.choose(episode.place.session) is not None
        except ModelUnavailable:
            return True

    async def reply(self, sleep: Sleep, prompt: Prompt) -> str | Left:
        """The model's words, else why there are none: no model, a failure, or a budget is spent.

        A call is counted before it is made: a kill in between cannot make it free.
        """
        episode = await self.journal.latest_episode(sleep.scope)
        if episode is None or not self.allowed:
            return Left.NO_MODEL
        session, day = episode.place.session, utc_day(sleep.at)
        try:
            model = await self.models.choose(session)
            if model is None:
                return Left.NO_MODEL
            if not await self._affordable(sleep):
                return Left.BUDGET
            sent = prompt.tokens
            await self.journal.spend(sleep.id, calls=1, tokens=sent)
            await self.journal.count_usage(day, Purpose.SLEEP, calls=1, tokens=sent)
            completion = await model.complete(prompt, session=session)
        except ModelUnavailable:
            return Left.FAILED if await self._affordable(sleep) else Left.BUDGET
        more = completion.cost(prompt) - sent
        await self.journal.spend(sleep.id, calls=0, tokens=more)
        await self.journal.count_usage(day, Purpose.SLEEP, calls=0, tokens=more)
        return completion.text

    async def _affordable(self, sleep: Sleep) -> bool:
        """Whether the budgets of the scope and of the day allow one more call."""
        spent = await self.journal.spent(sleep.scope, self.day_start(sleep.at))
        if spent.calls >= self.settings.calls or spent.tokens >= self.settings.tokens:
            return False
        used = await self.journal.usage(utc_day(sleep.at))
        return used.tokens < self.learning.daily_tokens
