"""An experiment as it is asked for, and the rates of an installation that one may start from."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ..forgetting.catalogue import NAMES, policy_named
from ..forgetting.lifecycle import DAY
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.tmd import Tmd, TmdParameters
from ..ports import Filter, MemoryReader, Recalls
from ..settings import Problem, Want, Wanted
from ..settings.wanted import glimpse
from .run import Conditions, generator, simulate
from .summary import Summary
from .usage_profiles import PROFILES, Profile

DAYS_PER_YEAR = 365

_MOST_CALLS = 1_000_000
_CALLS = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
WANTED: Mapping[str, Wanted] = {
    "days": Wanted(Want.WHOLE, 1, 36_500),
    "years": Wanted(Want.NUMBER, 0.01, 100),
    "calls": Wanted(Want.WHOLE, 1, _MOST_CALLS),
    "top_k": Wanted(Want.WHOLE, 0, 1_000),
    "useful_prob": Wanted(Want.NUMBER, 0, 1),
    "seed": Wanted(Want.WHOLE, 0, 2**53),
    "policy": Wanted(Want.CHOICE, choices=NAMES),
    "tier0_threshold": Wanted(Want.NUMBER, 0, 1e6),
    "tier1_threshold": Wanted(Want.NUMBER, 0, 1e6),
    "consolidate_speed": Wanted(Want.NUMBER, 0.01, 1e6),
    "cycle_tier0_days": Wanted(Want.NUMBER, 1, 36_500),
    "forget_speed": Wanted(Want.NUMBER, 0.01, 1_000),
    "tier0_forget_speed": Wanted(Want.NUMBER, 0.01, 1_000),
    "useful_boost": Wanted(Want.WHOLE, 0, 100),
}
"""What each parameter takes. `calls` may be a range too: 400-600."""

_OF_CONDITIONS = frozenset(field.name for field in fields(Conditions))
_OF_TMD = frozenset(field.name for field in fields(TmdParameters))


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that decides how a simulation goes. `target_population` is of the policy."""

    conditions: Conditions = Conditions()
    parameters: TmdParameters = TmdParameters()
    policy: str = "tmd"
    target_population: int = 0
    seed: int = 1
    profiles: Sequence[Profile] = PROFILES

    def forgetting(self) -> ForgettingPolicy:
        """The policy in production form. Raises FsrsMissing if its package is not installed."""
        return policy_named(self.policy, Tmd(self.parameters), self.target_population)

    def run(self, on_day: Callable[[int], None] | None = None) -> Summary:
        """Simulate it, here and now; `on_day` is told each day's end and may raise to stop."""
        rng = generator(self.seed)
        return simulate(self.forgetting(), rng, self.conditions, self.profiles, on_day=on_day)


def read_experiment(given: Mapping[str, str], base: Experiment) -> Experiment | list[Problem]:
    """`base` with what was typed, or all that is wrong with that.

    As in the settings, an upper threshold under the lower one is raised to it.
    """
    values = {name: _read(name, text) for name, text in given.items()}
    problems = [value for value in values.values() if isinstance(value, Problem)]
    return problems or _changed(base, values)


def _read(name: str, text: str) -> Any:
    """The value, or the Problem with it."""
    wanted = WANTED.get(name)
    if wanted is None:
        return Problem(name, Wanted(Want.CHOICE, choices=tuple(WANTED)), glimpse(text))
    if name == "calls" and (calls := _calls(text)):
        return calls
    value = wanted.read(text)
    return value if wanted.accepts(value) else Problem(name, wanted, glimpse(text))


def _calls(text: str) -> tuple[int, int] | None:
    """From "500" or "400-600"; None if it is neither."""
    found = _CALLS.fullmatch(text.strip())
    if found is None:
        return None
    fewest, most = int(found[1]), int(found[2] or found[1])
    return (fewest, most) if 1 <= fewest <= most <= _MOST_CALLS else None


def _changed(base: Experiment, values: dict[str, Any]) -> Experiment:
    if "years" in values:
        values["days"] = max(1, round(values.pop("years") * DAYS_PER_YEAR))
    if "calls" in values:
        values["fewest_calls"], values["most_calls"] = values.pop("calls")
    conditions = {name: values.pop(name) for name in list(values) if name in _OF_CONDITIONS}
    parameters = {name: values.pop(name) for name in list(values) if name in _OF_TMD}
    tmd = replace(base.parameters, **parameters)
    return replace(
        base,
        conditions=replace(base.conditions, **conditions),
        parameters=replace(tmd, tier1_threshold=max(tmd.tier0_threshold, tmd.tier1_threshold)),
        **values,
    )


RECENT = 30.0
"""Days whose new memories are counted."""

LEAST_VERDICTS = 20
"""With fewer verdicts nothing is said about how often a recall is useful."""

MOST_RECALLS = 50


@dataclass(frozen=True, slots=True)
class InstallationRates:
    """New memories a day, judged recalls per new memory, share of them useful (0..1).

    None where too little has happened yet to tell.
    """

    calls: int | None
    top_k: int | None
    useful_prob: float | None

    @property
    def complete(self) -> bool:
        """Whether all three are known."""
        return None not in (self.calls, self.top_k, self.useful_prob)

    def over(self, conditions: Conditions) -> Conditions:
        """These conditions, with the measured rates where there are any."""
        known: Mapping[str, float | None] = {
            "fewest_calls": self.calls,
            "most_calls": self.calls,
            "top_k": self.top_k,
            "useful_prob": self.useful_prob,
        }
        changes = {name: value for name, value in known.items() if value is not None}
        return replace(conditions, **changes)  # pyright: ignore[reportArgumentType] - as named


async def own_rates(store: MemoryReader, journal: Recalls, *, now: float) -> InstallationRates:
    """Of everything in the installation; what has been deleted for good is not counted."""
    every = await store.count(Filter(status=None))
    old = await store.count(Filter(status=None, created_before=now - RECENT * DAY))
    useful, useless = await journal.verdict_counts()
    judged = useful + useless
    known = judged >= LEAST_VERDICTS
    return InstallationRates(
        calls=max(1, round((every - old) / RECENT)) if every > old else None,
        top_k=min(MOST_RECALLS, max(1, round(judged / every))) if known and every else None,
        useful_prob=useful / judged if known else None,
    )
