"""Questions answered by a model with what a memory system brings up, and judged by another."""
