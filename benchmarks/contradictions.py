"""`python -m benchmarks.contradictions --data FOLDER --json`: what does code take for a denial?

`--data` has `cdconv_dev`: exchanges of two answers of a bot, labelled whether the second
contradicts the first. Both answers are taken as statements of one person, and held against each
other as sleep does it without a judge.

Keys: `benchmark`; `consistent` and `contradicting`, for each `pairs`, `taken` (the one is taken for
the denial of the other), with `--embedder local` `asked` (a judge is asked what they are: with one
that is always right so many are found), and their shares `taken_share`, `asked_share`; `found`: the
pairs that were taken, to be looked at.
"""

from .launch import launch

if __name__ == "__main__":
    launch("contradictions_run")
