"""`python -m benchmarks.turn --json`: what the plugin adds to a turn, the provider's time excluded.

A turn is four steps through the engine, as the host's hooks call them: `capture` (journal the
user's message), `reconcile` (was the history reset?), `recall` (memories, recorded under the
turn) and `reply` (journal the answer). Between recall and reply, and between turns, nothing is
timed; background work of the turn before is waited for. What a recall costs beside the searches
it rests on is told by `benchmarks.recall_cost`.

Keys. A spread is {n, p5, p50, p95, p99, max}; times are milliseconds unless the key says `_s`.

- `benchmark`, `seed`, `turns` (measured per installation), `machine` (see `benchmarks.machine`)
- `sizes[]`, one per size of the own scope:
  - `memories`, `other_scopes`: rows in the own scope; further scopes of that size with the same
    texts in the installation "among"
  - `fill_s`: making the stores
  - `alone`, `among`, `local`: costs of an installation whose own scope is all there is, of one
    with the other scopes, and of one with the local embedding model (null without its weights);
    turn by turn in rotation, with the same messages
  - `among_to_alone`: spread of the ratio of their costs turn by turn; 1 is independence
  - `busy`: costs among the other scopes during decay passes, inserts and backfill of vectors
  - `pressure`: what went on meanwhile: `seconds`, `decay_passes`, `weakened`, `binned`, `inserted`
  - `stalls`: how late a 5 ms heartbeat of the event loop came, in the phases `idle` (the machine's
    own noise), `turns` and `busy`
- costs: `embedder`; `first_ms` (first turn after start, partition loaded); spreads `total_ms`,
  `capture_ms`, `reconcile_ms`, `recall_ms`, `reply_ms`, `text_leg_ms`, `semantic_leg_ms`,
  `embedding_ms` (of the query, part of `recall_ms`) and `without_embedding_ms` (total less that);
  `injected` (memories per turn, mean) and `late` (turns whose recall missed the deadline)
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("turn_cost")
