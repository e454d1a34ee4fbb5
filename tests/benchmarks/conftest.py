"""Benchmarks at sizes that say nothing about speed."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
_NAMES = re.compile(r"`(\w+)(?:\[\])?`")


def run(benchmark: str, *arguments: str) -> dict[str, Any]:
    """The command as a user runs it, from the checkout."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{benchmark}", "--json", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def documented(benchmark: str) -> set[str]:
    """Every name in backquotes in the docstrings of the command and of the machine's facts."""
    modules = (f"{benchmark}.py", "machine.py")
    return {name for m in modules for name in _NAMES.findall((ROOT / "benchmarks" / m).read_text())}


def keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(keys(inner) for inner in value.values()))
    return set().union(*(keys(inner) for inner in value)) if isinstance(value, list) else set()
