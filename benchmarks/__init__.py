"""Benchmarks: `python -m benchmarks.NAME`, each told of at the top of its module.

They print what was measured as JSON, machine facts and spread included.
"""

import importlib
import sys

if __name__ == "benchmarks" and sys.argv[0] == "-m":
    # Started in a checkout, where this is a package at the top. The work is done in the plugin's
    # package, so that `..core` is there to be imported; nothing of this one is.
    from scripts.bootstrap import PACKAGE, mount

    mount()
    _name = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    sys.exit(importlib.import_module(f"{PACKAGE}.{_name}").main(sys.argv[1:]))
