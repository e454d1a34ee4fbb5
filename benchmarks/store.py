"""`python -m benchmarks.store --json`: what the memory stores do per second, and what they hold.

Keys. A spread is {n, p5, p50, p95, p99, max}; times are milliseconds unless the key says `_s`.

- `benchmark`, `seed`, `machine` (see `benchmarks.machine`)
- `scopes[]`, one scope of a size on a backend:
  - `backend`, `memories`
  - `inserts_per_s`: `batches_of_100`, `single`, `fill` (batches of 1 000)
  - `vectors_per_s`: `batches_of_32` (as the backfill writes them), `fill` (batches of 200)
  - `search_ms`: spreads `text`, `vector`, `hybrid` (both legs, fusion, selection and block; the
    query's vector is given), and `first_vector`, the one that loads the partition
  - `feedback_of_10_ms`: ten verdicts applied, entered in the ledger and in the audit log
  - `stalls`: how late a 5 ms heartbeat of the event loop came, in the phases `filling`,
    `searching` and `feedback`
  - `resident_mb`: of this process, `before` and `after`
  - `file_mb`, `cold_start` (null for a backend without a file)
- `populations[]`, records in many scopes: `backend`, `records`, `scopes`, `fill_per_s`,
  `decay_pass_s` (spread over passes a cycle apart), `decay_cpu_s` (what this process computed
  meanwhile, heartbeat included), `audit_s` (noting what was binned; a pass without effect
  included), `weakened`, `binned`, `settle_s` (the text index following, in the background),
  `stalls` (`filling`, `decay`), `resident_mb`, `file_mb`, `cold_start`
- `cold_start`, each in a process of its own: spreads `import_ms`, `open_ms` (store, journal and
  engine), `ready_ms` (both), `first_search_ms` (partition loaded), and medians
  `resident_mb`: `opened`, `searched`
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("store_speed")
