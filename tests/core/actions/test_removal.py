"""Why a memory was set aside is told in words, whatever was lacking."""

import pytest
from astrbot_plugin_tidemark.core.actions.removal import Cause, removal
from astrbot_plugin_tidemark.core.capture.grounding import Lack


@pytest.mark.parametrize("lack", Lack)
def test_every_lack_has_a_cause_of_its_own(lack: Lack) -> None:
    assert removal(lack.value).cause is Cause(f"unsaid_{lack.value}")
