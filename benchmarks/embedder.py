"""`python -m benchmarks.embedder --json`: what the local embedder takes, in processor time.

Keys. A spread is {n, p5, p50, p95, p99, max}.

- `benchmark`, `seed`, `machine` (see `benchmarks.machine`)
- `load_seconds`, and `resident_mb` of this process at the end
- `query_ms` and `query_processor_ms`: spreads by the query's tokens, by the clock and of the
  processor
- `documents_per_processor_s`: spread over rounds of 64 texts of 64 tokens; `threads`: processor
  time for each second of a round, at most
"""

from .launch import launch

if __name__ == "__main__":
    launch("embedder_speed")
