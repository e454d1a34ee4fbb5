"""`python -m benchmarks.parallel_talks --data FOLDER --json`: several talks of one group at once.

Sessions of different people of `proactive_zh_dev` are told two by two at once, in an order that is
drawn; each of the two is shown memories, and the bot answers both. Besides, 335 turns of a group
chat were read twice, each labelled with the earlier turn that it answers, or as the beginning of
something (`benchmarks/data`, by number, no texts).

| option | default | |
|---|---|---|
| `--data` | | folder with the data sets |
| `--drawings` | `3` | how often sessions are told two by two |
| `--seed` | `1` | of the drawings |

Keys: `benchmark`, `seed`, `drawings`, `complaints`; `verdicts`: of memories that were shown to one
of two people who talk with the bot at once, how many (`shown`), and the share that words judge as
they do where that one talks alone, `all` by all answers and `own` by those to that person. Of
`labels`: `turns`, `begins` (by the first reading), the share that is equal in both (`agreed`, and
`kappa`, of how many turns back, or none), and of those that answer something the share that answers
the turn `before`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("parallel_talks_run")
