"""Memories in ChromaDB: records and vectors in collections of their own, one pair per scope."""

from .server import ChromaServer
from .store import ChromaStore

__all__ = ["ChromaServer", "ChromaStore"]
