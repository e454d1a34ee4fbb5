"""Sharing a budget of characters among texts: only the longest are shortened. Pure."""

from collections.abc import Sequence


def level(lengths: Sequence[int], budget: int, floor: int) -> int:
    """The largest cap under which the capped lengths sum to at most `budget`.

    Never below `floor`, so many texts may exceed the budget by at most `floor` each.
    """
    left = budget
    ordered = sorted(lengths)
    for index, length in enumerate(ordered):
        share = left // (len(ordered) - index)
        if length > share:
            return max(floor, share)
        left -= length
    return max(floor, *ordered[-1:], floor)


def caps(lengths: Sequence[int], first: Sequence[bool], budget: int, floor: int) -> tuple[int, int]:
    """Caps for texts marked in `first`, which give way, and for the others, which give way last.

    The others are shortened only when those in `first` are all down to `floor` characters.
    """
    yielding = [length for length, marked in zip(lengths, first, strict=True) if marked]
    kept = [length for length, marked in zip(lengths, first, strict=True) if not marked]
    low = level(yielding, budget - sum(kept), floor)
    spent = sum(min(length, low) for length in yielding)
    return low, level(kept, budget - spent, floor)
