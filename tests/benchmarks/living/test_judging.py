"""What one recall did against what its turn needed, on values made by hand."""

from random import Random

from astrbot_plugin_tidemark.benchmarks.living.judging import Seen, judged_change, judged_need
from astrbot_plugin_tidemark.benchmarks.living.script import Asked, Need, Part
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Recalled, Trace

from ...samples import memory

ANN = Speaker("ann", "Ann")


def need(*parts: Part, source: str = "locomo", answer: str = "") -> Need:
    return Need("n", source, "c", "?", ANN, parts, answer=answer)


def seen(*shown: tuple[Memory, str, Drop | None]) -> Seen:
    """Memories with the label they rest on, in their order, and why one is not shown."""
    candidates = tuple(
        Fused(each.id, (), 1.0 - rank / 100, drop=drop, number=None if drop else rank + 1)
        for rank, (each, _, drop) in enumerate(shown)
    )
    served = tuple(each for each, _, drop in shown if drop is None)
    trace = Trace("?", (), (), candidates, tokens=50)
    return Seen(
        Recalled(served, "", trace),
        {each.id: each for each, _, _ in shown},
        {each.id: frozenset({label}) for each, label, _ in shown},
    )


def said(text: str, name: str) -> Memory:
    return memory(text, id=name)


PARROT, CAT = said("a parrot", "m1"), said("a ginger cat, three years old", "m2")
PET = need(Part(frozenset({"t1"})), Part(frozenset({"t2"})))


def test_what_is_shown_is_counted_and_so_is_what_was_left_out() -> None:
    figures = judged_need(
        PET, seen((PARROT, "t1", None), (CAT, "t2", Drop.IRRELEVANT)), frozenset(), Random(1)
    )
    assert (figures["recall@5"], figures["served"]) == (1.0, 0.5)
    assert (figures["lines"], figures["right_lines"], figures["in_reach"]) == (1, 1, True)


def test_a_line_about_something_else_is_wrong_one_with_both_values_right() -> None:
    figures = judged_need(PET, seen((PARROT, "t9", None)), frozenset({"0"}), Random(1))
    assert (figures["lines"], figures["right_lines"], figures["gone"]) == (1, 0, 0.5)
    figures = judged_change(MOVED, block(("住在杭州（此前：成都）", "2024-05-01")))
    assert (figures["stale_shown"], figures["current_first"]) == (False, True)


MOVED = Asked("c", "a", "zh", True, "我住哪", False, ("杭州",), ("成都",))


def block(*lines: tuple[str, str]) -> Recalled:
    """A block of lines, each beside its memory's own words."""
    memories = [said(text, f"m{number}") for number, (text, _) in enumerate(lines)]
    candidates = tuple(Fused(m.id, (), 1.0, number=n) for n, m in enumerate(memories, start=1))
    shown = [f"[{n}] ({beside}) {text}" for n, (text, beside) in enumerate(lines, start=1)]
    return Recalled(tuple(memories), "\n".join(shown), Trace("?", (), (), candidates))


def test_a_stale_line_is_seen_first_and_unmarked() -> None:
    figures = judged_change(MOVED, block(("我住成都", "2024-01-01"), ("搬到杭州", "2024-05-01")))
    assert figures == {
        "current_shown": True,
        "stale_shown": True,
        "stale_unmarked": True,
        "current_first": False,
        "stale_first": True,
    }
