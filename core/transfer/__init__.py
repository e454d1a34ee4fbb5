"""Exports, imports, backups and moves from one store to another."""
