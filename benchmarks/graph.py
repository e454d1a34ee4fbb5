"""`python -m benchmarks.graph --json`: what the graph of a recall costs.

Keys. A spread is {n, p5, p50, p95, p99, max} in milliseconds.

- `benchmark`, `seed`, `machine` (see `benchmarks.machine`)
- `pagerank[]`: `nodes`, `edges` (four a node), and the spread `ms` of one personalised PageRank
  from three seeds
- `closeness_ms`: how near 60 candidates are to two entities, over what they share
- `candidates_ms`: names looked for in a question of 2 000 characters
- `targets`: by name {`limit`, `measured`, `met`}
"""

from .launch import launch

if __name__ == "__main__":
    launch("graph_speed")
