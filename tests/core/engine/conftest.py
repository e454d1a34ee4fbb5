"""A running engine, with the settings that `changes` names."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.scoring.decision import Fitted
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings

from ...deciding import OPEN
from ...rig import Rig, open_rig

PATIENT = Settings(recall=RecallSettings(deadline_ms=10_000))


@pytest.fixture
def changes() -> dict[str, object]:
    """Sections of the settings that differ from `PATIENT`; a test module overrides this."""
    return {}


@pytest.fixture
def fitted() -> Fitted:
    """What decides whether anything is brought up; a test of silence has the one in force."""
    return OPEN


@pytest.fixture
async def rig(tmp_path: Path, changes: dict[str, object], fitted: Fitted) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, replace(PATIENT, **changes), fitted=fitted)
    rig.engine.start()
    yield rig
    if rig.embedder.gate is not None:
        rig.embedder.gate.set()
    await rig.engine.close()
