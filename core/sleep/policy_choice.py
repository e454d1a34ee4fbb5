"""The policy that the settings ask for, or TMD where it cannot be had."""

from collections.abc import Callable

from ..forgetting.fsrs import FsrsMissing
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.tiered import Tiered
from ..forgetting.tmd import Tmd
from ..settings import ForgettingSettings


def chosen(
    settings: ForgettingSettings, tmd: Tmd, failed: Callable[[str, BaseException], object]
) -> ForgettingPolicy:
    """As asked for; if a package is missing, `failed` is told what to install and TMD decides."""
    try:
        return settings.in_force(tmd)
    except FsrsMissing as error:
        failed("forgetting", error)
        return Tiered(tmd)
