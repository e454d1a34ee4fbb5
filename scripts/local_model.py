"""The local embedding model for development hosts: fetched once, linked into each of them."""

import os
import shutil
import sys
from pathlib import Path

from ..core.embedding.local import install
from ..core.model.errors import EmbeddingUnavailable


async def fetch(models: Path) -> bool:
    """Install the model into `models` unless it is there; False, with the reason, if it fails."""

    def report(step: str, share: float) -> None:
        print(f"\r{share:4.0%} {step}".ljust(70), end="", file=sys.stderr, flush=True)

    if install.status(models) is not install.ModelFileState.READY:
        print("Fetching the local embedding model (91 MB, once)", file=sys.stderr)
    try:
        await install.install(models, report)
    except EmbeddingUnavailable as error:
        print(f"\nWithout it: {error}. Recall then goes by words alone.", file=sys.stderr)
        return False
    print(file=sys.stderr)
    return True


def provide(models: Path, plugin_data: Path) -> None:
    """Make an installed model available to the plugin of one host."""
    if not install.weights_file(models).is_file():
        return
    target = plugin_data / "models"
    target.mkdir(parents=True, exist_ok=True)
    # The rest first: what has no checksum yet would be taken for damaged.
    for part in (install.checksum_file, install.license_file, install.weights_file):
        if part(models).exists() and not part(target).exists():
            _link(part(models), part(target))


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
