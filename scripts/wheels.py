"""Finds a wheel of every package that is needed at run time, for every system that owners run.

    python -m scripts.wheels [--python 3.12 3.13 3.14]

Resolves them with all that they need themselves, as an installation there would, and installs
nothing. Exit code 1 if something has no wheel somewhere, 2 if the index cannot be asked.
"""

import importlib
import sys

from .bootstrap import PACKAGE, mount

if __name__ == "__main__":
    mount()
    sys.exit(importlib.import_module(f"{PACKAGE}.scripts.wheel_search").main())
