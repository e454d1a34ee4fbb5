"""`python -m benchmarks.page --json`: what opening each view of the page asks, on a full store.

Keys: `benchmark`, `seed`, `machine` (see `benchmarks.machine`); `sizes[]`: `memories` in `scopes`,
half of them groups, of which the learnt ones mention 2 000 names; `requests`: by what is
asked, spreads (of milliseconds) `ms`, the server's time for an answer as JSON, and `cpu_ms`, what
this process computed meanwhile on all threads; `first_ms`, the same of the first time; `targets`:
by the request {`limit`, `measured`, `met`} of the median of `cpu_ms` at the largest size.
"""

from .launch import launch

if __name__ == "__main__":
    launch("page_speed")
