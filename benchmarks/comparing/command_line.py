"""What the command lines that play sets of lives to systems have in common."""

from argparse import ArgumentParser
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any

from ..command import Result, data_parser, printed
from ..datasets.reading import Complaints

ALL = 1_000_000
"""Lives, messages or questions: more than any set has."""

type Measure = Callable[[Any, Complaints], Coroutine[Any, Any, Result]]
"""Takes the options, and what is to be said of sets that are left out."""


def parser(name: str, *, sets: Iterable[str]) -> ArgumentParser:
    """Those over data sets, and which sets and lives; which systems is each one's own."""
    top = data_parser(name)
    top.add_argument("--set", action="append", choices=list(sets), help="repeatable")
    top.add_argument("--lives", type=int, default=ALL, help="of a set, at most")
    top.add_argument("--messages", type=int, default=ALL, help="heard of a life, at most")
    top.add_argument("--questions", type=int, default=ALL, help="asked of a life, at most")
    return top


def run(options: ArgumentParser, measure: Measure, argv: Sequence[str]) -> int:
    """Measure by the command line and print: the exit code, see `printed`."""
    given, complaints = options.parse_args(argv), Complaints()
    told = partial(measure, given, complaints)
    return printed(told, as_json=given.json, complaints=complaints)
