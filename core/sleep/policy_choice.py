"""The policies that the settings ask for, or TMD where one of them cannot be had."""

from collections.abc import Callable

from ..forgetting.fsrs import FsrsMissing
from ..forgetting.policies import Policies
from ..forgetting.tiered import Tiered
from ..forgetting.tmd import Tmd
from ..settings import ForgettingSettings


def chosen(
    settings: ForgettingSettings, tmd: Tmd, failed: Callable[[str, BaseException], object]
) -> Policies:
    """As asked for; if a package is missing, `failed` is told what to install and TMD decides."""
    try:
        return settings.policies(tmd)
    except FsrsMissing as error:
        failed("forgetting", error)
        return Policies(Tiered(tmd))
