"""Any config document: settings come out of it, each within its range, and an engine runs."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from ...core.settings import SETTINGS, Setting, Settings, Want, parse, value_of
from .documents import NUMBERS, any_value, disturbed
from .findings import Findings, chance_of, failure, shrunk
from .population import population_of
from .stand_ins import AnsweringModel
from .text import WORDS

KIND = "config"
ENGINE_EVERY = 100
"""Cases for one whose settings an engine is opened with."""

ZONES = ("UTC", "Asia/Shanghai", "../../etc/passwd", "Mars/Base", "\0", "a" * 5_000, "\ud800")


async def run(cases: int, seed: int) -> Findings:
    """Parse so many documents; open an engine with some."""
    findings = Findings()
    for number in range(cases):
        chance = chance_of(seed, KIND, number)
        document = config_document(chance)
        problems = parse_problems(document)
        if not problems and number % ENGINE_EVERY == 0:
            problems = await engine_problems(document, number)
        for problem in problems:
            if not findings.repeated(problem):
                findings.add(problem, number, await _shrunk(document, problem, number))
    return findings


def config_document(chance: Random) -> Any:
    """Random settings in the right places, random values among them, or anything at all."""
    kind = chance.random()
    if kind < 0.1:
        return any_value(chance)
    whole = _document(chance)
    return whole if kind < 0.3 else disturbed(chance, whole, chance.choice((0.03, 0.1, 0.4)))


def parse_problems(document: Any) -> list[str]:
    """What is wrong with how the document is read."""
    try:
        settings, named = parse(document)
    except Exception as error:  # noqa: BLE001 - whatever comes out is the finding
        return [f"parse raised {failure(error)}"]
    wrong = [f"{name} is out of its range" for name in _out_of_range(settings)]
    if not isinstance(named, Sequence):
        wrong.append("parse names no problems")
    if (
        not wrong
        and parse(_nested({name: value_of(settings, name) for name in SETTINGS}))[0] != settings
    ):
        wrong.append("settings read again are other settings")
    return wrong


async def engine_problems(document: Any, case: int) -> list[str]:
    """What is wrong with a turn, a sleep and a look around under these settings.

    The store is always the embedded default: another may be a server that is not there.
    """
    settings, _ = parse(document)
    settings = replace(settings, storage=replace(settings.storage, backend="sqlite"))
    silent = AnsweringModel(lambda prompt, session: "")
    try:
        with tempfile.TemporaryDirectory(prefix="tidemark-fuzz-") as folder:
            chance = chance_of(case, "population", 0)
            async with population_of(chance, Path(folder), silent, settings) as population:
                before = await population.everything()
                chat = population.chats[0]
                await population.talk(chance, chat)
                await population.engine.sleep()
                for name in ("mine", "why", "bin", "status", "health"):
                    await population.command(name, "", replace(chat, admin=True))
                await population.command("decay", "--preview 3000", replace(chat, admin=True))
                await population.command("show", population.seeded[0].id, chat)
                lost = before.keys() - (await population.everything()).keys()
                return ["an engine lost a memory"] * bool(lost)
    except Exception as error:  # noqa: BLE001 - whatever comes out is the finding
        return [f"an engine raised {failure(error)}"]


def _document(chance: Random) -> dict[str, Any]:
    """Every setting in its place, with a value of its type."""
    return _nested({name: _value(chance, setting) for name, setting in SETTINGS.items()})


def _value(chance: Random, setting: Setting) -> Any:
    wanted = setting.wanted
    match wanted.kind:
        case Want.CHOICE:
            return chance.choice(wanted.choices)
        case Want.SWITCH:
            return chance.random() < 0.5
        case Want.TEXT | Want.ZONE:
            return chance.choice((*WORDS, *ZONES))
        case Want.RULES:
            return chance.choice((*WORDS, "group:5000", "person:qq/901,platform:*"))
        case Want.HOURS | Want.ADDRESS:
            return chance.choice((*WORDS, "22-8", "http://localhost:8000", "https://h/t/d"))
        case _:
            low = -1e12 if wanted.low is None else wanted.low
            high = 1e12 if wanted.high is None else wanted.high
            middle, other = (low + high) / 2, chance.choice(NUMBERS)
            return chance.choice((low, high, low - 1, high + 1, middle, other))


def _out_of_range(settings: Settings) -> Iterator[str]:
    """Names of settings whose value is of another type than the default, or none they take."""
    for name, setting in SETTINGS.items():
        value = value_of(settings, name)
        if type(value) is not type(setting.default) or not setting.wanted.accepts(value):
            yield name


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by dotted names as a config document."""
    root: dict[str, Any] = {}
    for name, value in values.items():
        *groups, last = name.split(".")
        place = root
        for group in groups:
            place = place.setdefault(group, {})
        place[last] = value
    return root


async def _shrunk(document: Any, problem: str, case: int) -> Any:
    async def fails(smaller: Any) -> bool:
        found = parse_problems(smaller)
        if not found and problem.startswith("an engine"):
            found = await engine_problems(smaller, case)
        return problem in found

    return await shrunk(document, fails)
