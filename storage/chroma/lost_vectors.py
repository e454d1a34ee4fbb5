"""Vectors that Chroma has lost: a power failure took files of its folder that it had not synced.

They are derived. What they were made from is in the records, in the database that Chroma syncs.
"""

import logging
from collections.abc import Iterable

from .mapping import EMBEDDER
from .namespace import Label, Namespace

logger = logging.getLogger(__name__)


def forget_lost(namespace: Namespace, lost: Iterable[Label]) -> None:
    """Have the vectors made again: the records first, so that a kill in between is noticed."""
    for label in lost:
        records, name = namespace.records(label.scope), namespace.name(label)
        if records is not None and namespace.vectors_lost(label):
            bare = {id: {EMBEDDER: ""} for id in records.ids({EMBEDDER: name})}
            records.update(bare)
            namespace.drop_lost(label)
            logger.warning("Chroma has lost %d vectors, which are made again", len(bare))
