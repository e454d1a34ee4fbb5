"""`python -m benchmarks.forgetting_compare [--json]`: every policy in workloads with ground truth.

In such a workload each memory has a latent use and a rhythm in which it is needed (daily, weekly,
seasonal, yearly, once, never); only a share of recalls is judged, some wrongly. The profiles of
memories are in benchmarks/workloads/item_profiles.py: plausible, not measured.

| option | default | |
|---|---|---|
| `--days`, `--per-day` | `800`, `10` | length of a workload, new memories a day |
| `--seeds` | `1,2,3` | workloads; figures are means over them |
| `--shares` | `1/6,1/2,1` | of recalls that are judged, one table each |
| `--policies` | all that are installed | names with commas between |

Columns and JSON keys per policy, all 0..1: `hit_rate` (needs that found their memory in ordinary
recall), `yearly` and `identity` (the same of yearly needs and of identity facts), `precious`
(yearly ones that are identity or marked important), `noise_dropped` and `storage` (share of
all memories kept). At equal storage, and on lives: `benchmarks.forgetting_lives`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("forgetting_evaluation")
