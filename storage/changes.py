"""How often the memories of each scope were changed, by what a sleep looks at."""

from collections import Counter
from collections.abc import Hashable, Iterable
from secrets import token_hex


class Changes[Key: Hashable]:
    """Counted from the opening of a store on: after a restart no count is what it was."""

    def __init__(self) -> None:
        self._opened = token_hex(4)
        self._counts = Counter[Key]()

    def note(self, scopes: Iterable[Key]) -> None:
        """Something in these has changed."""
        self._counts.update({*scopes})

    def of(self, scope: Key) -> str:
        """A mark that is another one after each change of the scope."""
        return f"{self._opened}.{self._counts[scope]}"
