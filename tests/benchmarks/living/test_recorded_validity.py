"""A fact that was over when it was told, handed on to the product as such."""

from pathlib import Path
from random import Random

from astrbot_plugin_tidemark.benchmarks.comparing.asking import told
from astrbot_plugin_tidemark.benchmarks.comparing.catalogue import made
from astrbot_plugin_tidemark.benchmarks.comparing.system import Question
from astrbot_plugin_tidemark.benchmarks.living.script import DAY, Life, Line, Recorded
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker

BEGINNING = 1_640_995_200.0
ANN = Speaker("ann", "Ann")
NOW = "I live in Wells, near the cathedral"
BEFORE = "When I still lived in Bath I swam every day"


async def test_the_home_of_a_story_of_the_past_replaces_none_that_holds(tmp_path: Path) -> None:
    life = Life(
        "ann",
        "en",
        Scope(ScopeKind.PRIVATE, "life", "ann"),
        (Line(BEGINNING, ANN, NOW, "now"), Line(BEGINNING + 20 * DAY, ANN, BEFORE, "before")),
        recorded=(
            Recorded("Ann lives in Wells", frozenset({"now"}), "home", "Wells"),
            Recorded("Ann lived in Bath", frozenset({"before"}), "home", "Bath", over=True),
        ),
    )
    system, learns = made("tidemark-recorded", tmp_path, None, life, Random(1))
    assert learns
    await told(life, system, learns=True, step=lambda: None)
    answer = await system.block(Question("Where do I live now, in Wells?", "ann"))
    await system.close()
    lines = {each.text: each.line for each in answer.shown}
    assert "Ann lives in Wells" in lines
    assert not any("before that: Wells" in line for line in lines.values())
