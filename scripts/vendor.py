"""Take the released files of the page's libraries from their packages, as the manifest names them.

python -m scripts.vendor            fetch every file again and write its hash
python -m scripts.vendor vue@3.6.0  the same, in another version
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .bootstrap import ROOT

MANIFESTS = (
    ROOT / "pages" / "tidemark" / "vendor" / "manifest.json",
    ROOT / "tests" / "pages" / "vendor" / "manifest.json",
)
"""What the page loads, and what its tests load into it.

A file is written beside its manifest, with the package's licence as NAME.LICENSE.
"""


def main(argv: Sequence[str]) -> int:
    """Needs npm and the network."""
    wanted = dict(each.rsplit("@", 1) for each in argv)
    for manifest in MANIFESTS:
        listed: list[dict[str, Any]] = json.loads(manifest.read_text("utf-8"))
        for entry in listed:
            entry["version"] = wanted.get(entry["name"], entry["version"])
            _fetch(entry, manifest.parent)
            print(f"{entry['file']}: {entry['name']} {entry['version']}")
        manifest.write_text(json.dumps(listed, indent=2) + "\n", "utf-8")
    return 0


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _fetch(entry: dict[str, Any], folder: Path) -> None:
    package = f"{entry['name']}@{entry['version']}"
    with tempfile.TemporaryDirectory() as place:
        # npm compares the archive with the registry's own hash.
        command = ["npm", "pack", "--silent", package]
        done = subprocess.run(command, cwd=place, check=True, capture_output=True, text=True)
        with tarfile.open(Path(place, done.stdout.split()[-1])) as archive:
            _copy(archive, f"package/{entry['path']}", folder / entry["file"])
            _copy(archive, "package/LICENSE", folder / f"{entry['name']}.LICENSE")
    entry["sha256"] = digest(folder / entry["file"])


def _copy(archive: tarfile.TarFile, name: str, target: Path) -> None:
    member = archive.extractfile(name)
    assert member is not None, name
    target.write_bytes(member.read())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
