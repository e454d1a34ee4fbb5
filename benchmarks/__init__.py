"""Benchmarks: commands that print what was measured as JSON, machine facts and spread included."""
