"""`python -m benchmarks.extraction --endpoint URL --model M --data FOLDER`: what a model learns.

`--data` has `locomo_dev`. Each session is read as the plugin reads an episode: one call, at most
one repair, grounding. Anybody with a key measures their model by it (`--key`); it costs what
`tokens` says. `--episodes N` reads the first N only, `--timeout` is the seconds of one call.

Keys: `benchmark`, `model`, `episodes`, `turns`, `calls`, `calls_per_30_turns`, `tokens`,
`malformed` (first replies that did not fit), `unanswered`, `memories`, `observations`, `coverage`
(share of the recorded observations half of whose words stand in believed memories of their turns),
`grounded` (share of the memories that the cited turns bear out), `doubted_for` (the others).
"""

from .launch import launch

if __name__ == "__main__":
    launch("extraction_run")
