"""`python -m benchmarks.load --json`: ten thousand people write to one bot.

Two scopes in three are private chats, the third is a group of `--group` people. After the filling
the installation is opened anew, so that no scope is in memory. Messages come at random moments,
each to a scope and a person drawn at random, whether or not the one before is answered: recorded,
recalled for, and answered by the bot, which is recorded, too. Then everybody sleeps, twice.

Keys. A spread is {n, p5, p50, p95, p99, max}; times are milliseconds unless the key says `_s`.

- `benchmark`, `seed`, `backend`, `people`, `scopes`, `memories`, `per_second`, `seconds`,
  `machine` (see `benchmarks.machine`)
- `fill_s`, `file_mb`
- `hooks`: spreads of a message's recording and recall together: `ms`; `computed_ms`, all that the
  process computed meanwhile, other messages and the background with it; and of these `first_ms`,
  the first of a scope since the opening, and `later_ms`; `late` (recalls that missed the deadline);
  `answer_ms`, of the recording of an answer
- `computed_share`: processor seconds a second; `stalls`: how late a 5 ms heartbeat of the
  event loop came; `loop`: what its own thread computed from one beat to the next
- `resident_mb`: at the opening and after each tenth of the time; `said` messages on record then
- `nights[]`: `wall_s`, `computed_s`, `loop`, `done` (whether all was finished in time)
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("load_run")
