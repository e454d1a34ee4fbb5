"""`python -m benchmarks.journal_growth --json`: how large `journal.db` becomes in a year of chat.

Every day so many turns are said in a group, indexed, learnt from and answered by a recall each;
one memory of forty turns is kept for `--memory-days`. Retention runs as time passes.

Keys. Sizes are bytes of pages in use.

- `benchmark`, `machine` (see `benchmarks.machine`), `turns_a_day`, `keep_days`, `memory_days`
- `emptied` (turns lose their text, nothing else goes) and `condensed` (retention as it is):
  - `sizes`: by day
  - `per_turn`: growth for each turn said after day 90
  - `growth`: the last day's size / that of day 90
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("journal_growth_run")
