"""Pairs of answers that sleep would take for denials, see `benchmarks.contradictions`."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..core.records.opposition import Opposed, opposed
from .command import printed
from .datasets import cdconv
from .datasets.cdconv import Exchange
from .datasets.reading import Complaints
from .merging_run import stated


def main(arguments: Sequence[str]) -> int:
    """Print the figures. 2 if there is nothing to measure."""
    top = ArgumentParser(prog="benchmarks.contradictions")
    top.add_argument("--data", type=Path, required=True)
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    options = top.parse_args(arguments)
    complaints = Complaints()
    measure = partial(_measure, options, complaints)
    return printed(measure, as_json=options.json, complaints=complaints)


def _measure(options: Namespace, complaints: Complaints) -> dict[str, Any]:
    exchanges = cdconv.exchanges(options.data / "cdconv_dev", complaints)
    return {"benchmark": "contradictions", **figures(exchanges)}


def figures(exchanges: Iterable[Exchange]) -> dict[str, Any]:
    """How many of either sort are taken for denials, and which."""
    pairs = {False: 0, True: 0}
    found: list[dict[str, Any]] = []
    for each in exchanges:
        pairs[each.contradicts] += 1
        one, other = stated(each.answer, 0, "cdconv"), stated(each.second_answer, 1, "cdconv")
        if opposed(one, other, 0.0) is Opposed.DENIAL:
            texts = [each.answer, each.second_answer]
            found.append({"contradicting": each.contradicts, "texts": texts})
    named = {"consistent": False, "contradicting": True}
    return {
        **{name: _figures(pairs[label], label, found) for name, label in named.items()},
        "found": found,
    }


def _figures(pairs: int, label: bool, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    taken = sum(each["contradicting"] is label for each in found)
    return {"pairs": pairs, "taken": taken, "share": round(taken / pairs, 4) if pairs else None}
