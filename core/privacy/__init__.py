"""Who may see what, and what has to be deleted: access, consent, erasure, retention, purge."""
