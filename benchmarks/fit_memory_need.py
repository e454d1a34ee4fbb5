"""`python -m benchmarks.fit_memory_need --json`: the numbers that tell what a turn asks for.

Hands that did not see each other's files wrote turns that only a memory of a life can answer,
and turns that need none. A logistic regression is fitted on n-grams, and on the local embedder's
vectors with n-grams beside. Hands b and f are in no fit, and all is judged by them (f in two
languages more). `benchmarks.fit_recall`, which is fitted on hand a, uses a fit without it.

| option | default | |
|---|---|---|
| `--written` | `benchmarks/data` | the written turns |
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--vectors` | | keep vectors in this folder |
| `--write` | off | write `core/scoring/memory_need.json` |

Keys: `benchmark`, `turns` (of the fit), `grams` (how many are kept), and by footing (`words`,
`meaning`) and hand, for all, by language and by class: `n`, `right` (the sign of the logit), and
for all and by language `auc` and `found` (share of those that ask for memory above all but .05 of
the others). `each_hand_out` is of the fit's own hands, each by a fit on the others.
"""

from .launch import launch

if __name__ == "__main__":
    launch("fit_memory_need_run")
