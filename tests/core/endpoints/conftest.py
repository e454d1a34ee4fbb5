"""What failed is asked again at once: the client would wait half a second."""

import pytest


@pytest.fixture(autouse=True)
def again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
