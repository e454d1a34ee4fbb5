"""PrecisionMemBench: a few dozen beliefs of one person, and what each query may bring up of them.

Flynt, "Structured Belief State and the First Precision-Aware Benchmark for LLM Memory Retrieval"
(2026), tenurehq/precisionMemBench: `beliefs.seed.json` and `retrieval.cases.json`. Here the
beliefs are told in a chat, whatever their field: its own domains, pins and open questions are
features of the store it comes from. A case counts by its `shouldOnlyInclude`; one that wants
nothing and pins nothing is a turn that needs nothing.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ...core.model.conversation import Scope, ScopeKind, Speaker
from ..datasets.reading import Complaints, files, json_items
from ..living.script import Idle, IdleTurn, Life, Line, Need, Part

PERSON = Speaker("user", "user")
APART = 3_600.0
"""Seconds between two beliefs of one day."""


def read(folder: Path, complaints: Complaints) -> list[Life]:
    """One life for each person who has beliefs. Raises NoData if there is no file."""
    people: dict[str, list[tuple[float, str, str]]] = {}
    for path in files(folder, "beliefs.seed.json"):
        for where, item in json_items(path, complaints):
            try:
                at = datetime.fromisoformat(item["created_at"]).timestamp()
                told = (at, str(item["_id"]), str(item["content"]))
                people.setdefault(str(item["user_id"]), []).append(told)
            except (KeyError, TypeError, ValueError) as error:
                complaints.add(where, repr(error))
    cases = [
        (where, case)
        for path in files(folder, "retrieval.cases.json")
        for where, case in json_items(path, complaints)
    ]
    found = (_life(name, told, cases, complaints) for name, told in people.items())
    return [life for life in found if life.needs]


def _life(
    name: str,
    told: list[tuple[float, str, str]],
    cases: list[tuple[str, Any]],
    complaints: Complaints,
) -> Life:
    lines = [
        Line(at + APART * number, PERSON, text, label)
        for number, (at, label, text) in enumerate(sorted(told))
    ]
    lines.sort(key=lambda line: line.at)
    known = frozenset(label for _, label, _ in told)
    asked = list(_asked(cases, known, complaints))
    return Life(
        f"precision-{name}",
        "en",
        Scope(ScopeKind.PRIVATE, "precision", name),
        tuple(lines),
        tuple(each for each in asked if isinstance(each, Need)),
        tuple(each for each in asked if isinstance(each, IdleTurn)),
    )


def _asked(
    cases: list[tuple[str, Any]], known: frozenset[str], complaints: Complaints
) -> Iterator[Need | IdleTurn]:
    for where, case in cases:
        try:
            text, expected = str(case["query"]), case["expect"]
            wanted = expected["relevantBeliefs"]["shouldOnlyInclude"]
            category = str(case["category"])
        except KeyError:
            # It asserts something else: what must not be there, or the order.
            continue
        except TypeError as error:
            complaints.add(where, repr(error))
            continue
        if wanted and known.issuperset(wanted):
            parts = tuple(Part(frozenset({str(label)})) for label in wanted)
            yield Need(str(case.get("caseId", where)), "precision", category, text, PERSON, parts)
        elif not wanted and text.strip() and not _pinned(expected):
            yield IdleTurn(Idle.OTHER_PERSON, text, "en")


def _pinned(expected: Mapping[str, Any]) -> bool:
    return any(isinstance(each, Mapping) and each.get("mustInclude") for each in expected.values())
