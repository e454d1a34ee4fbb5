"""`python -m benchmarks.erasure --json`: what forgetting for good costs, whatever else is kept.

Keys. A spread is {n, p5, p50, p95, p99, max}; times are milliseconds unless the key says `_s`.

- `benchmark`, `seed`, `machine` (see `benchmarks.machine`)
- `persons[]`, one person forgotten, who has said everything in so many groups:
  - `memories`, `scopes`, `turns`, `fill_s`
  - `extent_s` (what would be deleted, as it is told before), `erase_s`,
    `erase_cpu_s` (what this process computed meanwhile, others included)
  - meanwhile, of somebody else: spreads `recall_ms` (a text search), `remember_ms` (a memory
    written) and `turn_ms` (a message recorded); `stalls`: how late a 5 ms heartbeat came
- `deletions[]`, one memory after another deleted of so many: `memories`, `scopes`, spreads
  `store_ms` (record, indexes, vector, and every byte of them) and `purge_ms` (the same with the
  recorded message behind it and the audit entry, as the bin does it)
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("erasure_speed")
