"""How similar texts and memories are, and how the scores of one embedder are calibrated. Pure."""
