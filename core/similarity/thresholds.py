"""Levels that decide, each with the scale it is read on. Values.

Two scales, both 0..1, on neither of which a raw cosine is: *relevance* of a memory to a turn
(`calibration.Frame`) and *similarity* of two memories (`measure.SimilarityScale`). Both mean the
same under any embedder.
"""

PROSPECTIVE_FLOOR = 0.35
"""Relevance below which an intention is not brought up."""

ABOUT_THE_SAME = 0.4
"""Similarity from which two memories are about the same thing, and may be in conflict."""

SAME = 0.9
"""Similarity from which two memories say the same, and may be merged."""
