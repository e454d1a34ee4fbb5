"""Sets unreadable records aside and forgets lost vectors. Blocks; on the writer's thread."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from ...core.model.errors import UnreadableRecord
from . import mapping, reading
from .lost_vectors import forget_lost
from .mapping import Metadata
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
