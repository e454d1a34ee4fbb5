"""`python -m benchmarks.ablation --data FOLDER --json`: the options of forgetting, one by one.

The stage `months` of `benchmarks.life` is played once for each variant, with the hashed embedder
and the rules, from the same data in the same order, with one option changed: plain TMD as
released, each option beyond the paper by itself, `tmd+`, and each option of `tmd+` by itself with
all its others at plain TMD's values. Of sleep there is decay and the bin alone.

Keys: `benchmark`, `patience`, `seed`, `seconds`, `problems`, `machine`; `variants`: by name
`asked`, `gone` (share of what is needed that no live memory holds), `recall@10`, `precision` (share
of served lines that hold what is needed), `silent`, `tokens`, `memories` (live ones of the scope
at the question, mean), `verdicts`, `seconds`, and `same`: whether all of it but the time is plain
TMD's, so that the option does nothing there.
"""

from .launch import launch

if __name__ == "__main__":
    launch("living.ablation_run")
