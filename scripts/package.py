"""What is published: a zip of everything that runs and nothing else."""

from __future__ import annotations

import argparse
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from .bootstrap import PACKAGE, ROOT

FILES = (
    *("main.py", "metadata.yaml", "_conf_schema.json", "requirements.txt", "logo.png"),
    *("README.md", "CHANGELOG.md", "LICENSE"),
)
FOLDERS = ("core", "storage", "commands", "pages", ".astrbot-plugin")
LARGEST = 3 << 20
"""Bytes of the zip. The market takes 16 MB; what a small server downloads should be less."""

UNWANTED = re.compile(r"__pycache__|\.py[co]$|^\.DS_Store$|~$")
_LIBRARY = re.compile(r"[A-Za-z0-9._-]+")
_NEEDED = ("name", "desc", "version", "author")
_DATE = (2020, 1, 1, 0, 0, 0)
"""Of every entry: the same files make the same zip."""


class NotPublishable(Exception):
    """The market would not take it, and why."""


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """Write the zip and say where it is."""
    target = arguments.into or workspace
    target.mkdir(parents=True, exist_ok=True)
    try:
        file = package(target)
    except NotPublishable as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{file}  {file.stat().st_size / 1_024:.0f} KB, {len(contents())} files")
    return 0


def contents(root: Path = ROOT) -> list[Path]:
    """The files that belong into it, relative to the repository."""
    return [Path(name) for name in FILES if (root / name).is_file()] + list(_in_folders(root))


def package(folder: Path, root: Path = ROOT) -> Path:
    """The zip, in a folder that exists. Raises NotPublishable."""
    version = _checked(root)
    file = folder / f"{PACKAGE}-{version}.zip"
    partial = file.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in contents(root):
            entry = zipfile.ZipInfo(f"{PACKAGE}/{path.as_posix()}", _DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, (root / path).read_bytes())
    if partial.stat().st_size > LARGEST:
        size = partial.stat().st_size
        partial.unlink()
        raise NotPublishable(f"the zip has {size} bytes, more than {LARGEST}")
    partial.replace(file)
    return file


def _in_folders(root: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            relative = file.relative_to(root)
            if file.is_file() and not any(UNWANTED.search(part) for part in relative.parts):
                yield relative


def _checked(root: Path) -> str:
    """The version, if the market's rules are kept. Raises NotPublishable."""
    told = yaml.safe_load((root / "metadata.yaml").read_text("utf-8"))
    missing = [field for field in _NEEDED if not str(told.get(field) or "").strip()]
    missing += [name for name in FILES if not (root / name).is_file()]
    if missing:
        raise NotPublishable(f"missing: {', '.join(missing)}")
    if told["name"] != PACKAGE:
        raise NotPublishable(f"the name is {told['name']}, not {PACKAGE}")
    libraries = [
        found.group().lower()
        for line in (root / "requirements.txt").read_text("utf-8").splitlines()
        if (found := _LIBRARY.match(line.strip()))
    ]
    if "requests" in libraries:
        raise NotPublishable("requirements.txt names requests: the host wants aiohttp or httpx")
    return str(told["version"])
