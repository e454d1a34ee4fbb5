"""Memories and the journal on the move: exports, imports, backups, and from store to store."""
