"""Written months: every fault of a file is named, and a reader's objections are found."""

import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.reading import NoData
from astrbot_plugin_tidemark.benchmarks.lived.judging import judged, learnt
from astrbot_plugin_tidemark.benchmarks.lived.life import lives, read

TINY = (
    "at 2025-09-01 Europe/London\n~ Alfie: son\n# day 1\n08:00 Dale: i drive for swiftline\n"
    "+ f1 Dale: driv.*swiftline\n08:00 Dale: alfies allergic to peanuts\n+ f2 Alfie: aller.*peanut"
    "\n08:01 Dale: i drive for braddock now\n+ f3 Dale: driv.*braddock\n= f1 f3\nx horse\n"
    "08:02 Dale: what do i pack for him\n? f2 f3\n! no nuts\n08:02 bot: Ham.\n09:00 Dale: lol\n0"
)
LEARNT = ("Swiftline", "Braddock", "a horse", "peanuts, is allergic to peanuts", "tea")


def test_every_fault_of_a_life_is_named_by_its_line_and_the_written_ones_have_none() -> None:
    broken = TINY.replace("x horse", "= f9\n+ f3 Dale: (").replace("# day 1", "# day 2")
    with pytest.raises(NoData) as refused:
        read("dale", f"{broken}\nnonsense\n07:00 Dale: back")
    lines = [int(fault.split(":")[1]) for fault in str(refused.value).split("\n")]
    assert lines == [3, 11, 12, 12, 19, 20]
    assert [life.name for life in lives([]) if life.group] == ["zh_group"]


def test_what_was_learnt_and_shown_is_held_against_what_was_told() -> None:
    life = read("dale", TINY)
    asked, idle = life.said[3:]
    told = [f"Dale drives {one}" for one in LEARNT]
    memories = [{"text": t, "about": [], "at": idle.at, "live": True, "holds": True} for t in told]
    found = learnt(life, {"day": 1, "memories": memories})
    assert dict(found.kinds) == dict.fromkeys(("stale", "right", "forgotten", "wrong", "other"), 1)
    lines = [*told, "Dale eats no nuts", "Swiftline he drives (until 2025-09-01, no longer so)"]
    shown = judged(life, asked, ["\n".join(f"[{n}] {line}" for n, line in enumerate(lines))])
    assert (found.facts, shown.found, shown.missing) == ({"f1", "f3"}, {"f2", "f3"}, ())
    kinds = ["stale", "before_its_successor", "forgotten", "another's", "wrong"]
    assert [kind for kind, _ in shown.objections] == kinds
    assert judged(life, asked, []).weight > judged(life, idle, ["- a\n" * 40]).weight > 0
