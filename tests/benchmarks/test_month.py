"""Written months: every fault of a file is named, and a reader's objections are found."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.benchmarks.datasets.reading import NoData
from astrbot_plugin_tidemark.benchmarks.forgetting_lives import parser, report
from astrbot_plugin_tidemark.benchmarks.lived.events import month_events
from astrbot_plugin_tidemark.benchmarks.lived.forgetting import lived
from astrbot_plugin_tidemark.benchmarks.lived.judging import judged, learnt
from astrbot_plugin_tidemark.benchmarks.lived.life import lives, read
from astrbot_plugin_tidemark.core.forgetting.caches import Lru
from astrbot_plugin_tidemark.core.forgetting.retention_value import CurvePolicy

from .conftest import documented, keys

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


async def test_every_policy_judges_what_happened_in_a_life_at_the_same_storage(
    tmp_path: Path,
) -> None:
    days = "".join(f"\n# day {n}" for n in range(2, 10))
    later = f"{TINY}{days}\n08:00 Dale: what cant alfie eat\n? f2\n08:01 Dale: tea?\n0"
    told = await month_events(read("dale", later), None, tmp_path)
    rows = [need.rows for need in told.needed], [(one.row, one.useful) for one in told.shown]
    assert rows == ([(1,), (2,), (1,)], [(1, True)])
    ended = np.flatnonzero(np.isfinite(told.stale_from)).tolist()
    assert (ended, np.flatnonzero(~told.noise).tolist()) == ([0], [1, 2])
    last = [lived(told, CurvePolicy(Lru()), Fraction(1, n))[-1] for n in (6, 1)]
    assert [(night["kept"], night["gone"]) for night in last] == [(1, 1), (6, 0)]
    sets = {"months": [told, told.stretched(6)]}
    figures = report(sets, parser().parse_args(["--shares", "1/3", "--policies", "tmd,lru"]))
    spread = {"n", "value", "low", "high", "1/3", "tmd", "lru", "dale"}
    assert keys(figures) - spread <= documented("forgetting_lives")
    of = figures["policies"]["months"]
    assert len({each["kept"]["value"] for each in of["1/3"].values()}) == 1
    assert of["own"]["published"]["gone"]["value"] > of["own"]["tmd"]["gone"]["value"] == 0
