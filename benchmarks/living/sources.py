"""The data sets as lives: lines at their own times, needs, and what a good reader learns."""

from dataclasses import replace
from pathlib import Path

from ..datasets import locomo, madial, proactive
from ..datasets.reading import Complaints
from .script import Life, Need

SETS = {"proactive_zh_dev": proactive.read, "madial_zh_dev": madial.read, "locomo_dev": locomo.read}


def lives(folder: Path, complaints: Complaints) -> list[Life]:
    """All there is under the folder; a data set that is not there is left out."""
    found: list[Life] = []
    for name, read in SETS.items():
        if (folder / name).is_dir():
            found += map(named, read(folder / name, complaints))
        else:
            complaints.add(name, "not there")
    return found


def named(life: Life) -> Life:
    """The life with its name before every label, so that lives can be mixed."""

    def own(labels: frozenset[str]) -> frozenset[str]:
        return frozenset(f"{life.name}/{label}" for label in labels)

    def need_of(need: Need) -> Need:
        return replace(need, parts=tuple(replace(p, labels=own(p.labels)) for p in need.parts))

    return replace(
        life,
        lines=tuple(replace(one, label=f"{life.name}/{one.label}") for one in life.lines),
        needs=tuple(map(need_of, life.needs)),
        recorded=tuple(
            replace(each, rests_on=own(each.rests_on), causes=own(each.causes))
            for each in life.recorded
        ),
    )
