"""The queue of background work: done at least once, with back-off."""
