"""What the command lines that play sets of lives to systems have in common."""

from argparse import ArgumentParser
from collections.abc import Iterable

from ..command import data_parser

ALL = 1_000_000
"""Lives, messages or questions: more than any set has."""


def parser(name: str, *, sets: Iterable[str]) -> ArgumentParser:
    """Those over data sets, and which sets and lives; which systems is each one's own."""
    top = data_parser(name)
    top.add_argument("--set", action="append", choices=list(sets), help="repeatable")
    top.add_argument("--lives", type=int, default=ALL, help="of a set, at most")
    top.add_argument("--messages", type=int, default=ALL, help="heard of a life, at most")
    top.add_argument("--questions", type=int, default=ALL, help="asked of a life, at most")
    return top
