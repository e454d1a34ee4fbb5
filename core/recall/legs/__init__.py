"""The legs of a recall: each one way to find memories, all of them in the question's scopes."""
