"""The figures of a set as tables in Markdown, each with its interval. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

FOUND = {
    "evidence@5": "evidence in 5",
    "evidence@10": "in 10",
    "in_200_tokens": "in 200 tokens",
    "in_400_tokens": "in 400",
    "in_1000_tokens": "in 1 000",
    "both_sides": "both sides",
    "current_first": "current first",
    "stale_unmarked": "outdated, unmarked",
    "gone": "gone",
    "learnt": "learnt",
    "another's@10": "control: another's",
    "shuffled@10": "control: shuffled",
}
"""Axes of what is found, by the head of their column."""

SHOWN = {
    "served_precision": "served precision",
    "silent_though_found": "silent though found",
    "silent_when_idle": "silent when idle",
    "abstention_auc": "told apart (AUC)",
    "tokens": "tokens",
}
"""Axes of what is shown."""

LESS = ("stale_unmarked", "gone", "silent_though_found")
"""Axes of which less is better."""

PARTED = " (apart)"
OURS = "tidemark"
"""With this the names of the product's variants begin."""

COSTS = {
    "processor_ms_p50": "ms a question",
    "processor_ms_p95": "of 95 in 100",
    "processor_ms_per_message": "ms a message",
    "model_calls": "model calls",
    "megabytes": "MB",
}

READING = """\
Every figure is followed by the interval that 95 of 100 resamples of its questions lie in; two
systems whose intervals overlap are not told apart by this set. *n* is how many questions an axis
rests on.

- *evidence in 5*, *in 10*: of what a question needs, how much is among the first of the ranking;
  *in 200 tokens*, *in 400*, *in 1 000*: in a block of so many, which is empty where a system holds
  that nothing is needed
- *both sides*: of two statements that contradict each other, both are shown
- *current first*, *outdated, unmarked*: after a change, the first line that tells of it is the
  present one; an outdated one is shown without a mark
- *gone*: of what a question needs, how much nothing that is remembered holds any more; less is
  better. *learnt*: of the facts that a good reader notes, those that something learnt rests on
- *control*: the same as in 10, with what another question needs, and with messages drawn by
  chance in the place of what is needed: what is found there is luck
- *served precision*: of all lines shown to questions that need something, those that hold it
- *silent though found*: nothing shown though the first ten hold it; less is better
- *silent when idle*: nothing shown to a turn that needs nothing. Systems that always show ten
  lines are never silent
- *told apart*: how often a question that needs something is held for more certain to need it than
  a turn that needs nothing; half is chance
- The product's variants hear with a cycle of decay of a year, so that what is asked for is still
  there; `tidemark-forgetting` forgets as it does by default
- *ms* are of the processor, which a busy machine does not stretch; those of a message hold hearing
  it, learning from it and the nights after it. Embedding is in them as far as no earlier run had
  kept the vectors"""


def tables(systems: Mapping[str, Any]) -> Iterator[str]:
    """What is found, what is shown, and what it costs, as far as anybody was asked for it."""
    for axes in (FOUND, SHOWN):
        told = {axis: head for axis, head in axes.items() if _asked(systems, axis)}
        if told:
            yield from _of_axes(systems, told)
            yield ""
    yield _row("system", COSTS.values())
    yield _row("---", ["---:"] * len(COSTS))
    for name, figures in systems.items():
        yield _row(name, [f"{figures['costs'][cost]:g}" for cost in COSTS])


def losses(sets: Mapping[str, Any]) -> Iterator[str]:
    """Where another system's figure is better than the product's, and whether the intervals part.

    Tokens and controls are no merit; the product is the first of its variants.
    """
    for name, systems in sets.items():
        ours = next((one for one in systems if one.startswith(OURS)), None)
        if ours is None:
            continue
        for axis, head in _merits().items():
            own = systems[ours]["axes"].get(axis)
            if own is not None and (better := list(_better(systems, axis, own))):
                yield f"- {name}, {head}: {', '.join(better)}; {ours} {short(own['value'])}"


def behind(sets: Mapping[str, Any]) -> Iterator[str]:
    """Of the product's other variants, in how many figures some other system is better."""
    variants = [name for systems in sets.values() for name in systems if name.startswith(OURS)]
    for variant in list(dict.fromkeys(variants))[1:]:
        found = [
            list(_better(systems, axis, systems[variant]["axes"][axis]))
            for systems in sets.values()
            if variant in systems
            for axis in _merits()
            if axis in systems[variant]["axes"]
        ]
        lost = [each for each in found if each]
        apart = sum(any(one.endswith(PARTED) for one in each) for each in lost)
        yield f"- {variant}: behind in {len(lost)} of {len(found)} figures, {apart} of them apart"


def _merits() -> dict[str, str]:
    """Axes on which systems are compared, with their heads."""
    merits = {axis: head for axis, head in (FOUND | SHOWN).items() if "@10" not in axis}
    del merits["tokens"]
    return {"evidence@10": "evidence in 10"} | merits


def _better(systems: Mapping[str, Any], axis: str, own: Mapping[str, Any]) -> Iterator[str]:
    for name, figures in systems.items():
        figure = figures["axes"].get(axis)
        if name.startswith(OURS) or figure is None:
            continue
        less = axis in LESS
        if figure["value"] < own["value"] if less else figure["value"] > own["value"]:
            parted = figure["high"] < own["low"] if less else figure["low"] > own["high"]
            yield f"{name} {short(figure['value'])}{PARTED if parted else ''}"


def short(value: float) -> str:
    """With three digits at most."""
    if value >= 10:
        return f"{value:.0f}"
    return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.2f}"


def _of_axes(systems: Mapping[str, Any], axes: Mapping[str, str]) -> Iterator[str]:
    yield _row("system", axes.values())
    yield _row("---", ["---:"] * len(axes))
    for name, figures in systems.items():
        yield _row(name, [_cell(figures["axes"].get(axis)) for axis in axes])
    yield _row("*n*", [_count(systems, axis) for axis in axes])


def _asked(systems: Mapping[str, Any], axis: str) -> bool:
    return any(axis in one["axes"] for one in systems.values())


def _count(systems: Mapping[str, Any], axis: str) -> str:
    counts = sorted({one["axes"][axis]["n"] for one in systems.values() if axis in one["axes"]})
    return " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))


def _cell(figure: Mapping[str, Any] | None) -> str:
    if figure is None:
        return ""
    return f"{short(figure['value'])} ({short(figure['low'])} to {short(figure['high'])})"


def _row(first: str, rest: Sequence[str] | Iterator[str] | Any) -> str:
    return f"| {' | '.join([first, *rest])} |"
