"""`python -m benchmarks.published_embedders --data FOLDER --json`: is a strong embedder made worse?

The folder holds MADial-Bench and `published_ranks.json`: the first 20 memories of each dialogue as
published embedders rank them. Their vectors are nowhere, so a stand-in makes vectors that rank as
they did: what is relevant at each rank is what the local embedder has there on average, the rest
of the memories follows by chance, and right ones are no nearer than wrong ones at their rank. Every
dialogue is asked through the engine, once as if the embedder had found everything in the sample it
is calibrated on and once as if it had missed some.

Keys: `embedders`, by name {`own`, `strong`, `dense`}, each {`recall@5`, `recall@10`}, the last two
also `silent`: its own ranking, and the final one with less weight on words and with the usual
weight. `least`: the smallest difference between the final figures and its own, by class;
`dialogues`, `seed`, `problems`, `machine`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("published_embedders_run")
