"""`python -m benchmarks.grounding --data FOLDER --json`: what was not said told from what was.

`--data` has `locomo_dev`. Its recorded observations are held against the turns they cite, and so
are copies of them with another number, name, denial or subject. `--seed` draws the copies;
`--examples N` prints so many of each sort that went wrong.

Keys: `benchmark`, `observations`, `doubted` (share of the recorded ones that are set aside) and
`doubted_for` (the same by what is lacking), `caught`: by what was changed `copies` and the
`share` of them that is set aside; `examples`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("grounding_run")
