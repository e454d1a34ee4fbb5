"""Forgetting policies: which memories fade and which stay. Pure."""
