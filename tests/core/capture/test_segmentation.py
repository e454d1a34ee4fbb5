"""Where an episode ends."""

import pytest
from astrbot_plugin_tidemark.core.capture.segmentation import segmenter
from astrbot_plugin_tidemark.core.model.conversation import Episode, EpisodeEnd, NewTurn, Role
from astrbot_plugin_tidemark.core.ports import EpisodeLimits

from ...samples import ANN, HERE

LIMITS = EpisodeLimits(silence=1800.0, turns=4, characters=100)


def end(
    at: float, *, turns: int = 1, characters: int = 10, role: Role = Role.USER
) -> EpisodeEnd | None:
    episode = Episode("e1", HERE, 0.0, 1000.0, turns, characters)
    return segmenter(LIMITS)(episode, NewTurn(HERE, role, ANN, "hi", at))


def test_an_episode_goes_on_while_people_talk() -> None:
    assert end(2799.9) is None


def test_silence_ends_it() -> None:
    assert end(2800.0) is EpisodeEnd.SILENCE


@pytest.mark.parametrize("size", [{"turns": 4}, {"characters": 100}])
def test_a_full_episode_ends(size: dict[str, int]) -> None:
    assert end(1001.0, **size) is EpisodeEnd.SIZE


@pytest.mark.parametrize("size", [{"turns": 3}, {"characters": 99}])
def test_an_episode_that_is_nearly_full_goes_on(size: dict[str, int]) -> None:
    assert end(1001.0, **size) is None


def test_a_clock_set_back_ends_nothing() -> None:
    assert end(-1e9) is None


def test_a_full_episode_still_takes_the_answer_to_its_last_question() -> None:
    assert end(1001.0, turns=4, characters=100, role=Role.ASSISTANT) is None
    assert end(2800.0, role=Role.ASSISTANT) is EpisodeEnd.SILENCE
