"""`python -m benchmarks.crowd --json`: many people write while many ask, in one process.

Writers journal one message after the other, each in a chat of their own, and readers recall one
answer after the other, each from a scope of its own. All go through the engine, whose background
work (indexing, embedding) runs as it does in use.

Keys. A spread is {n, p5, p50, p95, p99, max}; times are milliseconds unless the key says `_s`.

- `benchmark`, `seed`, `memories` (in each reader's scope), `writers`, `readers`, `seconds`
  (measured after a warm-up), `pause_s` (of everybody between two turns), `learning` (whether a
  model that answers after a second learns, and everybody is put to sleep every twenty seconds),
  `machine` (see `benchmarks.machine`)
- `crowds[]`, one per backend and run: `backend`, `run`, spreads `record_ms` (a message until it is
  on disk) and `recall_ms`, `late` (recalls that missed the deadline), `recorded_per_s`,
  `recalled_per_s`, `indexed` (messages that the background made recallable meanwhile), `nights`
  ({`rest_s`, `calls`, `nights`, `turns`, `learnt`, `twice`}: seconds until nothing was left to do,
  what the model was asked, how often all were put to sleep, what the writers' scopes hold then, and
  facts that are there twice), `stalls` (how late a 5 ms heartbeat of the event loop came),
  `computed` (what all threads of this process computed between two beats: more than that no beat
  would be late on a machine of its own), `loop` (what its own thread computed of it), `steps`
  (processor time of single steps of the loop, see `benchmarks.steps`), `collections` (of full
  garbage collections, which are part of those steps), `longest[]` (the places with the longest
  steps: `place`, `total` and a spread) and `idle` (lateness before anybody did anything: the
  machine's own noise)
- `medians`, by backend: over its runs, of the p50 of `record_ms` and `recall_ms`, of the p99 and
  the max of `stalls`, `computed`, `loop`, `steps` and `idle`
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("crowd_speed")
