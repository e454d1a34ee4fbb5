"""Who may see what, and what must be gone: access, consent, erasure, retention, purge."""
