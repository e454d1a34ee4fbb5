"""`python -m benchmarks.fit_recall --data FOLDER --json`: the numbers that decide what is recalled.

Memories of several lives stand among as many others as a scope of each size has; questions that
need some of them, and turns that need none, go through the product's own recall. What it knew of
every candidate is what the models of `core.scoring` are fitted on, with constrained signs. Every
figure is of lives, or whole data sets, that were left out of the fit it comes from. Hand b of the
written turns is in no fit. A question is asked as it is given and as others would write it
(`form`): `unmarked` without its mark, `marked` with one, `dropped` in Chinese without its 我.

| option | default | |
|---|---|---|
| `--data` | | folder with `locomo_dev`, `madial_zh_dev`, `proactive_zh_dev`, `cdconv_dev` |
| `--embedder` | `local,hashed,none` | what to fit for |
| `--sizes` | `30,100,300,1000,3000` | memories of a scope |
| `--vectors` | | keep vectors, of questions too, in this folder |
| `--rows` | | keep what was collected in this folder, and take it from there |
| `--sets` | all | lives of these sets alone: `locomo`, `madial`, `proactive`, `life`, `changes` |
| `--order` | off | keep order and share, the candidate halfway; every size of store as silent |
| `--in-force` | off | fit nothing: `figures` has `in_force` alone, of the numbers in use |
| `--write` | off | write `core/scoring/coefficients.json` |

Keys: `benchmark`, `seed`, `sizes`, and by footing (`dense`, `hashed`, `words`): `questions`,
`candidate`, `turn`, `ranking` (the numbers), `users_out`, `sets_out` and `hand_b`: `silent` (share
of turns that need nothing, by class, hand and form, and by size), `answered` (of turns whose
memory is among the first ten, by set, store and form), `recall@5`, `recall@10`, `precision` and
`lines` of what is served, by set, and `auc` (of the turn's logit) between answerable and
unanswerable questions.
"""

from .launch import launch

if __name__ == "__main__":
    launch("fit_recall_run")
