"""`python -m scripts.wheels [--python 3.12 3.13 3.14]`: who has a wheel of what is needed?

Resolves every package that is needed at run time, with all that it needs itself, as an installation
would on each system that owners run, and installs nothing. Prints a table in Markdown. Exit code 1
if something has no wheel somewhere, 2 if the index cannot be asked.
"""

import argparse
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache

from .bootstrap import PACKAGE, ROOT, mount, pip_settings, uv_settings

SYSTEMS = {
    "Windows x86-64": "x86_64-pc-windows-msvc",
    "macOS arm64": "aarch64-apple-darwin",
    "macOS x86-64": "x86_64-apple-darwin",
    "Linux x86-64": "x86_64-unknown-linux-gnu",
    "Linux arm64": "aarch64-unknown-linux-gnu",
}
"""And uv's names for them."""

OLDEST_MACOS = "14.0"
PYTHONS = ("3.12", "3.13", "3.14")

HOST = ("numpy", "faiss-cpu", "openai", "pillow", "pydantic")
"""What the host brings and the plugin uses."""

_UNSOLVABLE = "No solution found"
_PINNED = re.compile(r"^([\w.-]+)(?:\[.*\])?==(\S+)", re.MULTILINE)


class Unreachable(Exception):
    """The index gave no answer."""


def needed() -> list[str]:
    """The requirements of the plugin, and of what an owner may install later."""
    mount()
    errors = importlib.import_module(f"{PACKAGE}.core.model.errors")
    session = importlib.import_module(f"{PACKAGE}.core.embedding.onnx.session")
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    own = [line.partition("#")[0].partition(";")[0].strip() for line in lines]
    optional = [re.sub(r"^pip install |\"", "", command) for command in errors.INSTALL.values()]
    return [*filter(None, own), *optional, *session.REQUIREMENTS, *HOST]


def found(requirements: Sequence[str], system: str, python: str) -> dict[str, str]:
    """The version of each package that has a wheel there, as everything does that it needs itself;
    "" for one that has none.
    """
    versions = _resolved(requirements, system, python)
    if versions is not None:
        return versions
    apart = ((each, _resolved([each], system, python)) for each in requirements)
    return {each: "" if versions is None else versions[each] for each, versions in apart}


def _resolved(requirements: Sequence[str], system: str, python: str) -> dict[str, str] | None:
    """None if something has no wheel."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--only-binary", ":all:"]
    command += ["--python-platform", SYSTEMS[system], "--python-version", python]
    done = subprocess.run(
        command,
        input="\n".join(requirements),
        capture_output=True,
        text=True,
        check=False,
        env={**_index(), **os.environ, "MACOSX_DEPLOYMENT_TARGET": OLDEST_MACOS},
    )
    if done.returncode == 0:
        versions = {_name(name): version for name, version in _PINNED.findall(done.stdout)}
        return {each: versions[_name(each)] for each in requirements}
    if _UNSOLVABLE in done.stderr:
        return None
    raise Unreachable(done.stderr.strip().splitlines()[-1] if done.stderr else "uv failed")


@cache
def _index() -> Mapping[str, str]:
    return uv_settings(pip_settings())


def _name(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~ \[]", requirement, maxsplit=1)[0]).lower()


def main(arguments: Sequence[str]) -> int:
    """Packages down, systems across."""
    parser = argparse.ArgumentParser(prog="python -m scripts.wheels", description=__doc__)
    parser.add_argument("--python", nargs="+", default=PYTHONS, choices=PYTHONS)
    chosen, packages = parser.parse_args(arguments), needed()
    places = [(system, python) for python in chosen.python for system in SYSTEMS]
    try:
        columns = [found(packages, *place) for place in places]
    except Unreachable as error:
        print(f"the package index cannot be asked: {error}", file=sys.stderr)
        return 2
    print("| package |" + "".join(f" {system}, {python} |" for system, python in places))
    print("|---|" + "---|" * len(places))
    for package in packages:
        cells = (column[package] or "none" for column in columns)
        print(f"| {package} |" + "".join(f" {cell} |" for cell in cells))
    return 0 if all(all(column.values()) for column in columns) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
