"""Unix seconds to what a person reads. The only place where a time zone matters. Pure."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_LATEST = 253_402_300_799.0 - 86_400


def utc_day(at: float) -> str:
    """ISO date of the UTC day."""
    return moment(at, UTC).date().isoformat()


def zone(name: str) -> tzinfo | None:
    """The named IANA zone; None (the machine's own) for "" or an unknown name."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def local_date(at: float, where: tzinfo | None) -> str:
    """ISO date in the zone; the year 9999 at the latest."""
    return moment(at, where).date().isoformat()


def local_time(at: float, where: tzinfo | None) -> str:
    """Date and minute in the zone."""
    return moment(at, where).strftime("%Y-%m-%d %H:%M")


def day_of(at: float, where: tzinfo | None) -> tuple[float, float]:
    """First and last moment of the day in the zone."""
    day = moment(at, where)
    first = day.replace(hour=0, minute=0, second=0, microsecond=0)
    last = day.replace(hour=23, minute=59, second=59, microsecond=999_999)
    return first.timestamp(), last.timestamp()


def moment(at: float, where: tzinfo | None) -> datetime:
    """The time in the zone; from 1970, and to the year 9999 at the latest."""
    bounded = min(max(at, 0.0), _LATEST)
    return datetime.fromtimestamp(bounded, UTC).astimezone(where)
