"""`python -m benchmarks.causes --json`: asked why, is the reason told?

For each language one person tells of sixty things they did, one a day, each with its reason some
minutes later; a week after the last, every question is asked. Learning is by recorded replies:
each message is a memory, and the reason is named by number, or, for comparison in the same run, is
not. Nothing fades (a cycle of a year).

Keys: `benchmark`, `embedder`; `named` and `not_named` (the bot asks what happened), `worded` (it
does not, each reason begins with "because", and none is named) and `bare` (nothing says so), each
over all and by `language`, `half` (odd and even ids; the odd ones were looked at) and `depth` (2:
the reason has a reason). For each `n` and shares of `cause_in_five` (the reason among the first
five memories of the block), `root_in_five` (of those with one), `effect_in_five` and `silent`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("living.causes_run")
