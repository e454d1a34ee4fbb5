"""The policies that the settings ask for, or TMD where one of them cannot be had."""

from collections.abc import Callable

from ..settings import ForgettingSettings
from .fsrs import FsrsMissing
from .policies import Policies
from .tiered import Tiered
from .tmd import Tmd


def chosen(
    settings: ForgettingSettings, tmd: Tmd, failed: Callable[[str, BaseException], object]
) -> Policies:
    """As asked for; if a package is missing, `failed` is told what to install and TMD decides."""
    try:
        return settings.policies(tmd)
    except FsrsMissing as error:
        failed("forgetting", error)
        return Policies(Tiered(tmd))
