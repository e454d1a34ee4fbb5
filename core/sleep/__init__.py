"""Upkeep while nobody speaks: the sleep of a scope and its steps, the sweep of policies."""
