"""Mount the checkout as the package the host would load it as; nothing needs installing.

Programs that tests start run this file: `conftest.py` would bring all that tests need along.
"""

import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

PACKAGE = "astrbot_plugin_tidemark"

if PACKAGE not in sys.modules:
    spec = ModuleSpec(PACKAGE, None, is_package=True)
    spec.submodule_search_locations = [str(Path(__file__).resolve().parents[1])]
    sys.modules[PACKAGE] = module_from_spec(spec)
