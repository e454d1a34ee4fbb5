"""`python -m benchmarks.coverage --data FOLDER --json`: does sleep find what learning overlooked?

`--data` has `locomo_dev`. Its conversations are told to an engine, and its recorded observations
stand for what was learnt of them. Of each share in `--lost` so many observations are taken away at
random, and every episode is held against the rest by the step of sleep, which asks no model here.

| option | default | |
|---|---|---|
| `--embedder` | `local` | or `hashed`, or `none` |
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--vectors` | none | folder in which vectors of documents are kept from run to run |
| `--lost` | `0,0.25,0.5,0.75` | shares of observations that are taken away |
| `--draws` | `3` | how often each share is drawn |
| `--seed` | `1` | |

Keys: `benchmark`, `embedder`, `seed`, `draws`, `machine`; `lost`: by share, `episodes`,
`lost_turns` (whose observations are all gone), `auc` (a lost turn is told less than a covered
one), `held` (share of the lost turns that are in what is read again), `reread` (share of the
episodes) and `read` (share of all turns). At share 0 nothing is lost, and whatever is read again
is in vain. `by_conversation` has the same for each conversation.
"""

from .launch import launch

if __name__ == "__main__":
    launch("coverage_run")
