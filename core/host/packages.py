"""Python packages that are wanted later, brought by the host's own installer."""

from collections.abc import Sequence


async def install_packages(requirements: Sequence[str]) -> None:
    """Install what is missing; the host keeps its mirror and its own packages' versions.

    Raises what its installer raises.
    """
    # Plugins are loaded before it is needed, and it brings pip with it.
    from astrbot.core import pip_installer

    await pip_installer.install("\n".join(requirements))
