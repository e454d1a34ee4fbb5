"""Every package that is needed at run time has a wheel wherever owners run the bot."""

import pytest
from astrbot_plugin_tidemark.scripts.wheel_search import (
    PYTHONS,
    SYSTEMS,
    Unreachable,
    found,
    needed,
)

MISSING = {("onnxruntime>=1.20,<2", "macOS x86-64")}
"""Without it the local model runs on numpy, more slowly; its vectors are the same."""


def test_what_is_needed_is_read_from_where_it_is_declared() -> None:
    names = " ".join(needed())
    for name in ("lunardate", "tzdata", "chromadb>=1.5,<2", "onnxruntime", "tokenizers", "numpy"):
        assert name in names


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_newest_python_finds_a_wheel_of_everything(system: str) -> None:
    try:
        versions = found(needed(), system, PYTHONS[-1])
    except Unreachable as error:
        pytest.skip(f"the package index cannot be asked: {error}")
    missing = {(package, system) for package, version in versions.items() if not version}
    assert missing <= MISSING
