"""`python -m benchmarks.turn --json`: what the plugin adds to a turn, the provider's time excluded.

A turn is what the host's hooks call: `capture` (the message is journaled, and the history looked
at), `recall` and `reply` (the answer is journaled). Beside it the same store is asked for the words
of another question (`text`) and for its vector (`vector`), once each. What is said is not indexed,
so that the size stays; background work does not run. The vector of a question is made before its
recall, as `embedding`, and is part of neither.

Memories are Chinese and English sentences whose words follow Zipf's law, half of them from one of
twelve topics; those of other scopes cost a turn nothing that could be measured (22 November 2026).
With `--embedder local` the vectors of most memories are near those of a few.

Keys. A spread is {n, p5, p50, p95, p99, max} in milliseconds. `processor` is processor time of all
threads of the process, which other programs change little; `clock` is what a clock shows.

- `benchmark`, `seed`, `embedder`, `machine` (see `benchmarks.machine`)
- `measured[]`, one per size: `memories` (in the scope), `turns`, and
  - `processor` and `clock`: by step a spread, and of `turn`, the sum of `capture`, `recall` and
    `reply`
  - `recall_to_both`: p50 of a recall by the sum of those of one search by words and one by vector,
    of the processor
  - `first`: `processor` and `clock` of the first turn after the store was opened anew
  - `looped`: spread of what the event loop's own thread computed from one 5 ms beat to the next
  - `shown` (memories per question, mean)
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("turn_run")
