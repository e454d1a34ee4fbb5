"""`python -m benchmarks.page --json`: what opening each view of the page asks, on a full store.

Keys. A spread is {n, p5, p50, p95, p99, max} of milliseconds.

- `benchmark`, `seed`, `machine` (see `benchmarks.machine`)
- `sizes[]`: `memories` in `scopes`, half of them groups; `fill_s`;
  - `requests`: by what is asked, spreads `ms` (the server's time for an answer, as JSON) and
    `cpu_ms` (what this process computed meanwhile, on all threads)
- `targets`: by the request {`limit`, `measured`, `met`} of the median at the largest size
"""

from .launch import launch

if __name__ == "__main__":
    launch("page_speed")
