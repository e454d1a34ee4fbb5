"""The rig of the commands, whose actions are tested here without any words."""

from astrbot_plugin_tidemark.tests.commands.conftest import reranker, rig

__all__ = ["reranker", "rig"]
