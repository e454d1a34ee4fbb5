"""Memories in ChromaDB: records and vectors in collections of their own, one pair per scope."""

from .store import INSTALLATION_FILE, ChromaStore
