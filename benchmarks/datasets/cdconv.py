"""CDConv: exchanges of chit-chat, whose second answer denies the first or does not.

Zheng et al., "CDConv: A Benchmark for Contradiction Detection in Chinese Conversations" (EMNLP
2022): every `*.tsv` of the folder, rows of u1, b1, u2, b2 and label. Each distinct u1 is an
opening turn.
"""

from dataclasses import dataclass
from pathlib import Path

from .reading import Complaints, NoData, files, rows


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two turns with their answers; `contradicts`: the second answer denies the first."""

    opening: str
    answer: str
    second: str
    second_answer: str
    contradicts: bool


def exchanges(folder: Path, complaints: Complaints) -> list[Exchange]:
    """Every row of every file, distinct openings only, in their order. Raises NoData if none."""
    found: dict[str, Exchange] = {}
    for path in files(folder, "*.tsv"):
        for _, row in rows(path, columns=5, complaints=complaints):
            first, answer, second, second_answer, label = (cell.strip() for cell in row)
            if first and second.strip("~～"):
                exchange = Exchange(first, answer, second, second_answer, label == "1")
                found.setdefault(first, exchange)
    if not found:
        raise NoData(f"{folder} has no row: {'; '.join(complaints.found)}")
    return list(found.values())
