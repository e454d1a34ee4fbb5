"""What depends on a language: one folder each, and what reads a text in all of them. Pure."""
