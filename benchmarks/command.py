"""What the benchmarks' command lines have in common."""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import machine
from .datasets.reading import Complaints, NoData

type Result = dict[str, Any]
type Measure = Callable[[Any, Complaints], Coroutine[Any, Any, Result]]
"""Takes the options, and what is to be said of what is left out."""

ALL = 1_000_000
"""Lives, messages or questions: more than any set has."""

MODELS = Path(__file__).resolve().parent.parent / ".astrbot-dev" / "models"
"""Where the development tools put the local embedding model."""


def parser(name: str, *, sizes: str) -> argparse.ArgumentParser:
    """Options of every benchmark; `sizes` is the default list."""
    top = argparse.ArgumentParser(prog=f"benchmarks.{name}")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--sizes", type=whole_numbers, default=sizes, help=f"default {sizes}")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    return top


def data_parser(name: str, *, required: bool = True) -> argparse.ArgumentParser:
    """Options of every benchmark over data sets."""
    top = argparse.ArgumentParser(prog=f"benchmarks.{name}")
    top.add_argument(
        "--data", type=Path, required=required, help="folder with a folder per data set"
    )
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--embedder", choices=("local", "hashed", "none"), default="local")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    return top


def sets_parser(name: str, *, sets: Iterable[str]) -> argparse.ArgumentParser:
    """Options of those that play sets of lives; which systems is each one's own."""
    top = data_parser(name)
    top.add_argument("--set", action="append", choices=list(sets), help="repeatable")
    for part in ("lives of a set", "messages of a life", "questions of a life"):
        top.add_argument(f"--{part.split()[0]}", type=int, default=ALL, help=f"{part}, at most")
    return top


def whole_numbers(text: str) -> tuple[int, ...]:
    """Positive numbers from "1000,10000". Raises ValueError on any other text."""
    numbers = tuple(int(part) for part in text.split(","))
    if min(numbers) < 1:
        raise ValueError("sizes must be at least 1")
    return numbers


@contextmanager
def workspace(folder: Path | None) -> Iterator[Path]:
    """An empty folder inside `folder` (None: the system's), removed afterwards."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tidemark-bench-", dir=folder) as path:
        yield Path(path)


def progress(text: str) -> None:
    """One line to stderr."""
    print(text, file=sys.stderr, flush=True)


def emit(result: Mapping[str, Any], *, as_json: bool) -> None:
    """The result to stdout, as JSON or as one line per figure."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=2))
        return
    for path, value in _leaves(result, ""):
        print(f"{path:<60} {value}")


def run(
    top: argparse.ArgumentParser, measure: Measure, argv: Sequence[str], *, as_json: bool = False
) -> int:
    """Measure by the command line, say what was left out, and print: the exit code.

    What is printed begins with the benchmark's name and the machine. 2 if there is nothing to
    measure or the embedder is not installed, which is then said.
    """
    options, complaints, before = top.parse_args(argv), Complaints(), machine.load()
    try:
        result = asyncio.run(measure(options, complaints))
    except NoData as problem:
        progress(str(problem))
        return 2
    for problem in complaints.found:
        progress(f"left out: {problem}")
    facts = machine.facts() | {"load_before": before, "load_after": machine.load()}
    named = {"benchmark": top.prog.removeprefix("benchmarks."), "machine": facts}
    emit(named | result, as_json=as_json or options.json)
    return 0


def target(limit: float, measured: float | None) -> dict[str, Any]:
    """A limit beside what was measured; nothing is met where nothing was measured."""
    return {
        "limit": limit,
        "measured": measured,
        "met": None if measured is None else measured <= limit,
    }


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    match value:
        case Mapping():
            for key, inner in value.items():
                yield from _leaves(inner, f"{path}.{key}" if path else str(key))
        case list():
            for index, inner in enumerate(value):
                yield from _leaves(inner, f"{path}[{index}]")
        case _:
            yield path, value
