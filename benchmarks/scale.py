"""`python -m benchmarks.scale --json`: what a million memories cost, on each backend.

Fills scopes of `--scope` memories, each with a vector, at every one of `--sizes`, and takes what
one more memory costs between the smallest and the largest: the figures of a million are that
slope, not a measurement at that size.

Keys. A spread is {n, p5, p50, p95, p99, max}.

- `benchmark`, `seed`, `dimension` of the vectors, `machine` (see `benchmarks.machine`)
- `measured[]`: `backend`, `memories`, `scopes`, `fill_s` (records and vectors), `disk_mb`,
  `resident_mb` (of this process, with what the benchmark itself holds), `chroma_mb` (of those it
  started), `first_words_ms` (the first search by words of up to five scopes, after the store was
  closed and opened again), `recall_ms` (spread of a search by words and by meaning in one scope),
  `decay_s` (one pass over all scopes)
- `per_million`, by backend: `disk_gb`, `fill_hours`, `decay_minutes`
"""

from .launch import launch

if __name__ == "__main__":
    launch("scale_cost")
