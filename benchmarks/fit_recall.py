"""`python -m benchmarks.fit_recall --data FOLDER --json`: the numbers that decide what is recalled.

Lives of the data sets are told to the product, whole and by their first messages; questions that
need some of it, and turns that need nothing, go through its own recall. The numbers of every
candidate and turn are what two models are fitted on: a ranking (softmax over the candidates of a
question) and the worth of a turn (logistic). Each set weighs the same. Every figure of a set is of
a fit that has seen nothing of that set.

| option | default | |
|---|---|---|
| `--data` | | folder with a folder per data set |
| `--embedder` | `local,hashed,none` | what to fit for |
| `--set` | those of the gate | repeatable |
| `--first` | 60 | messages of a life that are told in its small variant |
| `--questions` | 60 | asked of a life, at most |
| `--vectors` | | keep vectors, of questions too, in this folder |
| `--rows` | | keep what was collected in this folder, and take it from there |
| `--without` | off | leave each column out in turn, and say what that costs |
| `--write` | off | write `core/scoring/fitted.json` |

Keys: `benchmark`, `seed`, and by footing (`dense`, `hashed`, `words`): `ranking`, `turn`, `base`,
`low`, `high` (the numbers), `left_out` (by set: `questions`, `idle`, `evidence@5`, `evidence@10`,
`in_800_tokens`, `served` under the marks, `auc`, `needed_silent`, `idle_silent`, `idle_tokens`),
and with `--without` what each column brings, by set. `wishes`, by hand: shares of its `wishes`
that something is not kept, of its `others`, and of all messages of the `months`, which hold a few
such wishes, that pass for one by what the other hands wrote. `passing`, by month and of the
`episodes`: shares of the messages that tell a fact, and of the others, of which nothing is learnt
by what was written beside it.
"""

from .launch import launch

if __name__ == "__main__":
    launch("fit_recall_run")
