"""From turns to memories: evidence at once, distilled memories when an episode closes."""
