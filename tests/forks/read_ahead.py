"""Run in the process that hosts are forked from: what every start would read and compile again.

The host asks three times for the metadata of each package that is installed, and the plugin's
modules, which have to be fresh, compile some hundreds of patterns: a quarter of a start.
"""

import importlib
import importlib.metadata
import re
import sys
from importlib.metadata import Distribution, PackageMetadata
from pathlib import Path
from typing import Any

PLUGIN = ("commands.chat.catalogue", "core.engine.engine", "storage")

_parse: Any = Distribution.metadata
_parsed = dict[str, PackageMetadata]()


def _parsed_once(distribution: Any) -> PackageMetadata:
    path = str(getattr(distribution, "_path", id(distribution)))
    if path not in _parsed:
        _parsed[path] = _parse.fget(distribution)
    return _parsed[path]


setattr(Distribution, "metadata", property(_parsed_once))  # noqa: B010 - read-only for pyright
for each in importlib.metadata.distributions():
    _parsed_once(each)

setattr(re, "_MAXCACHE", 10_000)  # noqa: B010 - no name of the module's own
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
bootstrap = importlib.import_module("bootstrap")
sys.path.pop(0)
bootstrap.mount()
for name in PLUGIN:
    importlib.import_module(f"{bootstrap.PACKAGE}.{name}")
for name in [name for name in sys.modules if name.partition(".")[0] == bootstrap.PACKAGE]:
    del sys.modules[name]
del sys.modules["bootstrap"]
