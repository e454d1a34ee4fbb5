"""Memories in ChromaDB: records and vectors in collections of their own, one pair per scope."""

from .child import DATABASE
from .opening import INSTALLATION_FILE
from .store import ChromaStore
