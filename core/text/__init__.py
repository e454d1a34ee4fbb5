"""Text as the index and the budget see it. Pure."""
