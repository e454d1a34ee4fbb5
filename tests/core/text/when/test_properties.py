"""Whatever is said whenever and wherever: no error, whole stretches, and their order."""

import math
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.languages.times import times_in
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning
from hypothesis import given
from hypothesis import strategies as st

ZONES = (UTC, None, ZoneInfo("Asia/Shanghai"), ZoneInfo("America/New_York"), timezone.max)
FRAGMENTS = (
    "昨 今 明 前 后 天 日 年 月 周 星期 上 下 这 个 一 二 三 十 百 万 几 半 季度 "
    "国庆 春节 农历 初 底 末 到 过去 最近 30号 2月 9999年 0001年 点 下午 "
    "last next this May 31st 2024 in of 99999999 years "
    "days ago Friday the end month Christmas at 3pm to Q4 few every - : / 😀 ９"
).split()
moments = st.floats(-62_135_596_800, 253_402_300_799)
words = st.lists(st.sampled_from(FRAGMENTS), max_size=14)
sayings = words.map("".join) | words.map(" ".join) | st.text(max_size=60)
zones = st.sampled_from(ZONES)
leanings = st.sampled_from(Leaning)


@given(sayings, moments, zones, leanings)
def test_any_text_is_read(text: str, at: float, zone: timezone | None, leaning: Leaning) -> None:
    told = times_in(text, at, zone, leaning=leaning)
    places = [(each.start, each.end) for each in told]
    assert places == sorted(places)
    assert all(0 <= each.start < each.end <= len(text) for each in told)
    assert all(each.interval.start < each.interval.end for each in told)


@given(st.text(max_size=100), moments)
def test_the_same_is_read_twice(text: str, at: float) -> None:
    assert times_in(text, at, UTC) == times_in(text, at, UTC)


@pytest.mark.parametrize("at", [math.nan, math.inf, -math.inf, 1e300, -1e300, 1e18])
def test_at_no_time_at_all_nothing_is_told(at: float) -> None:
    assert times_in("昨天", at, UTC) == ()


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize("text", ["去年", "明年", "昨天", "上周", "下个月", "明天", "in two weeks"])
def test_at_the_edges_of_the_calendar_nothing_breaks(year: int, text: str) -> None:
    edges = (datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, 23, 59, tzinfo=UTC))
    for at in edges:
        for zone in ZONES:
            assert len(times_in(text, at.timestamp(), zone)) <= 1


@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), st.integers(1, 400))
def test_counting_days_back_and_forth_agrees(now: datetime, count: int) -> None:
    at = now.replace(tzinfo=UTC).timestamp()
    for text, way in ((f"{count}天前", -1), (f"{count} days ago", -1), (f"{count}天后", 1)):
        (told,) = times_in(text, at, UTC)
        day = (now + timedelta(days=way * count)).date()
        assert datetime.fromtimestamp(told.interval.start, UTC).date() == day
        assert datetime.fromtimestamp(told.interval.end, UTC).date() == day


@given(
    st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1)),
    st.sampled_from(["周三", "十二月", "中秋", "周末", "on Monday", "in June", "at Easter"]),
)
def test_the_past_one_has_begun_and_the_coming_one_is_not_over(now: datetime, text: str) -> None:
    at = now.replace(tzinfo=UTC).timestamp()
    (past,) = times_in(text, at, UTC)
    (coming,) = times_in(text, at, UTC, leaning=Leaning.FUTURE)
    assert past.interval.start <= at <= coming.interval.end
    assert past.interval.start <= coming.interval.start


@given(st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1)))
def test_weeks_touch_without_a_gap(now: datetime) -> None:
    at = now.replace(tzinfo=UTC).timestamp()
    weeks = [times_in(text, at, UTC)[0].interval for text in ("上周", "本周", "下周")]
    for earlier, later in pairwise(weeks):
        assert later.start - earlier.end == pytest.approx(0.0, abs=1e-5)
    assert weeks[1].start <= at <= weeks[1].end


def test_a_day_is_that_of_the_zone_and_as_long_as_it_is_when_clocks_change() -> None:
    at = datetime(2026, 8, 12, 20, 0, tzinfo=UTC).timestamp()
    (told,) = times_in("今天", at, ZoneInfo("Asia/Shanghai"))
    assert datetime.fromtimestamp(told.interval.start, UTC) == datetime(2026, 8, 12, 16, tzinfo=UTC)
    at = datetime(2026, 3, 9, 16, 0, tzinfo=UTC).timestamp()
    (told,) = times_in("yesterday", at, ZoneInfo("America/New_York"))
    assert round((told.interval.end - told.interval.start) / 3600, 3) == 23.0


def test_an_endless_text_is_read_to_a_point() -> None:
    assert len(times_in("昨天、" * 5_000, 0.0, UTC)) <= 16
    assert times_in("啊" * 10_000 + "昨天", 0.0, UTC) == ()
