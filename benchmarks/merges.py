"""`python -m benchmarks.merges --json`: is merged what says the same, and nothing else?

Two hands wrote 200 pairs of memories of twenty people each (`benchmarks/data/merges.jsonl` and
`merges_b.jsonl`), half of them the same said otherwise, half traps. All memories of a person are
told before their first night; then their conflicts and mergers are looked at, night after night,
until a night asks no model and does nothing, as the plugin does it over a store of its own.

Without an endpoint twice: no model, and the recorded words of a second reading (`_second.json` in
place of `.jsonl`) in the form of a model's reply, "both" for pairs that nobody has written.

| option | default | |
|---|---|---|
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--people` | all | people of each language and hand |
| `--endpoint`, `--model` | none | ask this one; `--key`, `--timeout` and `--resume`, too |

Keys: `benchmark`, `machine`, `commit`, `pairs`, `same`; for each way (`no model`, `recorded`, or
the name of the model): `merged` pairs, `wrong` ones with their texts, `missed` ones with their
texts, `precision` and `recall`, each with its 95 % interval (Wilson), by language too, all of both
hands and by hand; `nights`, `calls`; `targets`, which each hand must reach. `guarded`: how many of
a hand's traps are kept apart if a judge says of all that they are the same, `leaking` the others.
"""

from .launch import launch

if __name__ == "__main__":
    launch("merges_run")
