"""What a fuzz run found: each problem once, with the input of the first case that shows it."""

import random
import traceback
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from .. import bootstrap

LONGEST_SHOWN = 400


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, the number of the first case that shows it, its input, and how often it came."""

    problem: str
    case: int
    input: str
    seen: int = 1


@dataclass(slots=True)
class Findings:
    """Findings of one run, by the words of the problem."""

    by_problem: dict[str, Finding] = field(default_factory=dict[str, Finding])

    def repeated(self, problem: str) -> bool:
        """Count the problem once more if it is known; False if it is new."""
        known = self.by_problem.get(problem)
        if known is None:
            return False
        self.by_problem[problem] = replace(known, seen=known.seen + 1)
        return True

    def add(self, problem: str, case: int, given: object) -> None:
        """Note a new problem."""
        self.by_problem[problem] = Finding(problem, case, shortened(given))

    def listed(self) -> list[dict[str, Any]]:
        """All findings as JSON values, in the order of their first case."""
        found = sorted(self.by_problem.values(), key=lambda finding: finding.case)
        return [asdict(finding) for finding in found]


def chance_of(seed: int, kind: str, case: int) -> random.Random:
    """The source of randomness of one case, the same for the same three."""
    return random.Random(f"{seed}/{kind}/{case}")


def failure(error: BaseException) -> str:
    """An exception by its type and the innermost line of ours, so that equal ones count as one."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(bootstrap.ROOT)]
    last = (ours or frames)[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}, {last.name}"


def shortened(given: object) -> str:
    """ASCII text of an input, cut in the middle."""
    text = ascii(given)
    if len(text) <= LONGEST_SHOWN:
        return text
    half = LONGEST_SHOWN // 2
    return f"{text[:half]} … {len(text)} characters … {text[-half:]}"
