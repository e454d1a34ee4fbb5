"""`python -m benchmarks.threads --data FOLDER --json`: who answers whom in a group?

335 turns of the group chat in `group_chat_zh` were read twice, each turn labelled with the earlier
turn that it answers, or as the beginning of something (`benchmarks/data`, by number, no texts).
Besides, sessions are told two by two at once, in an order that is drawn, without their times:
those of the labelled chat (the same five people in both), those of two chats of `locomo_dev` (four
people) and of `proactive_zh_dev` (two people and one bot, of whose answers it is known whom they
answer).
Links are found by numbers fitted on the other conversations.

| option | default | |
|---|---|---|
| `--data` | | folder with the data sets |
| `--labels` | `benchmarks/data` | folder with the two readings |
| `--drawings` | `3` | how often sessions are told two by two |
| `--seed` | `1` | of the drawings |

Keys: `benchmark`, `seed`, `drawings`, `complaints`; `agreement` of the two readings: `turns`,
`begins` (by the first), `links` (share of equal ones), `kappa` (of how many turns back, or none),
and of the talks by session `overlap` (one to one), `rand_index` (adjusted), `variation` (of
information, bits). Under `sets`, by set and way (`fitted` on all sets, `own` on this set alone,
`before`: each turn answers the one before, `pause`: the same, unless a pause is longer than is best
on the other conversations): `links`, `overlap` and `rand_index`, each with `mean` and `spread`
(standard deviation over the conversations that are left out); first turns and those of a bot are
not counted among links. `turns` are the links asked for. `elsewhere`: of links of the fit that name
another turn than the one before with a certainty of .7, how many there are and which share is
right. `weights` of the fit on all. `verdicts`: of memories that were shown to one of two people who
talk with the bot at once, how many, and the share that words judge as they do where that one talks
alone, `all` by all answers and `own` by those to that person.
"""

from .launch import launch

if __name__ == "__main__":
    launch("threads_run")
