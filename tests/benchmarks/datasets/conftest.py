"""Tiny made-up files of the formats that the adapters read."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints

type Write = Callable[[str, object], Path]
complaints = pytest.fixture(lambda: Complaints())


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Put a file into the data folder: text as it is, anything else as JSON."""

    def put(name: str, content: object) -> Path:
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        (tmp_path / name).write_text(text, "utf-8")
        return tmp_path

    return put
