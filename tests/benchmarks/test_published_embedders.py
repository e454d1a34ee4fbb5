"""Embedders that are known by their ranks alone, against what recall makes of them."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from astrbot_plugin_tidemark.benchmarks.datasets import madial, published_ranks
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints
from astrbot_plugin_tidemark.benchmarks.ranked_embedder import ranked_embedder

from .datasets.test_readers import asked, told

MEMORIES = [
    "捡到一只螃蟹",
    "在海边看日落",
    "学会了骑车",
    "养了一盆绿萝",
    "丢了一把伞",
    "换了新的眼镜",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "memories.jsonl").write_text(
        "\n".join(told(str(number), text) for number, text in enumerate(MEMORIES, start=1)), "utf-8"
    )
    (tmp_path / "dialogues.jsonl").write_text(asked(3, id=0), "utf-8")
    ranks = {"good": {"0": [3, 1, 2]}, "bad": {"0": [1, 2, 4]}}
    (tmp_path / "published_ranks.json").write_text(json.dumps(ranks), "utf-8")
    return tmp_path


async def test_what_was_ranked_is_nearest_in_that_order(folder: Path) -> None:
    (world,) = madial.read(folder, Complaints())
    ranks = published_ranks.read(folder, Complaints())["bad"]
    embedder = ranked_embedder("bad", world, ranks, Random(1), strong=True)
    (probe,) = world.probes
    query = await embedder.embed_query(probe.text)
    documents = np.stack(await embedder.embed_documents([each.text for each in world.memories]))
    order = np.argsort(-(documents @ query))
    assert [world.memories[place].id for place in order[:3]] == ["m1", "m2", "m4"]
