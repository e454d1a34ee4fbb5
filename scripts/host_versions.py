"""`python -m scripts.host_versions [VERSION ...]`: load the plugin in the AstrBots it is meant for.

Without arguments in the oldest that metadata.yaml claims and in the newest there is. Each gets an
environment of its own under `.astrbot-dev/hosts`, which is kept. For the night or by hand: it
downloads some hundred packages. Exit code 1 if one does not load the plugin.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOSTS = ROOT / ".astrbot-dev" / "hosts"
PROBE = ROOT / "tests" / "host" / "market_probe.py"
NEWEST = "newest"


def oldest() -> str:
    """The oldest version that the plugin claims to work with."""
    claimed = re.search(
        r'astrbot_version: ">=([\d.]+)', (ROOT / "metadata.yaml").read_text("utf-8")
    )
    assert claimed is not None
    return claimed.group(1)


def interpreter(version: str) -> Path:
    """The Python of an environment with that host; the newest is looked for anew each time."""
    folder = HOSTS / version
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    wanted = "astrbot" if version == NEWEST else f"astrbot=={version}"
    needed = ["--upgrade", wanted, "-r", str(ROOT / "requirements.txt")]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *needed], check=True)
    return python


def problem(version: str) -> str:
    """What keeps the plugin from loading in a host of that version; "" for nothing."""
    python = interpreter(version)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data" / "config").mkdir(parents=True)
        own = {"ASTRBOT_ROOT": folder, "HOME": folder, "ASTRBOT_DISABLE_METRICS": "1"}
        told = subprocess.run(
            [python, PROBE, ROOT],
            cwd=folder,
            env=os.environ | own,
            capture_output=True,
            text=True,
            timeout=300,
        )
    lines = told.stdout.rstrip().splitlines() or [told.stderr]
    try:
        seen = json.loads(lines[-1])
    except ValueError:
        return "\n".join([*lines, told.stderr][-40:])
    return "" if seen["loaded"] and seen["open"] else str(seen.get("problem") or seen)


def main(arguments: Sequence[str]) -> int:
    """Print a line for each version."""
    found = {version: problem(version) for version in arguments or (oldest(), NEWEST)}
    for version, wrong in found.items():
        sys.stdout.write(f"{version}: {wrong or 'loads'}\n")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
