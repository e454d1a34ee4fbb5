#!/usr/bin/env python3
"""The developer's commands: run, test, clock, soak, fuzz, package.

Any Python 3.9 or later will do.

`.venv` is made and kept current on the way; everything a command writes is in `.astrbot-dev/`.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import bootstrap

WORKSPACE = bootstrap.ROOT / ".astrbot-dev"
CENTURY = 36_525
CHECKS = (("ruff", "check"), ("ruff", "format", "--check"))
TYPES = ("pyright",)
TESTS = (
    *("pytest", "-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"),
    *("--durations", "40", "--durations-min", "2"),
)
"""Three at a time, on two cores too, for they wait for hosts and servers; a file in one process:
its tests share one. Those that wait longest stand in the middle, and all are busy to the end."""


_TEST = (
    "lint, format, types and tests; other arguments go to pytest; screenshots of the page go to the"
    " folder that TIDEMARK_PICTURES names"
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="dev.py", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="start AstrBot with this plugin and its web chat")
    run.add_argument("--port", type=port, default=6185, help="of the web chat (default 6185)")
    run.add_argument("--fresh", action="store_true", help="forget the earlier instance first")
    run.add_argument(
        "--no-embedder", action="store_true", help="do without the local embedding model (91 MB)"
    )
    run.add_argument(
        "--model",
        choices=("local",),
        help="a small chat model on this machine, without an account (1.2 GB, fetched once)",
    )
    run.add_argument("--fast-forward", type=days, default=0.0, metavar="DAYS")
    run.add_argument(
        "--demo", action="store_true", help="a new instance with half a year of three people in it"
    )
    tested = commands.add_parser("test", help=_TEST)
    tested.add_argument("--long", action="store_true", help="more kills, power failures, examples")
    clock = commands.add_parser("clock", help="show or move the running instance's clock")
    clock.add_argument("--days", type=days, default=0.0, help="move it forward by so much")
    soak = commands.add_parser("soak", help="all that may happen to a host, kills among it")
    soak.add_argument("--hours", type=hours, default=0.1, metavar="N", help="default .1")
    backends = ("sqlite", "chroma", "chroma-server")
    soak.add_argument("--backend", choices=backends, default="sqlite", help="where memories lie")
    soak.add_argument("--rounds", type=count, default=4, metavar="N", help="of one start at most")
    soak.add_argument("--seed", type=int, default=None, metavar="N", help="repeat an earlier run")
    fuzz = commands.add_parser("fuzz", help="random probes of who sees what")
    fuzz.add_argument("--cases", type=count, default=10_000, metavar="N")
    fuzz.add_argument("--seed", type=int, default=None, metavar="N", help="repeat an earlier run")
    fuzz.add_argument("--json", action="store_true", help="print the findings as JSON")
    package = commands.add_parser("package", help="write the zip that is published")
    package.add_argument("--into", type=Path, default=None, help="folder (default .astrbot-dev)")
    return top


def days(text: str) -> float:
    """A time to let pass, up to a hundred years at once. What the plugin wrote is not undone."""
    value = float(text)
    if not 0 <= value <= CENTURY:
        raise argparse.ArgumentTypeError(
            f"the clock only moves forward: 0 to {CENTURY}, not {text}"
        )
    return value


def hours(text: str) -> float:
    """How long a soak lasts: up to a month."""
    value = float(text)
    if not 0 < value <= 720:
        raise argparse.ArgumentTypeError(f"more than 0 and up to 720, not {text}")
    return value


def count(text: str) -> int:
    """How many of something: one at least."""
    return _within(text, 1, sys.maxsize)


def port(text: str) -> int:
    """A TCP port."""
    return _within(text, 1, 65_535)


def _within(text: str, least: int, most: int) -> int:
    value = int(text)
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"{least} to {most}, not {text}")
    return value


def main(argv: Sequence[str]) -> int:
    """Exit code of the command; 130 after Ctrl-C where there is nothing to tidy up."""
    try:
        return dispatch(argv)
    except KeyboardInterrupt:
        return 130


def dispatch(argv: Sequence[str]) -> int:
    """Get into the environment, then do what is asked."""
    arguments, rest = parser().parse_known_args(argv)
    if rest and arguments.command != "test":
        parser().error("unrecognised arguments: " + " ".join(rest))
    try:
        if not bootstrap.inside_environment():
            python = str(bootstrap.ensure_environment())
            os.execv(python, [python, str(Path(__file__).resolve()), *argv])
        bootstrap.synchronise()
    except (bootstrap.NoUsablePython, bootstrap.InstallFailed) as error:
        print(error, file=sys.stderr)
        return 1
    bootstrap.mount()
    if arguments.command == "test":
        if arguments.long:
            os.environ["TIDEMARK_LONG"] = "1"
        return test(rest)
    return asyncio.run(carry_out(arguments))


def test(pytest_arguments: Sequence[str]) -> int:
    """Every check, types beside the tests; all are run even if one fails."""
    failed = [step[0] for step in CHECKS if not _passes(step)]
    with subprocess.Popen(_command(TYPES), cwd=bootstrap.ROOT, stdout=subprocess.PIPE) as types:
        tests = (*TESTS, *pytest_arguments)
        failed += [] if _passes(tests) else [tests[0]]
        said, _ = types.communicate()
    print(f"== {' '.join(TYPES)}", said.decode("utf-8", "replace"), sep="\n", end="", flush=True)
    failed += [] if types.returncode == 0 else [TYPES[0]]
    print("failed: " + ", ".join(failed) if failed else "all checks passed", flush=True)
    return 1 if failed else 0


def _passes(step: Sequence[str]) -> bool:
    print(f"== {' '.join(step)}", flush=True)
    return subprocess.run(_command(step), cwd=bootstrap.ROOT, check=False).returncode == 0


def _command(step: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", *step]


async def carry_out(arguments: argparse.Namespace) -> int:
    """The commands that need the environment's packages."""
    module = importlib.import_module(f"{bootstrap.PACKAGE}.scripts.{arguments.command}")
    return await module.main(arguments, WORKSPACE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
