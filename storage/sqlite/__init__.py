"""Memories in one SQLite file: records, text index and vectors."""

from .store import FILE, SqliteStore
