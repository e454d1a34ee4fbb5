"""Months written by hand, played through a real host, and what a reader would object to."""
