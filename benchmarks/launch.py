"""From `python -m benchmarks.X` in a checkout to the plugin's package, where the work is done."""

import importlib
import sys

from scripts.bootstrap import PACKAGE, mount


def launch(module: str) -> None:
    """Mount the checkout and end the process with the exit code of that module's `main`."""
    mount()
    sys.exit(importlib.import_module(f"{PACKAGE}.benchmarks.{module}").main(sys.argv[1:]))
