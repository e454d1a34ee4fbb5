"""`python -m benchmarks.changes --json`: of what people say has changed, is what holds told?

Each person tells changes of different slots, through the hooks of a real engine, the clock moving
by the data's days; a day after the last of them every question is asked. Nothing fades (a cycle of
a year), and there is no noise unless `--data` has `cdconv_dev`. Learning is by the rules, or by
recorded replies that name slot and value.

Keys: `benchmark`, `embedder`, `learning`, `problems`; `now` and `past` (about the present and
the past, of which what was so then counts as current), each over all, by `hand`, by `half` (of
hand a the even ids and the odd ones; the rules were written with a sight of the odd ones alone), by
`language`, and by hand, language and whether the hand calls the change `listed` (said directly).
For each `n` and shares of `current_first`, `stale_first`, `current_shown`, `stale_shown`,
`stale_unmarked` and `silent` (neither is shown).
"""

from .launch import launch

if __name__ == "__main__":
    launch("living.changes_run")
