"""The benchmark of grounding counts what is doubted of what was said and of what was not."""

from argparse import Namespace

from astrbot_plugin_tidemark.benchmarks.datasets.locomo import Observation
from astrbot_plugin_tidemark.benchmarks.datasets.world import Said, World
from astrbot_plugin_tidemark.benchmarks.grounding_run import measured
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker

ANN, BEN = Speaker("Ann", "Ann"), Speaker("Ben", "Ben")
SAID = (
    Said(BEN, "What are you doing?", 0.0, "D1:1"),
    Said(ANN, "I painted 3 pictures of Paris last week", 1.0, "D1:2"),
)
WORLD = World("w", Scope(ScopeKind.GROUP, "locomo", "w"), 10.0, SAID)


def test_each_copy_counts_under_what_was_changed() -> None:
    true = Observation("Ann", "Ann painted 3 pictures of Paris", 1, frozenset({"D1:2"}))
    other = Observation("Ann", "Ann saw Rome and Oslo", 1, frozenset({"D1:2"}))
    found = measured([WORLD], {"w": [true, other]}, Namespace(seed=1, examples=5))
    assert (found["observations"], found["doubted"]) == (2, 0.5)
    assert found["doubted_for"] == {"name": 0.5}
    assert {what: each["share"] for what, each in found["caught"].items()} == {
        "number": 1.0,
        "name": 1.0,
        "negation": 1.0,
        "subject": 1.0,
    }
    assert len(found["examples"]["true"]) == 1
