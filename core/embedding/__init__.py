"""Embedders behind one protocol: local weights, an OpenAI-compatible endpoint, hashed n-grams."""
