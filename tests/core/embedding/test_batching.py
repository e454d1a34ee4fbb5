"""Texts are put together without one being lost, and filled up to one length."""

from astrbot_plugin_tidemark.core.embedding.batching import batches, padded

MOST = 512


def test_batches_hold_every_text_once_shortest_first_within_the_budget() -> None:
    lengths = [5, 900, 30, 30, 512, 1, 200]
    found = batches(lengths, MOST)
    assert sorted(place for batch in found for place in batch) == list(range(len(lengths)))
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(lengths[p] for p in batch) <= MOST


def test_rows_are_filled_up_behind_and_the_mask_says_where() -> None:
    filled, mask = padded([(5, 6, 7), (8,)], 1)
    assert filled.tolist() == [[5, 6, 7], [8, 1, 1]]
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]
