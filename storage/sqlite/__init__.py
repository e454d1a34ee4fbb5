"""Memories in one SQLite file: records, text index and vectors."""

from .store import SqliteStore

__all__ = ["SqliteStore"]
