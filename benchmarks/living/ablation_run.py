"""The ablation's command line: one life of months for each option of forgetting."""

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ...core.embedding.hashed import HashedEmbedder
from ...core.forgetting.catalogue import DEFAULTS, TmdPlus
from ...core.settings import ForgettingSettings
from .. import machine
from ..command import printed, progress, workspace
from ..datasets import cdconv, everyday
from ..datasets.reading import Complaints, NoData
from ..progress_bar import ProgressBar
from .figures import summed_up
from .installation import sleeping
from .plan import Material, stages
from .sources import lives
from .stages import Sampling, played

type Row = dict[str, Any]

PLAIN = "plain"
AS_TMD = TmdPlus(
    cycle_days=3.0,
    consolidate_speed=2.5,
    demote_after_days=0.0,
    pace_instruction=1.0,
    pace_preference=1.0,
    pace_workflow=1.0,
    pace_episodic=1.0,
    pace_evidence=1.0,
)
"""`tmd+` with the values of plain TMD."""

_OWN = TmdPlus()


def variants(patience: float) -> dict[str, ForgettingSettings]:
    """By name, in the order in which they are played."""
    plain = ForgettingSettings(patience=patience)
    found = {
        PLAIN: plain,
        "adaptive cycle": replace(plain, target_population=100),
        "tmd+": replace(plain, policy="tmd+"),
    }
    alone = {
        "nothing": AS_TMD,
        "cycle": replace(AS_TMD, cycle_days=_OWN.cycle_days),
        "speed": replace(AS_TMD, consolidate_speed=_OWN.consolidate_speed),
        "demotion": replace(AS_TMD, demote_after_days=_OWN.demote_after_days),
        "paces": replace(_OWN, cycle_days=3.0, consolidate_speed=2.5, demote_after_days=0.0),
    }
    for name, own in alone.items():
        others = tuple(own if each.name == own.name else each for each in DEFAULTS)
        found[f"tmd+ {name}"] = replace(plain, policy="tmd+", own=others)
    return found


@dataclass(frozen=True, slots=True)
class Ablation:
    """The data, and how much of it is asked."""

    material: Material
    sampling: Sampling
    folder: Path | None

    async def row(self, name: str, keeping: ForgettingSettings) -> Row:
        """The figures of one variant."""
        (stage,) = (each for each in stages(self.material) if each.name == "months")
        settings = replace(stage.settings, forgetting=keeping)
        stage = replace(stage, settings=sleeping(settings, "sweep"))
        progress(f"{name}: {len(stage.lives)} lives")
        began = time.monotonic()
        with workspace(self.folder) as folder, ProgressBar(stage.expected) as bar:
            outcome = await played(
                stage, folder, HashedEmbedder(), "rules", self.sampling, bar.show
            )
        months = summed_up(outcome.asked)["months"]
        needs = months["needs"]
        return {
            "asked": months["asked"],
            "gone": needs["gone"],
            "recall@10": needs["recall@10"],
            "precision": needs["served_precision"],
            "silent": needs["silent"],
            "tokens": needs["tokens"],
            "memories": months["memories"],
            "verdicts": outcome.totals["verdicts"],
            "seconds": round(time.monotonic() - began, 1),
        }


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if there is no life to play."""
    options = _parser().parse_args(argv)
    complaints = Complaints()
    measure = partial(_measure, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


def told(rows: Mapping[str, Row]) -> dict[str, Row]:
    """The rows, with whether all that was measured is plain TMD's."""

    def figures(row: Row) -> Row:
        return {key: value for key, value in row.items() if key != "seconds"}

    plain = figures(rows[PLAIN])
    return {name: row | {"same": figures(row) == plain} for name, row in rows.items()}


async def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    before, began = machine.load(), time.monotonic()
    ablation = Ablation(
        _material(options, complaints), Sampling(60, 12, options.seed), options.folder
    )
    wanted = options.only.split(",") if options.only else None
    rows: dict[str, Row] = {}
    for name, keeping in variants(options.patience).items():
        if wanted is None or name in (PLAIN, *wanted):
            rows[name] = await ablation.row(name, keeping)
            progress(f"{name}: {json.dumps(rows[name])}")
    return {
        "benchmark": "ablation",
        "patience": options.patience,
        "seed": options.seed,
        "variants": told(rows),
        "seconds": round(time.monotonic() - began, 1),
        "problems": complaints.found,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


def _material(options: Namespace, complaints: Complaints) -> Material:
    found = lives(options.data, complaints)
    if not found:
        raise NoData(f"{options.data} has no data set of a life")
    chat = options.data / "cdconv_dev"
    said = cdconv.exchanges(chat, complaints) if chat.is_dir() else []
    return Material(found, everyday.everyday(complaints, everyday.OWN), [], said, (), options.seed)


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.ablation")
    top.add_argument("--data", type=Path, required=True, help="as of benchmarks.life")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--patience", type=float, default=ForgettingSettings().patience)
    top.add_argument("--only", help="variants besides plain, with commas between")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    return top
