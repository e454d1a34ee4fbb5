"""The host's own classes in this process, without a host."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def host_classes(folder: Path) -> Iterator[None]:
    """A root for what importing the host writes, and silence for its deprecated imports."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setenv("ASTRBOT_ROOT", str(folder))
        import astrbot.api.star  # noqa: F401

        yield
