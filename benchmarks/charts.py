"""`python -m benchmarks.charts [--folder docs]`: the pictures of forgetting in the documentation.

Writes `forgetting-tiers.png` (living memories by tier over a year), `forgetting-survival.png`
(share of each profile still alive by age) and `forgetting-frontier.png` (hit rate over storage, a
curve per policy, in a world of benchmarks.forgetting_compare). Needs matplotlib.
"""

from .launch import launch

if __name__ == "__main__":
    launch("chart_drawing")
