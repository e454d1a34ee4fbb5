"""Memories in ChromaDB: records in one collection, vectors in one per scope and embedder."""

from .child import DATABASE
from .store import INSTALLATION_FILE, ChromaStore
