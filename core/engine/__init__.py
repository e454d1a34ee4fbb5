"""The engine: composes the rooms below, and owns their background work."""
