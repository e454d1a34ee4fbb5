"""Finding the memories that matter for a turn, and writing them into the prompt."""
