"""The benchmark of merging counts near pairs, what keeps them apart, and lists every merger."""

import numpy as np
from astrbot_plugin_tidemark.benchmarks.merging_run import judged


def test_every_near_pair_is_merged_or_told_apart_and_every_merger_is_listed() -> None:
    texts = ("I like hiking", "I enjoy hiking!", "I keep two cats", "I keep three cats")
    figures, merges = judged("test", texts, np.ones((4, 4), np.float32) / 2, 0.9)
    assert merges == [["I like hiking", "I enjoy hiking!"]]
    assert (figures["near_pairs"], figures["merged_pairs"], figures["texts_gone"]) == (6, 1, 1)
    assert sum(figures["apart"].values()) == 5
    assert figures["apart"]["number"] >= 1
