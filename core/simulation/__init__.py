"""Simulations that people ask for: parsed, costed, run off the event loop."""
