"""`python -m benchmarks.gate --data FOLDER [--fast]`: the one command a change is judged by.

One JSON with every figure that a change of recall, learning or sleep may move, each with the
interval of 95 of 100 resamples: the axes and costs of `benchmarks.scoreboard` for the product with
the local embedder (`tidemark`), with hashed vectors (`tidemark-hashed`) and with words alone
(`tidemark-words`), beside words, vectors and their fusion over the same items at equal tokens (a
line that shows neighbours pays for them), for every set of the data folder and the written
changes, these also with recorded learning; the processor time of a turn, of its recall and of
single searches; what the embedded store does.

`--fast` takes a sample drawn with `--seed`, in some six minutes; without it the whole takes some
forty. `--resume FOLDER` keeps every life and part that is finished and takes it up again.
`--against FILE` compares with an earlier run of the same sample: `moved` names each figure that
lies outside of the interval it had, and `worse` those of them that moved for the worse; the exit
code is then 1 if there is any.

Keys: `benchmark`, `fast`, `seed`, `commit`, `machine`, `seconds`, `problems`; `sets` and `changes`
(by set and system `axes` and `costs`, see `benchmarks.scoreboard`); `hashed` (the same of vectors
and fusion with hashed vectors); `turn` (see `benchmarks.turn`), `store` (see
`benchmarks.scale`); `moved`, `worse` with `--against`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("comparing.gate")
