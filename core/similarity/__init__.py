"""How alike texts and memories are, and what the figures of one embedder mean. Pure."""
