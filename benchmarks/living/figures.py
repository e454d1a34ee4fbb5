"""Figures of what was asked. Pure: they are made of records alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rankings import mean

type Record = Mapping[str, Any]
type Figures = dict[str, Any]
type Scores = NDArray[np.floating[Any]]

ABOUT_A_LIFE = ("unanswerable", "other_life", "other_person")


def summed_up(records: Sequence[Record]) -> Figures:
    """What was asked, and what changed."""
    return {
        "months": _asked(records) | {"gone_by_days": _gone_by_days(records)},
        "changes": _by_change([one for one in records if one["what"] == "change"]),
    }


def _gone_by_days(records: Sequence[Record]) -> Figures:
    """The share that is forgotten, by the whole days since it was said."""
    asked = [{**one, "days": int(one["days"])} for one in records if one["what"] == "need"]
    return _grouped(
        asked, "days", lambda some: {"n": len(some), "gone": mean(o["gone"] for o in some)}
    )


def auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """How often a random positive scores above a random negative; ties count half."""
    if not positive or not negative:
        return None
    return round(above(positive, negative), 4)


def above(positive: Sequence[float] | Scores, negative: Sequence[float] | Scores) -> float:
    """The same, unrounded; there is one of either at least."""
    ordered = np.sort(negative)
    below, up_to = (np.searchsorted(ordered, positive, side) for side in ("left", "right"))
    return float((below + up_to).sum() / (2 * len(positive) * len(negative)))


def _asked(records: Sequence[Record]) -> Figures:
    needs = [one for one in records if one["what"] == "need"]
    idle = [one for one in records if one["what"] == "idle"]
    return {
        "asked": len(needs) + len(idle),
        "memories": mean(one["live_memories"] for one in records),
        "needs": _needs(needs),
        "by_source": _grouped(needs, "source", _needs),
        "silent_when_nothing_is_needed": _grouped(idle, "kind", _idle),
        "by_hand": {
            hand: _grouped([one for one in idle if one["hand"] == hand], "kind", _idle)
            for hand in sorted({one["hand"] for one in idle if one["hand"]})
        },
        "auc": _unanswerable(needs, idle),
    }


def _needs(records: Sequence[Record]) -> Figures:
    """Recall is over all that is needed; `*_kept` over what is not forgotten of it."""
    kept = [one for one in records if one["gone"] == 0]
    reached = [one for one in kept if one["in_reach"]]
    shown = [one for one in records if one["lines"]]
    lines = sum(one["lines"] for one in records)
    right = sum(one["right_lines"] for one in records)
    return {
        "n": len(records),
        "gone": mean(one["gone"] for one in records),
        "recall@5": mean(one["recall@5"] for one in records),
        "recall@10": mean(one["recall@10"] for one in records),
        "n_kept": len(kept),
        "recall@5_kept": mean(one["recall@5"] for one in kept),
        "recall@10_kept": mean(one["recall@10"] for one in kept),
        "served_recall_kept": mean(one["served"] for one in kept),
        "served_precision": round(right / lines, 4) if lines else None,
        "lines": mean(one["lines"] for one in shown),
        "tokens": mean(one["tokens"] for one in shown),
        "silent": mean(not one["lines"] for one in records),
        "silent_in_reach": mean(not one["lines"] for one in reached),
        "hidden": mean(one["hidden"] for one in records),
    }


def _idle(records: Sequence[Record]) -> Figures:
    return {
        "n": len(records),
        "silent": mean(one["silent"] for one in records),
        "tokens": mean(one["tokens"] for one in records),
    }


def _unanswerable(needs: Sequence[Record], idle: Sequence[Record]) -> Figures:
    """Turns that need what is in reach against those about a life that cannot answer.

    Only those in the life's own language: in another one hardly anything scores.
    """
    own = [one for one in idle if one["spoken"] == one["language"]]
    answerable = [one["confidence"] for one in needs if one["in_reach"]]
    return {
        kind: auc(answerable, [one["confidence"] for one in own if one["kind"] == kind])
        for kind in ABOUT_A_LIFE
    }


def _by_change(records: Sequence[Record]) -> Figures:
    now = [one for one in records if not one["past"]]
    past = [one for one in records if one["past"]]
    return {
        "now": _change(now),
        "by_form": {
            f"{hand}-{language}-{'listed' if listed else 'unlisted'}": _change(some)
            for hand, language, listed in sorted(
                {(one["hand"], one["language"], one["listed"]) for one in now}
            )
            if (
                some := [
                    one
                    for one in now
                    if (one["hand"], one["language"], one["listed"]) == (hand, language, listed)
                ]
            )
        },
        "past": {"n": len(past), "shown": mean(one["current_shown"] for one in past)},
    }


def _change(records: Sequence[Record]) -> Figures:
    names = ("current_shown", "current_first", "stale_shown", "stale_unmarked", "stale_first")
    return {"n": len(records)} | {name: mean(one[name] for one in records) for name in names}


def _grouped(
    records: Iterable[Record], key: str, figures: Callable[[Sequence[Record]], Figures]
) -> Figures:
    groups: dict[str, list[Record]] = {}
    for one in records:
        groups.setdefault(str(one[key]), []).append(one)
    return {name: figures(groups[name]) for name in sorted(groups)}
