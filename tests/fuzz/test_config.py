"""Any config document gives usable settings; a parser that fails at that would be found."""

from typing import Any

import pytest
from astrbot_plugin_tidemark.core.settings import BackupSettings, Settings
from astrbot_plugin_tidemark.scripts.fuzzing import config

from ..strength import strength


async def test_every_document_gives_settings_an_engine_runs_with() -> None:
    assert (await config.run(strength(12, 200), 12)).listed() == []


async def test_a_parser_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(document: Any) -> tuple[Settings, tuple[str, ...]]:
        if isinstance(document, list):
            raise TypeError("a list")
        return Settings(), ()

    async def nothing(document: Any, case: int) -> list[str]:
        return []

    monkeypatch.setattr(config, "parse", raising)
    # The engine runs with what the test before this one gives it.
    monkeypatch.setattr(config, "engine_problems", nothing)
    (finding,) = (await config.run(100, 12)).listed()
    assert finding["problem"] == "parse raised TypeError in test_config.py, raising"
    assert finding["input"] == "[]"


@pytest.mark.parametrize(
    "value", [0, 366, True, 2.0, float("nan")], ids=["low", "high", "bool", "float", "nan"]
)
async def test_a_number_out_of_range_is_found(monkeypatch: pytest.MonkeyPatch, value: Any) -> None:
    wrong = Settings(backup=BackupSettings(keep=value))
    monkeypatch.setattr(config, "parse", lambda document: (wrong, ()))
    assert "backup.keep is out of its range" in config.parse_problems({})
