"""What the command lines that play sets of lives to systems have in common."""

from argparse import ArgumentParser
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..command import Result, printed
from ..datasets.reading import Complaints
from ..recall_quality_run import MODELS

ALL = 1_000_000
"""Lives, messages or questions: more than any set has."""

type Measure = Callable[[Any, Complaints], Coroutine[Any, Any, Result]]
"""Takes the options, and what is to be said of sets that are left out."""


def parser(name: str, *, sets: Iterable[str]) -> ArgumentParser:
    """The options that choose sets, lives and the embedder; which systems is each one's own."""
    top = ArgumentParser(prog=f"benchmarks.{name}")
    top.add_argument("--data", type=Path, required=True, help="folder with a folder per data set")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--set", action="append", choices=list(sets), help="repeatable")
    top.add_argument("--lives", type=int, default=ALL, help="of a set, at most")
    top.add_argument("--messages", type=int, default=ALL, help="heard of a life, at most")
    top.add_argument("--questions", type=int, default=ALL, help="asked of a life, at most")
    top.add_argument("--embedder", choices=("local", "hashed", "none"), default="local")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    return top


def run(options: ArgumentParser, measure: Measure, argv: Sequence[str]) -> int:
    """Measure by the command line and print: the exit code, see `printed`."""
    given, complaints = options.parse_args(argv), Complaints()
    told = partial(measure, given, complaints)
    return printed(told, as_json=given.json, complaints=complaints)
