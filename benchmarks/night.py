"""`python -m benchmarks.night --json`: what a night of sleep costs, without a model.

Fills the scopes, lets people talk in each of them, and puts them all to sleep as the night does,
one scope after the other. Generated memories as in `benchmarks.turn`; of those that were learnt
some claim something of their person and some are plans. `--memories 100000 --scopes 1` is the
largest scope there should be; with `--learnt` all of it was learnt, of one person.

Keys. A spread is {n, p5, p50, p95, p99, max}.

- `benchmark`, `seed`, `embedder`, `machine` (see `benchmarks.machine`)
- `scopes`, `memories` (of each), `learnt`, `turns` (of each, said and learnt from by rules before
  the night)
- `fill_s`: making the store; no part of the night
- `night`: `wall_s` and `cpu_s` (of all threads) of the whole night
- `steps`: by name {`runs`, `wall_s`, `cpu_s`, `late_ms` and `looped_ms` (the longest of each)}
- `late_ms`: spread of how late a 5 ms heartbeat of the event loop came; `looped_ms`: spread of
  what the loop's own thread computed from one beat to the next, garbage collections apart, which
  others on the machine do not lengthen; `collected_ms`: the longest collection of garbage in any
  thread, which holds up all of them; `idle_ms`: of the heartbeat before the night, the machine's
  own noise
- `counts`: what the night did, by deed
- `later`: with `--nights`, `wall_s`, `cpu_s`, `counts` and `whole_sleeps` (scopes that did more
  than the sweep) of each later night, in which nothing is new, and last of a whole sleep by
  command; `left`: what that one still found to do, but for ageing, by deed: nothing, if the nights
  before came to the same as whole ones
- `targets`: by name {`limit`, `measured`, `met`}; the time is judged at 100 scopes of 1 000
  and at one of 10 000
"""

from .launch import launch

if __name__ == "__main__":
    launch("night_speed")
