"""`python -m benchmarks.cold_start FOLDER SCOPE QUERY`: one cold start, timed from inside.

Prints JSON: `import_ms`, `open_ms`, `first_search_ms`, `opened_mb`, `searched_mb`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("waking")
