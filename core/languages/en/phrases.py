"""English phrases as patterns. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern


def phrases(pattern: str) -> re.Pattern[str]:
    """A pattern in which a space is any blanks and letters are of either size; " ?" may be none."""
    return lazy_pattern(pattern.replace(" ?", r"\s*").replace(" ", r"\s+"), re.I)
