"""Simulations as people ask for them: read, weighed, run off the event loop."""
