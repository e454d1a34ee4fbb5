"""Levels that decide, each with the scale it is read on. Values.

Three scales, all 0..1, none of which a raw cosine is on: *relevance* of a memory to a turn
(`calibration.Frame`), *similarity* of two memories (`calibration.Likeness`), and *confidence* of a
judgement about two memories (`conflict.verdict`). The first two mean the same under any embedder.
"""

PROSPECTIVE_FLOOR = 0.35
"""Relevance below which an intention is not brought up."""

ABOUT_THE_SAME = 0.4
"""Similarity from which two memories are about the same thing, and may be in conflict."""

SAME = 0.9
"""Similarity from which two memories say the same, and may be merged."""

CONFLICT = 0.55
"""Confidence from which a judgement about two memories counts."""
