"""Mount the checkout as the package the host would load it as; nothing needs installing."""

import importlib
import logging
import os
import sys
import warnings
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "astrbot_plugin_tidemark"

# Two processes test at once: threads of OpenBLAS that wait for a core by spinning would cost
# several times what they compute. Hosts and servers started by tests inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if PACKAGE not in sys.modules:
    spec = ModuleSpec(PACKAGE, None, is_package=True)
    spec.submodule_search_locations = [str(ROOT)]
    sys.modules[PACKAGE] = module_from_spec(spec)


@pytest.fixture
def jieba_loaded() -> None:
    """The host has loaded jieba's dictionary."""
    with warnings.catch_warnings():
        # Its own code makes Python warn as it is compiled.
        warnings.simplefilter("ignore")
        jieba = importlib.import_module("jieba")
    jieba.setLogLevel(logging.ERROR)
    jieba.initialize()
