"""Profiles from a YAML file; everything that is wrong with it is told together."""

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, cast

from ..core.simulation.usage_profiles import Profile

MOST_PROFILES = 100
LARGEST = 1_000_000
"""Bytes of a file."""

RANGES: Mapping[str, tuple[type, float, float]] = {
    "strength": (int, 1, 1_000),
    "p_start": (float, 0, 1e6),
    "p_mid": (float, 0, 1e6),
    "p_end": (float, 0, 1e6),
    "hot_days": (int, 0, 36_500),
    "new_prob": (float, 0, 1e6),
}
"""Of each number: whole or not, least, most."""

FIELDS = tuple(field.name for field in fields(Profile))
REQUIRED = tuple(f.name for f in fields(Profile) if f.default is MISSING)


class BadProfiles(Exception):
    """The file holds no profiles that can be simulated; `problems` say why."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def read_profiles(file: Path) -> tuple[Profile, ...]:
    """The list under `profiles`. Raises BadProfiles."""
    document = _document(file)
    entries = document.get("profiles") if isinstance(document, Mapping) else None
    if not isinstance(entries, list) or not 1 <= len(entries) <= MOST_PROFILES:
        raise BadProfiles([f"{file}: needs a list `profiles` with 1..{MOST_PROFILES} entries"])
    problems = [
        f"{file}: profile {number}: {problem}"
        for number, entry in enumerate(entries, 1)
        for problem in _problems(entry)
    ]
    if problems:
        raise BadProfiles(problems)
    profiles = tuple(Profile(**_numbers(entry)) for entry in entries)
    if problem := _impossible(profiles):
        raise BadProfiles([f"{file}: {problem}"])
    return profiles


def _document(file: Path) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise BadProfiles(["profiles are read with PyYAML: pip install pyyaml"]) from error
    try:
        if file.stat().st_size > LARGEST:
            raise BadProfiles([f"{file}: larger than {LARGEST:,} bytes"])
        return yaml.safe_load(file.read_text("utf-8"))
    except OSError as error:
        raise BadProfiles([f"{file}: {error.strerror or error}"]) from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadProfiles([f"{file}: not YAML: {first}"]) from error


def _problems(entry: object) -> list[str]:
    if not isinstance(entry, Mapping):
        return [f"must be an object, not {entry!r:.40}"]
    profile = cast("Mapping[Any, Any]", entry)
    found = [f"lacks {name}" for name in REQUIRED if name not in profile]
    found += [f"has no {name!s:.40}" for name in profile if name not in FIELDS]
    found += [problem for name in RANGES if (problem := _out_of_range(name, profile))]
    if not isinstance(profile.get("name", "x"), str) or not str(profile.get("name", "x")).strip():
        found.append("name must be a text")
    if not isinstance(profile.get("yearly", False), bool):
        found.append("yearly must be true or false")
    return found


def _out_of_range(name: str, profile: Mapping[Any, Any]) -> str | None:
    kind, low, high = RANGES[name]
    value = profile.get(name, low)
    allowed = (int,) if kind is int else (int, float)
    number = isinstance(value, allowed) and not isinstance(value, bool)
    if number and math.isfinite(value) and low <= value <= high:
        return None
    what = "a whole number" if kind is int else "a number"
    return f"{name} must be {what} {low:g}..{high:g}, not {value!r:.40}"


def _numbers(entry: Mapping[str, Any]) -> dict[str, Any]:
    floats = {name for name, (kind, _, _) in RANGES.items() if kind is float}
    return {name: float(value) if name in floats else value for name, value in entry.items()}


def _impossible(profiles: tuple[Profile, ...]) -> str | None:
    names = [profile.name for profile in profiles]
    if len(set(names)) < len(names):
        return "two profiles have the same name"
    if sum(profile.new_prob for profile in profiles) <= 0:
        return "new_prob is 0 everywhere, so that no memory is ever made"
    return None
