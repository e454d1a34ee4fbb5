"""Which packages that are needed at run time have a wheel, on every system that owners run."""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ..core.embedding.onnx.session import REQUIREMENTS
from ..core.model.errors import INSTALL

ROOT = Path(__file__).resolve().parent.parent

SYSTEMS = {
    "Windows x86-64": ("win_amd64",),
    "macOS arm64": ("macosx_14_0_arm64",),
    "macOS x86-64": ("macosx_14_0_x86_64",),
    "Linux arm64": ("manylinux_2_17_aarch64", "manylinux_2_28_aarch64", "manylinux_2_34_aarch64"),
}
PYTHONS = ("3.12", "3.13", "3.14")

HOST = ("numpy", "faiss-cpu", "openai", "pillow", "pydantic")
"""What the host brings and the plugin uses; jieba too, which is published as source alone."""

_UNKNOWN = "No matching distribution found for"


class Unreachable(Exception):
    """The index gave no answer."""


def needed() -> list[str]:
    """The requirements of the plugin, and of what an owner may install later."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    own = [line.partition("#")[0].partition(";")[0].strip() for line in lines]
    optional = [re.sub(r"^pip install |\"", "", command) for command in INSTALL.values()]
    return [*filter(None, own), *optional, *REQUIREMENTS, *HOST]


def found(requirements: Sequence[str], system: str, python: str) -> dict[str, str]:
    """The version of each package that has a wheel there; "" for one that has none."""
    versions = _asked(requirements, system, python)
    if versions is not None:
        return versions
    return {each: "".join((_asked([each], system, python) or {}).values()) for each in requirements}


def _asked(requirements: Sequence[str], system: str, python: str) -> dict[str, str] | None:
    """None if one of them has no wheel."""
    platforms = [word for each in SYSTEMS[system] for word in ("--platform", each)]
    with TemporaryDirectory() as nowhere:
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps"]
        command += ["--ignore-installed", "--only-binary=:all:", "--target", nowhere, *platforms]
        command += ["--python-version", python, "--implementation", "cp", "--report", "-"]
        done = subprocess.run(
            [*command, *requirements], capture_output=True, text=True, check=False
        )
    if done.returncode == 0:
        told = json.loads(done.stdout)["install"]
        versions = [each["metadata"]["version"] for each in told]
        names = [re.sub(r"[-_.]+", "-", each["metadata"]["name"]).lower() for each in told]
        by_name = dict(zip(names, versions, strict=True))
        return {each: by_name[_name(each)] for each in requirements}
    if _UNKNOWN in done.stderr and "Connection" not in done.stderr:
        return None
    raise Unreachable(done.stderr.strip().splitlines()[-1] if done.stderr else "pip failed")


def _name(requirement: str) -> str:
    return re.split(r"[<>=!~ \[]", requirement, maxsplit=1)[0].replace("_", "-").lower()


def main(arguments: Sequence[str] | None = None) -> int:
    """A table in Markdown: packages down, systems across."""
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
