"""`python -m benchmarks.simulate [--json]`: what becomes of memories under a forgetting policy.

    python -m benchmarks.simulate --days 365 --calls 500 --top-k 10 --useful-prob 0.05 \\
        --consolidate-speed 2.5 --policy tmd --seed 7 [--profiles FILE] [--grid] [--json]

Each call makes a memory and recalls `--top-k`. `--calls 400-600` draws the calls of each day.
`--set NAME=VALUE` sets any other parameter of TMD. `--profiles` reads other profiles than the six
published ones; benchmarks/profiles.yaml is how such a file looks. Lives of days, shares 0..1.

JSON: `created`, `forgotten`, `deletion_ratio`, `survivors`, `tier0`, `tier1`, `tier2`,
`mean_lifetime_days`, `p90_lifetime_days`, `monthly_survivors` (at the end of every thirtieth day),
and `profiles` with the same of each. With `--grid`: a list of such objects, each with its
`initial_strength` and `useful_boost`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("simulation")
