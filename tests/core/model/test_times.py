"""Times as people read them, in the zone they live in."""

from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.model.times import local_date, local_time, utc_day, zone

NEW_YEAR = 1_767_225_600.0  # 2026-01-01T00:00Z
SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")


def test_the_same_moment_is_another_day_elsewhere_but_a_budgets_day_is_utc() -> None:
    assert local_date(NEW_YEAR, SHANGHAI) == "2026-01-01"
    assert local_date(NEW_YEAR, NEW_YORK) == "2025-12-31"
    assert local_time(NEW_YEAR, SHANGHAI) == "2026-01-01 08:00"
    assert utc_day(NEW_YEAR) == "2026-01-01"
    assert utc_day(NEW_YEAR - 0.001) == "2025-12-31"
    assert str(zone("Asia/Shanghai")) == str(SHANGHAI)


@pytest.mark.parametrize("at", [-1e18, 0.0, 1e18, float("inf"), float("-inf")])
def test_every_time_can_be_shown(at: float) -> None:
    for where in (SHANGHAI, NEW_YORK, None):
        assert local_date(at, where)[:2] in ("19", "99")
        assert len(local_time(at, where)) == len("2026-01-01 00:00")


@pytest.mark.parametrize("name", ["", "Mars/Base", "../x", "America", "/etc", "a\0b", "\ud800"])
def test_a_zone_that_is_none_means_the_machine_s_own(name: str) -> None:
    assert zone(name) is None
