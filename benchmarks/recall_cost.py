"""`python -m benchmarks.recall_cost --json`: what a recall costs beside the searches it rests on.

Every question is a turn of a chat: it is journaled, not indexed, and its recall goes the way of the
host's hook, with the words of up to three turns before it. After it the same store is asked for
the words of another question and for its vector, once each. Vectors of questions are known before.

With `--data FOLDER` (see `benchmarks.life`) the scope is a life: the lines of all lives with what
the rules learn of them, and CDConv's turns until there are so many; the questions are those of
these lives and turns that need nothing. Without it both are generated, as for `benchmarks.turn`.

Keys. A spread is {n, p5, p50, p95, p99, max}; times are milliseconds. `processor` is processor time
of all threads of the process, which other programs change little; `clock` is what a clock shows.

- `benchmark`, `seed`, `machine` (see `benchmarks.machine`)
- `measured[]`, one per size: `memories` (in the scope), `questions`, and
  - `first` (each question asked once, after some others) and `again` (all of them once more); of
    each `processor` and `clock` {`recall`, `text`, `vector`: spreads; `recall_to_both`: p50 of a
    recall by the sum of those of one search by words and one by vector}
  - `threads`: of both passes, mean processor time of a recall and the two searches after it by
    whose thread it was: `loop` (the event loop), `store`, `journal`, `others`; to some .05
  - `shown` (memories per question, mean), `loud` (share of the questions that were shown any)
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("recall_cost_run")
