"""Embedders that are known by their ranks alone, against what recall makes of them."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from astrbot_plugin_tidemark.benchmarks.datasets import madial, published_ranks
from astrbot_plugin_tidemark.benchmarks.datasets.reading import Complaints, NoData
from astrbot_plugin_tidemark.benchmarks.published_embedders_run import main
from astrbot_plugin_tidemark.benchmarks.ranked_embedder import ranked_embedder
from astrbot_plugin_tidemark.core.embedding.calibrator import Calibrator
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from .datasets.test_madial import asked, told

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


@pytest.mark.parametrize("strong", [True, False])
async def test_the_sample_calibrates_it(folder: Path, *, strong: bool) -> None:
    (world,) = madial.read(folder, Complaints())
    ranks = published_ranks.read(folder, Complaints())["bad"]
    embedder = ranked_embedder("bad", world, ranks, Random(1), strong=strong)
    calibrator = Calibrator(ReferenceStore())
    await calibrator.learn(embedder)
    frame = await calibrator.frame(await embedder.identity(), frozenset({"a"}), "zh")
    assert frame.centred


def test_its_own_figures_stand_beside_the_final_ones(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["dialogues"] == 1
    assert told["embedders"]["good"]["own"] == {"recall@5": 1.0, "recall@10": 1.0}
    assert told["embedders"]["good"]["strong"]["recall@5"] == 1.0
    assert told["embedders"]["bad"]["own"] == {"recall@5": 0.0, "recall@10": 0.0}
    assert told["least"].keys() == {"strong", "dense"}


def test_ranks_of_no_dialogue_are_named(folder: Path) -> None:
    (folder / "published_ranks.json").write_text('{"odd": [1]}', "utf-8")
    with pytest.raises(NoData, match="odd"):
        published_ranks.read(folder, Complaints())
