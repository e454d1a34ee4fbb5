"""`python -m benchmarks.published --data FOLDER`: retrieval in the units that others publish.

Recall at 5 and at 10, by turn and by session, of the published sets whose folders are there
(LongMemEval-S, LoCoMo, BEAM-100K, MemDaily), whole unless `--lives`, `--messages` or
`--questions` cut them; `--system` as in `benchmarks.gate` (by default words, dense, fusion and
tidemark). What is ranked is what the system ranks before it decides how much to
show; a session ranks by its best turn. Nothing is answered and no model is called.

    python -m benchmarks.published --data FOLDER --set longmemeval --json

Keys: `benchmark`, `embedder`, `messages`, `questions`, `seed` (the options), `seconds`, `problems`,
`machine` (see `benchmarks.machine`), `sizes` (of each set `lives`, `messages`, `questions`, `idle`:
turns that need nothing, not asked here), `digests` (SHA-256 over the names and digests of a
set's files, in the order of their names) and `sets`: by set, system and unit (`turn`, `session`)

- `any_at_5`, `any_at_10`: questions for which one of the first five or ten holds evidence
- `share_at_5`, `share_at_10`: the share of the evidence that they hold

each as {`n`, `value`, `low`, `high`} (questions, mean, and the interval that 95 of 100 resamples
lie in), and `categories`, where `any_at_5` and `share_at_10` are told by type of question. What a
question of LongMemEval without an answer ranks is not counted, as its authors do.
"""

from .launch import launch

if __name__ == "__main__":
    launch("comparing.published")
