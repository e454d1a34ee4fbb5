"""Finding what matters for a turn and putting it in front of the model."""
