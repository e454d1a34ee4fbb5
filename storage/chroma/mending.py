"""Sets unreadable records aside and forgets lost vectors. Blocks; on the writer's thread."""

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from ...core.model.errors import UnreadableRecord
from . import mapping, reading
from .mapping import EMBEDDER, Metadata
from .namespace import Label, Namespace
from .text import Indexes


@dataclass(frozen=True, slots=True)
class Mender:
    """Of one installation. `recount` has what is known of its backlog of vectors counted anew."""

    namespace: Namespace
    indexes: Indexes
    recount: Callable[[], None]

    def set_aside(self, doubts: Mapping[str, str], lost: Collection[Label]) -> None:
        """Mark unreadable records, given with their scopes, and forget lost vectors."""
        forget_lost(self.namespace, lost)
        by_scope: defaultdict[str, dict[str, Metadata]] = defaultdict(dict)
        for id, (place, metadata) in reading.records(self.namespace, doubts).items():
            try:
                mapping.decoded(id, place, metadata)
            except UnreadableRecord:
                mark = {mapping.STATE: place.set_aside, mapping.SINCE: place.tag}
                by_scope[place.scope][id] = mark
        for scope, marks in by_scope.items():
            self.namespace.records_for(scope).update(marks)
        self.indexes.drop(by_scope)
        self.recount()

    def look_again(self) -> set[Label]:
        """After a collection was found to be gone: what is gone since. Raises StorageError."""
        gone = self.namespace.load_again()
        self.indexes.drop({label.scope for label in gone})
        self.recount()
        return gone


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
