"""`python -m benchmarks.forgetting_lives --data FOLDER --json`: every policy on lives.

The written months (`benchmarks/data/lives`) and those lives of the data sets that need something
are played through the engine without a host, and nothing is let go of. Raw turns are what
is remembered of the months; where the data say what a good reader learns, that is learnt too. Then
every policy judges what happened, night by night: with the product's defaults, and at equal
storage, where each keeps the same share of all there has been, what it would let go of last. What
is gone is gone. A verdict is what the marks say: useful is a memory that tells what the message
needs, in vain any other that was shown; of a message without marks there is none. What was shown
was chosen while all was kept: under a policy that lets go, others would have come up.

| option | default | |
|---|---|---|
| `--data` | | without it the months alone |
| `--shares` | `1/4,1/2,3/4` | of storage |
| `--policies` | all that are installed | names with commas between |

Sets: `months`; `months_x6`, the same with six times as much time between any two events, a month
being short for decay; `half_years`, the data's lives of less than a year; `years`, the longer ones.

Keys: `benchmark`, `embedder`, `seed`, `lives` (by set and life `memories`, `needs`,
`lines`), `problems` (what of the data was left out) and

- `policies`: by set, by storage (`own`, and each share) and policy {`n`, `value`, `low`, `high`} of
  `gone` (share of needs of which every memory that told it is gone), `more` (the same less that of
  the default), `stale` (share of the lines shown of what is kept that tell what has ended), `ended`
  and `noise` (shares of what is kept that tell it, and that nothing ever needs) and `kept` (of all
  there has been); the interval holds 95 of 100 resamples of nights. `published` is `tmd` with
  nothing that goes beyond the paper: facts that hold fade, what nothing else says lasts no longer
"""

from .launch import launch

if __name__ == "__main__":
    launch("lived.policies")
