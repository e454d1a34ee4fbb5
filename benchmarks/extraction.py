"""`python -m benchmarks.extraction --endpoint URL --model M --data FOLDER`: what a model learns.

`--data` has `locomo_dev`. Each session is read as the plugin reads an episode: one call, at most
one repair, grounding. Anybody with a key measures their model by it (`--key`); it costs what
`tokens` says. `--episodes N` reads the first N only, `--timeout` is the seconds of one call.
Every reply is kept in `--resume` (by default in the user's cache) by the whole prompt: the same
command goes on where it was interrupted, and a second run asks nothing.

Keys: `benchmark`, `model`, `episodes`, `turns`, `calls`, `calls_per_30_turns`, `tokens`,
`malformed` (first replies that did not fit), `unanswered`, `memories`, `observations`, `coverage`
(share of the recorded observations half of whose words stand in believed memories of their turns),
`grounded` (share of the memories that the cited turns bear out), `doubted_for` (the others);
`asked` and `kept` (calls of this run and of earlier ones), `median_tokens` and `median_seconds` (of
a call when it was made; tokens null where the endpoint tells none).
"""

from .launch import launch

if __name__ == "__main__":
    launch("extraction_run")
