"""The engine: composes the packages below it and owns their background work."""
